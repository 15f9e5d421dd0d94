"""Every colour, distance and size of the window, named once."""

from dataclasses import dataclass
from typing import Final

XS: Final = 4
S: Final = 8
M: Final = 12
L: Final = 16
XL: Final = 24

RADIUS_SMALL: Final = 4  # tags, keycaps, checkboxes
RADIUS: Final = 6  # buttons, fields
RADIUS_LARGE: Final = 10  # cards, sheets

CONTROL_HEIGHT: Final = 32
ROW_HEIGHT: Final = 32
ICON: Final = 20
ICON_SMALL: Final = 16


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Text sizes in device-independent pixels."""

    meta: int = 11
    body: int = 13
    reading: int = 15
    title: int = 20


@dataclass(frozen=True, slots=True)
class Tone:
    """One meaning in three strengths: `mark` for shapes, `text` for words, `soft` behind them."""

    mark: str
    text: str
    soft: str


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one mode, each `#rrggbb`."""

    paper: str  # the page
    surface: str  # fields, cards, texts
    sunken: str  # rail, strips, wells
    ink: str
    muted: str  # second-rank words
    faint: str  # placeholders; still readable
    disabled: str
    line: str
    outline: str  # the edge of a control
    hover: str
    pressed: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_text: str
    selection: str
    same: Tone
    different: Tone
    unsure: Tone
    note: Tone
    plain: Tone
    highlight: str  # behind differing or found words
    highlight_line: str  # under them


LIGHT: Final = Colours(
    paper="#FBFAF7",
    surface="#FFFFFF",
    sunken="#F4F2ED",
    ink="#22262B",
    muted="#5A5F67",
    faint="#696E75",
    disabled="#A5A7A9",
    line="#E4E1DA",
    outline="#CBC7BE",
    hover="#EFEDE7",
    pressed="#E5E2DA",
    accent="#2F6FDE",
    accent_hover="#2560C8",
    on_accent="#FFFFFF",
    accent_text="#255CBD",
    selection="#DDE8FB",
    same=Tone("#2E8B57", "#1F6B42", "#E2F1E8"),
    different=Tone("#C8553D", "#9C3924", "#FAE8E3"),
    unsure=Tone("#B98900", "#735500", "#F8EFD6"),
    note=Tone("#2F6FDE", "#255CBD", "#E7EFFC"),
    plain=Tone("#8B8F95", "#53585F", "#EFEDE7"),
    highlight="#FCEDC2",
    highlight_line="#B98900",
)

DARK: Final = Colours(
    paper="#1B1D20",
    surface="#222529",
    sunken="#17191B",
    ink="#E7E5E0",
    muted="#A9ADB3",
    faint="#92979E",
    disabled="#63676D",
    line="#33373C",
    outline="#4A4F56",
    hover="#292D32",
    pressed="#32373D",
    accent="#7AA7FF",
    accent_hover="#93B7FF",
    on_accent="#10151F",
    accent_text="#8DB3FF",
    selection="#293D60",
    same=Tone("#4FB880", "#74CF9F", "#1F3529"),
    different=Tone("#E8806A", "#F49F8D", "#402722"),
    unsure=Tone("#D9AC3A", "#E8C468", "#3A3119"),
    note=Tone("#7AA7FF", "#9DBEFF", "#223250"),
    plain=Tone("#8B9097", "#B4B8BD", "#2D3136"),
    highlight="#4B3F1B",
    highlight_line="#D9AC3A",
)
