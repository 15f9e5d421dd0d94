"""The start with nothing in the system's cache of files: `python scripts/start_cold.py [TIMES]`.

Linux, as root: the cache is dropped before each start. Prints the seconds from the start of the
process to a window that can be used, each and their median; drawn without a screen. A host may
still hold the files of a virtual disk.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core.bench.fresh import fresh_command, fresh_environment
from core.store import Project

_DROP = Path("/proc/sys/vm/drop_caches")
_USABLE = "usable"  # what the window's code says


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as home:
        project = Path(home) / "made.samesense"
        Project.create(project).close()
        seconds = [_started(project, home) for _ in range(times)]
    told = " ".join(f"{one:.2f}" for one in seconds)
    sys.stdout.write(f"{told} s, median {statistics.median(seconds):.2f} s\n")


def _started(project: Path, home: str) -> float:
    os.sync()
    _DROP.write_text("3", encoding="ascii")
    environment = {
        **fresh_environment(),
        "QT_QPA_PLATFORM": "offscreen",
        "SAMESENSE_HOME": str(Path(home) / "home"),
    }
    line = fresh_command("start", {"project": str(project)})
    begun, usable = time.perf_counter(), 0.0
    with subprocess.Popen(
        line, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        for said in process.stdout or ():  # to its end, or the window would talk to nobody
            if said.strip() == _USABLE:
                usable = time.perf_counter() - begun
    if not usable:
        raise RuntimeError("the window was never usable")
    return usable


if __name__ == "__main__":
    main()
