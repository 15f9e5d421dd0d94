"""Render the pages of a fresh demo project: `python scripts/screenshots.py FOLDER`."""

import sys
import tempfile
from pathlib import Path

from app.pictures import draw_pages
from core.options import EncodeOptions, GroupOptions, PairOptions
from core.progress import run_to_end
from core.store import Project
from core.workflows.demonstrating import demo_corpus, demo_settings
from core.workflows.importing import import_file
from core.workflows.preparing import prepare

_SIZES = ((1000, 700), (1280, 800), (1920, 1080))


def main() -> None:
    """Make the demo project in a temporary folder and draw it."""
    to = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "Demo.samesense"
        with Project.create(folder) as project:
            run_to_end(import_file(project, demo_corpus(), demo_settings()))
            run_to_end(prepare(project, EncodeOptions(), PairOptions(), GroupOptions()))
        for file in draw_pages(folder, to, sizes=_SIZES):
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
