"""Start a worker: `python -m core.worker`."""

from core.worker.door import main

main()
