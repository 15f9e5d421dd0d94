"""Teaching an encoder by judged examples: recipes, the loop, the new folder, what it changed.

Importing this package is cheap; torch and transformers load with the first training.
"""

from core.training.batches import automatic_epochs
from core.training.course_files import COURSE, KeptCourse, drop_course, keep_course, kept_course
from core.training.courses import (
    Course,
    Stages,
    by_scores_alone,
    course_of,
    parts_used,
    stages_of,
    unused_note,
)
from core.training.data import Background, Judged, random_pairs
from core.training.forecast import forecast_seconds
from core.training.keeping_aside import Aside, keep_aside
from core.training.kept_stages import KeptStages
from core.training.material import Material, Part
from core.training.memory import MemoryForecast, forecast_memory, refuse_without_memory
from core.training.planning import Plan, plan_lesson
from core.training.recipe_options import RecipeOptions
from core.training.recipes import RECIPES, Proposal, Recipe, misfit, propose
from core.training.seed_search import SeedSearch, search_seeds
from core.training.stage_steps import steps_of
from core.training.synonyms import Reworded, masked_head_of, reword_pairs
from core.training.tasks import Stage, Task, by_scores
from core.training.teaching import Taught, teach
from core.training.telling import TellingPair, TellingPairs, telling_pairs
from core.training.training import Trained, base_fingerprint, train

__all__ = [
    "COURSE",
    "RECIPES",
    "Aside",
    "Background",
    "Course",
    "Judged",
    "KeptCourse",
    "KeptStages",
    "Material",
    "MemoryForecast",
    "Part",
    "Plan",
    "Proposal",
    "Recipe",
    "RecipeOptions",
    "Reworded",
    "SeedSearch",
    "Stage",
    "Stages",
    "Task",
    "Taught",
    "TellingPair",
    "TellingPairs",
    "Trained",
    "automatic_epochs",
    "base_fingerprint",
    "by_scores",
    "by_scores_alone",
    "course_of",
    "drop_course",
    "forecast_memory",
    "forecast_seconds",
    "keep_aside",
    "keep_course",
    "kept_course",
    "masked_head_of",
    "misfit",
    "parts_used",
    "plan_lesson",
    "propose",
    "random_pairs",
    "refuse_without_memory",
    "reword_pairs",
    "search_seeds",
    "stages_of",
    "steps_of",
    "teach",
    "telling_pairs",
    "train",
    "unused_note",
]
