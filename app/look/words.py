"""Numbers, times and sizes as people say them."""

from datetime import datetime, timedelta

_SIZES = ("bytes", "kB", "MB", "GB", "TB")


def count(number: int) -> str:
    """`14640` → `14,640`."""
    return f"{number:,}"


def counted(number: int, one: str, many: str = "") -> str:
    """`3, "row"` → `3 rows`; `many` where adding an s is not enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def per_second(rate: float) -> str:
    """`412.3` → `412/s`; slow rates keep one figure after the point."""
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


def duration(seconds: float) -> str:
    """`364` → `about 6 min`, in the one or two units that matter."""
    if seconds < 1:
        return "less than a second"
    if seconds < 55:
        return f"about {_coarse(seconds)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {max(minutes, 1)} min"
    hours, rest = divmod(minutes, 60)
    if hours < 10 and rest >= 5:
        return f"about {hours} h {5 * round(rest / 5)} min" if rest < 58 else f"about {hours + 1} h"
    return f"about {round(minutes / 60)} h"


def remaining(seconds: float) -> str:
    """`14` → `about 14 s left`."""
    return f"{duration(seconds)} left"


def file_size(size: int) -> str:
    """`1_250_000` → `1.3 MB`, in powers of 1,000 as file managers show."""
    value = float(size)
    for unit in _SIZES:
        if value < 999.5 or unit == _SIZES[-1]:
            if unit == "bytes":
                return counted(size, "byte")
            return f"{value:.1f} {unit}" if value < 99.95 else f"{value:,.0f} {unit}"
        value /= 1000
    raise ValueError(size)


def percent(part: float, whole: float) -> str:
    """`11, 100` → `11 %`; small shares never round to nothing, nor large ones to all."""
    if whole <= 0 or part <= 0:
        return "0 %"
    share = 100 * part / whole
    if share < 1:
        return "under 1 %"
    return "over 99 %" if 99 < share < 100 else f"{share:.0f} %"


def relative_date(then: datetime, now: datetime) -> str:
    """`just now`, `5 min ago`, `today 14:05`, `yesterday`, `3 days ago`, `12 May 2024`."""
    ago = now - then
    if timedelta(0) <= ago < timedelta(minutes=1):
        return "just now"
    if timedelta(0) <= ago < timedelta(hours=1):
        return f"{ago.seconds // 60} min ago"
    days = (now.date() - then.date()).days
    if days == 0:
        return f"today {then:%H:%M}"
    if days == 1:
        return "yesterday"
    if 1 < days < 7:
        return f"{days} days ago"
    day = f"{then.day} {then:%b}"
    return day if then.year == now.year else f"{day} {then.year}"


def _coarse(seconds: float) -> int:
    """Seconds in steps that do not flicker: by one up to twenty, then by five."""
    return round(seconds) if seconds < 20 else 5 * round(seconds / 5)
