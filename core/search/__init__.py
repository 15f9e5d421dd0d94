"""Which texts answer a question, by meaning and by words, and where in them it shows."""

from core.search.fusing import fuse
from core.search.index import SearchIndex
from core.search.marking import marks

__all__ = ["SearchIndex", "fuse", "marks"]
