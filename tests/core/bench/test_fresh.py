"""Work in a process of its own."""

from pathlib import Path

import numpy as np
import pytest

from core.bench import fresh, layout_sides
from core.bench.fresh import in_fresh_process


def test_a_task_answers_from_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(fresh.TASKS, "layout", "nowhere:nothing")  # in this process only
    np.save(tmp_path / "vectors.npy", np.eye(5, dtype=np.float32))
    told = {"side": "nobody", "vectors": str(tmp_path / "vectors.npy")}
    with pytest.raises(RuntimeError, match="KeyError: 'nobody'"):
        in_fresh_process("layout", told)


def test_the_ways_to_a_map_give_a_place_and_a_label_to_each_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    xy, labels = np.zeros((5, 2), np.float32), np.arange(5, dtype=np.int32)
    monkeypatch.setitem(layout_sides._SIDES, "made", lambda vectors, seed: (xy, labels, {"a": 1}))
    np.save(tmp_path / "vectors.npy", np.eye(5, dtype=np.float32))
    told = layout_sides.run_side(
        {"side": "made", "vectors": tmp_path / "vectors.npy", "seed": 0, "to": tmp_path / "to.npz"}
    )
    assert told["figures"] == {"a": 1}
    assert np.load(tmp_path / "to.npz")["labels"].tolist() == [0, 1, 2, 3, 4]
