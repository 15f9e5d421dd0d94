"""The inner loops of a layout; importing this loads numba, calling them compiles them once.

The arithmetic is that of UMAP (McInnes, Healy and Melville, 2018). Each loop works on a range
of places that no other call writes, so any number of threads gives the same numbers.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from core.compiling import compiled

LANES = 16  # places moved side by side: two registers of eight, so that one waits for no other
_REPULSIONS = 5  # random others for each link walked, as UMAP's default

_f4, _u8, _i4 = np.float32, np.uint64, np.int32
_TINY = np.float32(1e-12)  # a squared distance of nothing, whose power is still a number
_BISECTIONS, _ENOUGH, _LEAST_REACH, _BEYOND = 64, 1e-5, 1e-3, 3e38  # as in UMAP
_GRAINS = np.float32(2**18)  # of one unit; a pull is less than two units, 2**31 take 4,000
_BEND, _MOST = np.float32(0.001), np.float32(4)  # of a repulsion at no distance, of a step


def _power(x: Any, exponent: Any) -> Any:
    """Raise a positive float32 to a power, right to one part in a million, without a branch.

    The C library's `pow` takes one number at a time; this is four short polynomials, and the
    compiler does eight at once.
    """
    bits = _f4(x).view(_i4)
    octave = (bits - _i4(0x3F3504F3)) >> _i4(23)
    part = _i4(bits - (octave << _i4(23))).view(_f4)  # between the roots of 1/2 and 2
    t = (part - _f4(1)) / (part + _f4(1))
    s = t * t
    log = t * (
        _f4(2.885390082) + s * (_f4(0.961796694) + s * (_f4(0.577078016) + s * _f4(0.412198583)))
    )
    y = min(max(exponent * (_f4(octave) + log) + _f4(127), _f4(1)), _f4(254))
    whole = _i4(y)
    f = y - _f4(whole)
    near = _f4(0.0555041087) + f * (_f4(0.0096181291) + f * _f4(0.0013333558))
    return _i4(whole << _i4(23)).view(_f4) * (
        _f4(1) + f * (_f4(0.6931471806) + f * (_f4(0.2402265070) + f * near))
    )


_raised = compiled(_power, inline="always")


@cache
def epoch_kernel(dimensions: int) -> Callable[..., None]:
    """One epoch for the places `low` to `high`, in so many dimensions.

    A link is walked when epoch times strength passes a whole number. All others stand where
    they were when the call began: what it finds is written to `moved`, and how far it pulled
    the other ends is added to `back`, in whole grains, since sums of whole numbers do not
    depend on their order. `LANES` places go side by side, each along its own links.
    Arguments: moved, back, xy (flat, u * dimensions), low, high, starts (u + 1,), ends of
    links, their strengths, the curve a and b, step, epoch, seed, u, lanes, most links of a
    place, whether other ends move.
    """
    # Unsigned, as `k` below: an index that may be negative is checked in each round.
    size, wide = _u8(dimensions), _u8(LANES)
    other, go = _u8(dimensions * LANES), _u8(2 * dimensions * LANES)

    def walk(
        moved: Any, back: Any, xy: Any, low: int, high: int, starts: Any, ends: Any, share: Any,
        a: Any, b: Any, step: Any, epoch: int, seed: Any, u: int, lanes: Any, most: int,
        both_move: bool,
    ) -> None:  # fmt: skip
        a, b, step, count_u = _f4(a), _f4(b), _f4(step), _u8(u)
        pull, push = _f4(-2) * a * b, _f4(2) * b
        now, before = _f4(epoch), _f4(epoch - 1)
        # One array: places, others, and how far a lane may step; the compiler then sees that
        # none of them overlap.
        s = np.zeros((2 * dimensions + 1) * LANES, _f4)
        due = np.zeros((LANES, most + 1), _i4)
        count = np.zeros(LANES, np.int64)
        state = np.zeros(LANES, _u8)
        who = np.zeros(LANES, _u8)
        for first in range(low, high, LANES):
            here = min(LANES, high - first)
            longest = 0
            count[:] = 0
            for lane in range(here):
                i, c = first + lane, 0
                for link in range(starts[i], starts[i + 1]):
                    due[lane, c] = ends[link]
                    c += _i4(now * share[link]) != _i4(before * share[link])
                count[lane] = c
                longest = max(longest, c)
                for d in range(dimensions):
                    s[_u8(d) * wide + _u8(lane)] = xy[i * dimensions + d]
                # SplitMix64 (Steele, Lea and Flood, 2014): a stream for each place and epoch.
                z = seed + _u8(epoch) * count_u + _u8(i)
                z = (z ^ (z >> _u8(30))) * _u8(0xBF58476D1CE4E5B9)
                z = (z ^ (z >> _u8(27))) * _u8(0x94D049BB133111EB)
                state[lane] = (z ^ (z >> _u8(31))) | _u8(1)
            for turn in range(longest):
                for k in range(lanes):
                    is_due = turn < count[k]
                    j = due[k, turn] if is_due else 0
                    s[go + k] = step if is_due else _f4(0)
                    for d in range(dimensions):
                        s[other + _u8(d) * wide + k] = xy[_u8(j) * size + _u8(d)]
                for k in range(lanes):
                    far = _TINY
                    for d in range(dimensions):
                        at = _u8(d) * wide + k
                        far += (s[at] - s[other + at]) * (s[at] - s[other + at])
                    curve = _raised(far, b)
                    force = pull * curve / (far * (a * curve + _f4(1)))
                    for d in range(dimensions):
                        at = _u8(d) * wide + k
                        by = min(max(force * (s[at] - s[other + at]), -_MOST), _MOST) * s[go + k]
                        s[at] += by
                        s[other + at] = by
                if both_move:
                    for k in range(lanes):
                        if turn < count[k]:
                            j = _u8(due[k, turn]) * size
                            for d in range(dimensions):
                                by = s[other + _u8(d) * wide + k] * _GRAINS
                                back[j + _u8(d)] -= _i4(by)
                for _ in range(_REPULSIONS):
                    for k in range(lanes):  # xorshift (Marsaglia, 2003)
                        z = state[k]
                        z ^= z << _u8(13)
                        z ^= z >> _u8(7)
                        z ^= z << _u8(17)
                        state[k] = z
                        who[k] = ((z >> _u8(32)) * count_u) >> _u8(32)
                    for k in range(lanes):
                        is_itself = who[k] == _u8(first) + k
                        for d in range(dimensions):
                            at = _u8(d) * wide + k
                            s[other + at] = s[at] if is_itself else xy[who[k] * size + _u8(d)]
                    for k in range(lanes):
                        far = _f4(0)
                        for d in range(dimensions):
                            at = _u8(d) * wide + k
                            far += (s[at] - s[other + at]) * (s[at] - s[other + at])
                        force = push / ((_BEND + far) * (a * _raised(far + _TINY, b) + _f4(1)))
                        for d in range(dimensions):
                            at = _u8(d) * wide + k
                            by = min(max(force * (s[at] - s[other + at]), -_MOST), _MOST)
                            s[at] += by * s[go + k]
            for lane in range(here):
                for d in range(dimensions):
                    moved[(first + lane) * dimensions + d] = s[_u8(d) * wide + _u8(lane)]

    return compiled(walk)


def _settle(
    xy: Any, moved: Any, back: Any, low: int, high: int, low_group: int, high_group: int
) -> None:
    """Bring the coordinates `low` to `high` of `xy` up to date after a group has moved.

    Those of the group itself come from `moved`; all are pulled by each thread's `back` (threads,
    u * dimensions), which is cleared.
    """
    for x in range(low, high):
        by = 0
        for thread in range(back.shape[0]):
            by += back[thread, x]
            back[thread, x] = 0
        at = moved[x] if low_group <= x < high_group else xy[x]
        xy[x] = at + _f4(by) / _GRAINS


@cache
def settling_kernel() -> Callable[..., None]:
    """What follows on each group; see `_settle`."""
    return compiled(_settle)


def _weigh(
    low: int, high: int, far: Any, count: int, mean: float, nearest: Any, reach: Any
) -> None:
    """Find for rows `low` to `high` of `far` (n, m) the scale at which links sum to log2 `count`.

    `far` are distances to others, best first; `nearest` (n,) becomes the first that is not 0,
    `reach` (n,) the scale, by bisection as in UMAP; no less than a thousandth of the mean.
    """
    target = np.log2(count)
    m = far.shape[1]
    for i in range(low, high):
        rho, total = _f4(0), 0.0
        for j in range(m):
            total += far[i, j]
            if rho == 0 and far[i, j] > 0:
                rho = far[i, j]
        least, most, middle = 0.0, _BEYOND, 1.0
        for _ in range(_BISECTIONS):
            found = 0.0
            for j in range(m):
                beyond = far[i, j] - rho
                found += np.exp(-beyond / middle) if beyond > 0 else 1.0
            if abs(found - target) < _ENOUGH:
                break
            if found > target:
                most = middle
                middle = (least + most) / 2
            else:
                least = middle
                middle = middle * 2 if most == _BEYOND else (least + most) / 2
        usual = total / (m + 1) if rho > 0 else mean
        nearest[i], reach[i] = rho, max(middle, _LEAST_REACH * usual)


@cache
def weighing_kernel() -> Callable[..., None]:
    """How far each place reaches, for a range of rows; see `_weigh`."""
    return compiled(_weigh)
