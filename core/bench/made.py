"""Texts and vectors made up from a seed: distinct, and spread as those of people are.

Real ones are better and come from files; these serve where there is none at hand. Repeating a
small corpus would not do: each copy multiplies the pairs that are to be found.
"""

import numpy as np
from numpy.typing import NDArray

# Who does what, split at bars and lines.
_TOLD = (
    """the courier|our accountant|my neighbour|the help desk|a customer|the new colleague
the airline|this branch|the supplier|your technician|the landlord|a student|the project team
the pharmacy|someone from billing|the night shift|the board|my manager|a visitor|the driver""",
    """refunded|cancelled|delayed|lost|replaced|described|repaired|forgot|ordered|returned
recommended|charged for|inspected|misread|translated|rejected|confirmed|rebooked|photographed
installed|measured|complained about|signed for|postponed|unpacked|compared|reported|checked""",
    """late|damaged|second|blue|missing|monthly|broken|refurbished|overdue|wireless|annual
unpaid|encrypted|regional|printed|frozen|portable|incorrect|spare|leather|temporary|shared""",
    """invoice|suitcase|password|contract|parcel|keyboard|train ticket|heating|database
prescription|mortgage|server|bicycle|passport|dishwasher|voucher|spreadsheet|camera|insurance
reservation|thermostat|subscription|blood test|questionnaire|window|backup|timetable|manual""",
    """in Leeds|before the holidays|at the airport|on the second floor|without any notice
after three reminders|during the audit|for the whole family|by registered mail|over the weekend
near the station|because of the storm|in the mobile app|at half the price|once again
with the old adapter|since last Tuesday|through the portal|for no clear reason|at gate nine""",
)
_JOINS = (", and", ", but", ". Then", " while", ", so", ". Meanwhile", " although", ". Later")
_SLOTS = tuple(tuple(told.replace("\n", "|").split("|")) for told in _TOLD)
_USUAL_WORDS, _SPREAD, _FEWEST, _MOST = 15, 0.6, 3, 220  # of a text; log-normal, as mails are
_CLAUSE = 9  # words, about

_BLOCK = 16_384
_GROUP = 6  # texts that say alike things
_TOPIC = 120  # texts of one topic
_SHARED, _OF_TOPIC = 0.12, 0.30  # parts of a vector's squared length
_FALL = 0.35  # of the spread along directions, so that random cosines stray by about 0.1


def made_texts(rows: int, *, seed: int = 0) -> list[str]:
    """Make up `rows` distinct texts of 3 to some 220 words, mostly a sentence or two."""
    random = np.random.default_rng(seed)
    texts: dict[str, None] = {}
    while len(texts) < rows:
        lengths = np.exp(random.normal(np.log(_USUAL_WORDS), _SPREAD, rows - len(texts)))
        for words in np.clip(lengths, _FEWEST, _MOST).astype(np.int64).tolist():
            texts[_text(words, random)] = None
    return list(texts)


def made_vectors(rows: int, d: int = 384, *, seed: int = 0) -> NDArray[np.float32]:
    """Make up (rows, d) unit vectors in many small dense groups within topics.

    Two at random have cosines around 0.1, give or take 0.1, as sentence vectors do; within a
    group of about six they lie anywhere from 0.5 to 0.97.
    """
    random = np.random.default_rng(seed)
    spectrum = (np.arange(1, d + 1) ** -_FALL).astype(np.float32)
    spectrum /= np.float32(np.sqrt((spectrum.astype(np.float64) ** 2).sum()))
    turn = np.linalg.qr(random.standard_normal((d, d)))[0].astype(np.float32)
    middle = _directions(1, spectrum, random)
    topics = _directions(max(1, rows // _TOPIC), spectrum, random)
    groups = max(1, rows // _GROUP)
    topic = random.integers(0, len(topics), groups)
    nearness = np.sqrt(random.uniform(0.5, 0.97, groups)).astype(np.float32)
    seeds = random.integers(0, 2**63 - 1, groups)
    group = np.sort(random.integers(0, groups, rows))
    vectors = np.empty((rows, d), np.float32)
    for start in range(0, rows, _BLOCK):
        mine = group[start : start + _BLOCK]
        some, inverse = np.unique(mine, return_inverse=True)
        own = np.concatenate(
            [_directions(1, spectrum, np.random.default_rng(one)) for one in seeds[some]]
        )
        rest = np.float32(np.sqrt(1 - _SHARED - _OF_TOPIC))
        core = np.float32(np.sqrt(_SHARED)) * middle + rest * own
        core += np.float32(np.sqrt(_OF_TOPIC)) * topics[topic[some]]
        core /= np.linalg.norm(core, axis=1, keepdims=True)
        near = nearness[mine][:, None]
        block = near * core[inverse]
        block += np.sqrt(1 - near**2) * _directions(len(mine), spectrum, random)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        vectors[start : start + len(mine)] = block @ turn
    # Groups must not lie together: nearness in the matrix would flatter caches and tiles.
    random.shuffle(vectors)
    return vectors


def made_places(rows: int, *, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Make up places of a map (rows, 2), and the cluster of each, -1 for the dust between."""
    random = np.random.default_rng(seed)
    clusters = int(np.clip(rows // 500, 1, 400))
    share = random.dirichlet(np.full(clusters, 0.5))
    cluster = random.choice(clusters, rows, p=share)
    middles = random.uniform(-20, 20, (clusters, 2))
    widths = random.lognormal(0, 0.6, (clusters, 2))
    xy = middles[cluster] + widths[cluster] * random.standard_normal((rows, 2))
    dust = random.random(rows) < 0.05
    xy[dust] = random.uniform(-22, 22, (int(dust.sum()), 2))
    return xy.astype(np.float32), np.where(dust, -1, cluster).astype(np.int32)


def _text(words: int, random: np.random.Generator) -> str:
    clauses = max(1, round(words / _CLAUSE))
    picks = random.random((clauses, len(_SLOTS) + 2))
    told = ""
    for number, pick in enumerate(picks):
        who, does, how, what, where = (
            words[int(at * len(words))] for words, at in zip(_SLOTS, pick, strict=False)
        )
        if number:
            told += _JOINS[int(pick[-2] * len(_JOINS))] + " "
        told += f"{who} {does} the {how} {what} {where}"
        if pick[-1] < 0.3:
            told += f" (no. {int(pick[-1] / 0.3 * 90_000) + 10_000})"
    if words < _CLAUSE // 2:
        told = " ".join(told.split()[-words - 2 :]) + f" {int(picks[0, 0] * 9_000) + 1_000}"
    return told[0].upper() + told[1:] + "."


def _directions(
    count: int, spectrum: NDArray[np.float32], random: np.random.Generator
) -> NDArray[np.float32]:
    drawn = random.standard_normal((count, len(spectrum)), dtype=np.float32) * spectrum
    unit: NDArray[np.float32] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit
