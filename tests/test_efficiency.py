"""The script that tells the paper's efficiency table runs and tells the truth about its texts."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_tables_name_every_way_and_what_is_extrapolated(tiny_encoder: Path, tmp_path: Path):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(f"red bike {n}" for n in range(60)), encoding="utf-8")
    words = ["--file", file, "--rows", 40, "--closest", 50, "--repeats", 1]
    words += ["--encoder", tiny_encoder]
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "efficiency.py", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    ways = {row[0].removeprefix("| "): row for row in rows}
    assert float(ways["padded, file order, batch 32"][3].rstrip(" |")) < 1e-5
    assert "packed (Samesense)" in ways
    assert "40 of 60 distinct texts of texts.txt" in done.stdout
    assert any("1,225 pairs, extrapolated from" in way for way in ways)
