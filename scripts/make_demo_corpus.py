"""Make the demo corpus and its gold pairs: invented customer messages, the same every time.

The wordings stand in demo_situations.txt and demo_letters.txt beside this script. Usage:
`python scripts/make_demo_corpus.py [FOLDER]`, by default resources/demo.
"""

import csv
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TypeVar

SEED = 2026
HERE = Path(__file__).resolve().parent
SLOT = re.compile(r"\{(\w+)\}")
T = TypeVar("T")
Wordings = tuple[str, ...]
Details = dict[str, str]

DATES = [date(2026, 1, 2) + timedelta(days=n) for n in range(330)]
SWAPS = (
    ("I would like", "I'd like"),
    ("I'd like", "I would like"),
    ("cannot", "can't"),
    ("can't", "cannot"),
    ("do not", "don't"),
    ("does not", "doesn't"),
    ("doesn't", "does not"),
    ("has not", "hasn't"),
    ("I have ", "I've "),
    ("I've ", "I have "),
    ("I am ", "I'm "),
    ("Can you", "Could you"),
    ("Can I", "Could I"),
    ("Please ", "Kindly "),
    ("I want to", "I wish to"),
    ("Is it possible", "Would it be possible"),
    (" although ", " even though "),
    (" got ", " received "),
    (" received ", " got "),
    (" parcel ", " package "),
    ("How much is", "What is the price of"),
    ("Where can I", "Where do I"),
    (", but ", ", yet "),
    (" mail ", " e-mail "),
    (" shop ", " store "),
    (" store ", " shop "),
)
SIGNS = {".": ("", "!", " ...", "."), "?": ("", "??", " ?", "?"), "!": (".", "!!", "", "!")}


@dataclass(frozen=True, slots=True)
class Topic:
    """Families of situations; a family is a list of meanings, a meaning its wordings."""

    subjects: Wordings
    families: list[list[Wordings]]


@dataclass(frozen=True, slots=True)
class Message:
    """One row and, for the gold pairs, where it comes from."""

    text: str
    family: int
    meaning: int  # within the whole corpus; the same number means the same request
    wording: int
    subject: str
    customer: str
    city: str
    channel: str
    day: date


@dataclass(frozen=True, slots=True)
class Gold:
    """One labelled pair of row ids, the smaller first."""

    id1: int
    id2: int
    relation: str
    label: int


