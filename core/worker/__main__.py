"""Start a worker: `python -m core.worker`."""

from core.worker.door import main

if __name__ == "__main__":
    main()
