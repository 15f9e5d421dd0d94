"""Background work: lanes with a worker process each, and a thread that reads the store."""

from app.jobs.lane import JobEnd, Lane, Ticket
from app.jobs.reader import Reader
from app.jobs.training_thread import TrainingThread

__all__ = ["JobEnd", "Lane", "Reader", "Ticket", "TrainingThread"]
