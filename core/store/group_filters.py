"""Which groups a list shows and in which order, in SQL."""

from dataclasses import dataclass

from core.records import NEAR_COPY_WORDS, Flag


@dataclass(frozen=True, slots=True)
class GroupFilter:
    """Which groups, in which order.

    `show` is "all", "review" (something waits), "copies", "similar" (removed by cosine),
    "near-copies" and "paraphrases" (a removed or waiting text shares many or few words with
    the kept one), "numbers" and "negation" (a waiting pair differs in one), "decided" (a
    person said something of the kept text, also where nothing was removed) or "unsure";
    `sort` is "size", "review", "weakest", "place" or "checked" (the group with the waiting pair
    that the cross-encoder used last is surest to be different comes first). `source` asks for
    groups in which a row of that file meets rows of other files.
    """

    show: str = "all"
    sort: str = "size"
    source: int | None = None


def listing_sql(wanted: GroupFilter) -> tuple[str, list[int]]:
    """The statement that lists the columns of a `GroupRow`, and its values."""
    spoken = _SPOKEN.get(wanted.show)
    source = _GROUPS if spoken is None else _HEADS.format(verdicts=spoken)
    condition, values = _SHOWN.get(wanted.show, ""), []
    if wanted.source is not None:
        condition += _MIXED
        values = [wanted.source, wanted.source]
    return (
        "SELECT g.text, g.keeper, g.rows, g.texts, g.weakest, g.review, g.strongest_review"
        f" FROM ({source}) g WHERE 1 = 1 {condition} ORDER BY {_SORTED[wanted.sort]}, g.keeper",
        values,
    )


_HAS = (
    " AND EXISTS (SELECT 1 FROM members m INDEXED BY members_group WHERE m.grouping = g.grouping"
    " AND m.kept_text = g.text AND m.reason = '{reason}')"
)
_WAITS = " EXISTS (SELECT 1 FROM review r WHERE r.grouping = g.grouping AND r.text = g.text AND {})"
_WORDS = (
    " AND (EXISTS (SELECT 1 FROM members m INDEXED BY members_group WHERE m.grouping = g.grouping"
    " AND m.kept_text = g.text AND m.reason <> 'copy' AND m.words {words}) OR"
    + _WAITS.format("r.words {words}")
    + ")"
)
_SHOWN = {
    "review": " AND g.review > 0",
    "copies": _HAS.format(reason="copy"),
    "similar": _HAS.format(reason="similar"),
    "near-copies": _WORDS.format(words=f">= {NEAR_COPY_WORDS}"),
    "paraphrases": _WORDS.format(words=f"< {NEAR_COPY_WORDS}"),
    "numbers": " AND" + _WAITS.format(f"r.flags & {int(Flag.NUMBERS)}"),
    "negation": " AND" + _WAITS.format(f"r.flags & {int(Flag.NEGATION)}"),
}
_GROUPS = "SELECT * FROM groups WHERE grouping = (SELECT max(id) FROM groupings)"
# Verdicts that a filter asks for. A kept text with nothing but a "different" is no group any
# more, yet its decision must be found again to be changed.
_SPOKEN = {"decided": "'same', 'different', 'unsure'", "unsure": "'unsure'"}
_HOME = (
    "coalesce((SELECT m.kept_text FROM documents d JOIN members m"
    " ON m.grouping = (SELECT max(id) FROM groupings) AND m.document = d.id"
    " WHERE d.text = {text} AND d.live = 1 LIMIT 1), {text})"
)
_LEFT, _RIGHT = _HOME.format(text="e.left"), _HOME.format(text="e.right")
_HEADS = (
    "SELECT n.id AS grouping, t.id AS text, coalesce(s.keeper, (SELECT min(d.id) FROM documents d"
    " WHERE d.text = t.id AND d.live = 1)) AS keeper, coalesce(s.rows, t.rows) AS rows,"
    " coalesce(s.texts, 1) AS texts, s.weakest, coalesce(s.review, 0) AS review,"
    " s.strongest_review"
    f" FROM (SELECT DISTINCT CASE WHEN {_LEFT} = e.left THEN e.left ELSE {_RIGHT} END AS text"
    " FROM decisions e WHERE e.verdict IN ({verdicts})) h"
    " JOIN (SELECT max(id) AS id FROM groupings) n JOIN texts t ON t.id = h.text AND t.rows > 0"
    " LEFT JOIN groups s ON s.grouping = n.id AND s.text = h.text WHERE n.id IS NOT NULL"
)
_MIXED = (
    " AND EXISTS (SELECT 1 FROM members m INDEXED BY members_group"
    " JOIN documents d ON d.id = m.document"
    " WHERE m.grouping = g.grouping AND m.kept_text = g.text AND d.source = ?)"
    " AND EXISTS (SELECT 1 FROM members m INDEXED BY members_group"
    " JOIN documents d ON d.id = m.document"
    " WHERE m.grouping = g.grouping AND m.kept_text = g.text AND d.source <> ?)"
)
_LOWEST = (
    "(SELECT min(c.score) FROM review r JOIN checked_pairs c ON c.cross_encoder ="
    " (SELECT id FROM cross_encoders ORDER BY uses DESC LIMIT 1)"
    " AND c.left = min(r.text, r.candidate) AND c.right = max(r.text, r.candidate)"
    " WHERE r.grouping = g.grouping AND r.text = g.text)"
)
_SORTED = {
    "size": "g.rows DESC",
    "review": "g.strongest_review DESC",
    "weakest": "g.weakest IS NULL, g.weakest",
    "place": "g.keeper",
    "checked": f"{_LOWEST} IS NULL, {_LOWEST}",
}
