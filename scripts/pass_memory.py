"""Memory of the pass over all pairs: `python scripts/pass_memory.py [ROWS] [SECONDS]`.

Runs the pass for pairs and neighbours over made vectors, stops it after so many seconds, and
prints the largest memory beyond what the vectors and libraries took before.
"""

import sys
import time

from core.bench.interleave import peak_growth
from core.bench.made import made_vectors
from core.pairs import compare
from core.workflows.graphing import NEAREST

_FLOOR, _DIMENSION = 0.75, 384


def main() -> None:
    given = [int(one) for one in sys.argv[1:]]
    rows, seconds = (*given, *(1_000_000, 150)[len(given) :])
    vectors = made_vectors(rows, _DIMENSION, seed=0)

    def watched() -> int:
        ends = time.monotonic() + seconds
        done = 0
        for block in compare(vectors, floor=_FLOOR, k=NEAREST):
            done = block.done
            if time.monotonic() > ends:
                break
        return done

    done, growth = peak_growth(watched)
    sys.stdout.write(
        f"{growth:,.0f} MB beyond {vectors.nbytes / 1e6:,.0f} MB of vectors, "
        f"{done:,} of {rows:,} texts compared with all before them\n"
    )


if __name__ == "__main__":
    main()
