"""A course comes back from its file as it was, to the last digit."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import UserError
from core.examples import LabelledPairs, LabelledTexts, ScoredPairs, Triplets
from core.training import (
    COURSE,
    KeptCourse,
    Material,
    Part,
    course_of,
    keep_course,
    kept_course,
    random_pairs,
)
from core.training.course_files import plain_course


@pytest.fixture
def kept() -> KeptCourse:
    scores = np.array([1 / 3, 0.1, 1.0], np.float32)
    weight = np.array([0.5, 1.0, 0.25], np.float32)
    vectors = np.random.default_rng(0).normal(size=(4, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    material = Material(
        Part(ScoredPairs(("a", "Zoë 文", "c"), ("d", "e\n", "f"), scores, weight), ("x", "", "y")),
        (Part(LabelledPairs(("a",), ("b",), np.array([2]), ("p", "q", "r"))),),
        Part(Triplets(("a",), ("b",), ("c",))),
        (Part(LabelledTexts(("a", "b"), np.array([0, 1]), ("p", "q"))),),
    )
    course = course_of(
        material, {"recipe": "side-by-side", "epochs": 3, "hold": 0.3},
        background=random_pairs("wxyz", vectors, count=9),
    )  # fmt: skip
    return KeptCourse(course, "/base", "base", "f1", {"same": 3})


def test_a_course_comes_back_as_it_was(kept, tmp_path):
    keep_course(kept, tmp_path / "new")
    found = kept_course(tmp_path / "new")
    assert plain_course(found.course) == plain_course(kept.course)
    assert found.course.material.scored.examples.score.dtype == np.float32
    assert found.course.background.cosine.tolist() == kept.course.background.cosine.tolist()
    assert (found.base, found.told, found.digest) == ("/base", {"same": 3}, kept.digest)


def test_the_digest_changes_with_whatever_decides_the_weights(kept):
    course = kept.course
    others = [
        replace(kept, base_fingerprint="f2"),
        replace(kept, course=replace(course, options=replace(course.options, seed=1))),
        replace(kept, course=replace(course, material=Material(course.material.scored))),
    ]
    assert len({kept.digest, *(other.digest for other in others)}) == 4


def test_a_folder_without_a_course_says_so(tmp_path):
    with pytest.raises(UserError, match="not kept"):
        kept_course(tmp_path)


def test_a_torn_file_is_refused_with_its_name(kept, tmp_path):
    keep_course(kept, tmp_path)
    file = tmp_path / COURSE
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UserError, match=COURSE):
        kept_course(tmp_path)