class Luck:
    """Draws that stay the same in every version of Python: only `random()` promises that."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def below(self, stop: int) -> int:
        return int(self._random.random() * stop)

    def pick(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        drawn = sorted((self._random.random(), place) for place in range(len(items)))
        return [items[place] for _, place in drawn]


def main(folder: Path) -> None:
    messages = make_messages(Luck(SEED))
    folder.mkdir(parents=True, exist_ok=True)
    header = ["id", "date", "channel", "customer", "city", "subject", "message"]
    _write_csv(
        folder / "messages.csv",
        header,
        [
            [n, m.day.isoformat(), m.channel, m.customer, m.city, m.subject, m.text]
            for n, m in enumerate(messages, 1001)
        ],
    )
    gold = make_gold(messages)
    rows = [[g.id1, g.id2, g.relation, g.label] for g in gold]
    _write_csv(folder / "gold.csv", ["id1", "id2", "relation", "label"], rows)


def make_messages(luck: Luck) -> list[Message]:
    """Draw all rows, in the order of their dates."""
    maker = _Maker(luck, read_words((HERE / "demo_details.txt").read_text(encoding="utf-8")))
    for topic in read_topics((HERE / "demo_situations.txt").read_text(encoding="utf-8")):
        for family in topic.families:
            maker.add_family(topic, family)
    maker.add_copies(125)
    maker.add_oddities((HERE / "demo_letters.txt").read_text(encoding="utf-8").split("----\n"))
    return sorted(luck.shuffled(maker.messages), key=lambda message: message.day)


def make_gold(messages: list[Message]) -> list[Gold]:
    """Label every pair within a family; rows without a text are in none."""
    families: dict[int, list[tuple[int, Message]]] = {}
    for number, message in enumerate(messages, 1001):
        if message.text:
            families.setdefault(message.family, []).append((number, message))
    gold = [
        _label(left, right) for rows in families.values() for left, right in combinations(rows, 2)
    ]
    return sorted(gold, key=lambda pair: (pair.id1, pair.id2))


def read_topics(text: str) -> list[Topic]:
    topics: list[Topic] = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.strip()]
        if not lines or lines[0].startswith("# "):
            continue
        if lines[0].startswith("## "):
            topics.append(Topic(tuple(p.strip() for p in lines[0][3:].split("|")[1:]), []))
            continue
        meanings = "\n".join(lines).split("\n~\n")
        topics[-1].families.append([tuple(meaning.split("\n")) for meaning in meanings])
    return topics


def read_words(text: str) -> dict[str, list[str]]:
    """Read blocks of `kind:` and its words between bars."""
    words = {}
    for block in text.split("\n\n"):
        if not block.startswith("#"):
            kind, _, listed = block.partition(":")
            words[kind] = [word.strip() for word in " ".join(listed.split()).split(" | ")]
    return words


class _Maker:
    """Collects messages; no text is made twice except as a wanted copy."""

    def __init__(self, luck: Luck, words: dict[str, list[str]]) -> None:
        self.messages: list[Message] = []
        self._words = words
        self._luck = luck
        self._texts: set[str] = set()
        self._families = 0
        self._meanings = 0

    def add_family(self, topic: Topic, family: list[Wordings]) -> None:
        self._families += 1
        first: Details | None = None
        for wordings in family:
            slots = SLOT.findall(wordings[0])
            known: list[Details] = []
            for turn in range(self._luck.pick((1, 2, 2, 3, 3)) if slots else 1):
                details = self._details(slots, known)
                if turn == 0 and first is not None and set(first) == set(slots):
                    details = first  # a sibling differs by its words alone
                first = first or details
                if details is not None:
                    known.append(details)
                    self._add_meaning(topic, wordings, details)

    def add_copies(self, count: int) -> None:
        originals = self._luck.shuffled(self.messages)[:count]
        for original in originals:
            later = min(original.day + timedelta(days=self._luck.below(4)), DATES[-1])
            if self._luck.chance(0.5):
                self.messages.append(replace(original, day=later))  # sent again by impatience
            else:
                self._add(original, original.text, day=later)

    def add_oddities(self, letters: Sequence[str]) -> None:
        for family in ODDITIES:
            self._families += 1
            for meaning in family:
                self._meanings += 1
                for wording, text in enumerate(meaning):
                    self._add(self._blank(wording), text)
        self._families += 1
        for letter in letters:
            self._meanings += 1
            self._add(self._blank(0), letter.strip())
        for _ in range(10):
            self._families += 1
            self._meanings += 1
            self._add(self._blank(0), "")

    def _add_meaning(self, topic: Topic, wordings: Wordings, details: Details) -> None:
        self._meanings += 1
        many = self._luck.pick((1, 1, 1, 2, 2, 3, 4) if details else (2, 2, 3, 3, 4))
        if self._luck.chance(0.04):
            many += 3 + self._luck.below(4)  # now and then everybody writes about the same
        order = self._luck.shuffled(range(len(wordings)))
        if self._luck.chance(0.5):
            order.sort()  # the same first wording as its neighbours, for close near-misses
        for turn in range(many):
            wording = order[turn % len(order)]
            plain = SLOT.sub(lambda slot: details[slot[1]], wordings[wording])
            place = replace(self._blank(wording), subject=self._luck.pick(topic.subjects))
            self._add(place, self._distinct(plain, details, again=turn >= len(order)))

    def _distinct(self, plain: str, details: Details, *, again: bool) -> str:
        text = self._dressed(plain, details, again=again)
        while text in self._texts:
            text = self._dressed(plain, details, again=again)
        self._texts.add(text)
        return text

    def _add(self, place: Message, text: str, day: date | None = None) -> None:
        luck = self._luck
        self.messages.append(
            replace(
                place,
                text=text,
                customer=f"{self._word('firstname')} {self._word('surname')}",
                city=self._word("city"),
                channel=self._word("channel"),
                day=day or luck.pick(DATES),
            )
        )

    def _blank(self, wording: int) -> Message:
        return Message("", self._families, self._meanings, wording, "", "", "", "mail", DATES[0])

    def _details(self, slots: Sequence[str], known: list[Details]) -> Details | None:
        """Draw details unlike all known ones; half the time only one differs (a near-miss)."""
        if not slots:
            return {}
        for _ in range(50):
            details = {slot: self._value(slot) for slot in slots}
            if known and self._luck.chance(0.5) and set(known[-1]) == set(slots):
                slot = self._luck.pick(slots)
                details = {**known[-1], slot: details[slot]}
            pairs = (("product", "product2"), ("date", "date2"), ("model", "model2"))
            same = any(a in details and details[a] == details.get(b) for a, b in pairs)
            if not same and details not in known:
                return details
        return None

    def _value(self, slot: str) -> str:
        luck = self._luck
        match slot:
            case "order":
                return str(40000 + luck.below(60000))
            case "amount":
                return f"{4 + luck.below(290)}.{luck.pick(('00', '50', '90', '95', '99'))}"
            case "date" | "date2":
                return f"{1 + luck.below(28)} {self._word('month')}"
            case "n":
                return str(3 + luck.below(10))
            case "points":
                return str(50 * (3 + luck.below(60)))
            case "last4" | "postcode":
                return str(1000 + luck.below(9000))
            case "version":
                return f"{2 + luck.below(6)}.{luck.below(10)}"
            case "phone_no":
                return f"0{300 + luck.below(600)} {100000 + luck.below(900000)}"
            case "street":
                return f"{1 + luck.below(98)} {self._word('streetname')}"
            case "name":
                return f"{self._word('firstname')} {self._word('surname')}"
            case "email":
                first, last = self._word("firstname"), self._word("surname")
                return f"{first}.{last}@mail.example".lower().replace("ë", "e")
            case _:
                return self._word(slot if slot in self._words else slot.rstrip("2"))

    def _word(self, kind: str) -> str:
        return self._luck.pick(self._words[kind])

    def _dressed(self, plain: str, details: Details, *, again: bool) -> str:
        """Put a wording into the dress of one writer: greeting, aside, closing, carelessness."""
        luck = self._luck
        body = self._reworded(plain) if again or luck.chance(0.3) else plain
        if luck.chance(0.06):
            stop = "" if body[-1] in ".!?" else "."
            body = f"{body}{stop} {self._word('aside')}"
        elif luck.chance(0.04):
            body = f"{self._word('aside')} {body}"
        if luck.chance(0.07):
            body = self._with_typo(body, details)
        if luck.chance(0.16) and body[-1] in SIGNS:
            body = body[:-1] + luck.pick(SIGNS[body[-1]])
        if luck.chance(0.3):
            body = f"{self._word('opening')} {body}"
        if luck.chance(0.26):
            stop = "" if body[-1] in ".!?" else "."
            body = f"{body}{stop} {self._word('closing')}"
        if luck.chance(0.05):
            body = body.replace("'", "").replace("I ", "i ")
            body = body[0].lower() + body[1:]
        return body

    def _reworded(self, text: str) -> str:
        """Swap some little words for others that say the same."""
        for word, other in SWAPS:
            if word in text and self._luck.chance(0.5):
                return text.replace(word, other, 1)
        return text

    def _with_typo(self, text: str, details: Details) -> str:
        """Swap two neighbouring letters within one longer word that is no detail."""
        told = " ".join(details.values()).split()
        words = text.split(" ")
        places = [n for n, w in enumerate(words) if len(w) > 5 and w.isalpha() and w not in told]
        if places:
            place = self._luck.pick(places)
            word = words[place]
            cut = 1 + self._luck.below(len(word) - 3)
            words[place] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
        return " ".join(words)


ODDITIES: list[list[Wordings]] = [
    [("ok", "ok", "ok", "OK.")],
    [("thanks", "thanks", "Thanks!")],
    [("👍",)],
    [("😡😡",)],
    [("🙏🙏🙏",)],
    [("...",)],
    [("=> see my message from last week, the hinge of the pantry door still squeaks",)],
    [("- no doorbell plate in the box\n- no answer to my letter\n- no idea what to do now",)],
    [
        (
            "Bonjour, le robinet de ma fontaine à eau goutte depuis son installation.",
            "Ma fontaine à eau a un robinet qui n'arrête pas de goutter depuis la pose.",
        ),
        ("Bonjour, le robinet de ma fontaine à eau ne goutte plus depuis son installation.",),
    ],
    [("Je cherche un abat-jour pour un lampadaire ancien, en vendez-vous encore ?",)],
    [
        (
            "Guten Tag, mein Gartenschlauch ist an der Kupplung undicht.",
            "An der Kupplung meines Gartenschlauchs tritt Wasser aus.",
        ),
    ],
    [("Haben Sie auch Vogelhäuschen aus Lärchenholz im Sortiment?",)],
    [
        ("你好,我买的雨伞打不开,可以换一把吗?", "雨伞撑不开了,能给我换新的吗?"),
        ("你好,我买的雨伞关不上,可以换一把吗?",),
    ],
    [("请问圣诞树灯串可以挂在室外吗?",)],
]


def _label(left: tuple[int, Message], right: tuple[int, Message]) -> Gold:
    (id1, one), (id2, other) = left, right
    if one.meaning != other.meaning:
        return Gold(id1, id2, "near-miss", 0)
    if one.text == other.text:
        return Gold(id1, id2, "copy", 1)
    alike = one.wording == other.wording or _letters(one.text) == _letters(other.text)
    return Gold(id1, id2, "near-copy" if alike else "paraphrase", 1)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "resources" / "demo")
