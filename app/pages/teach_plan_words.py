"""What a training will do, in sentences, before it starts."""

from app.look.words import count, counted, duration, file_size
from app.pages.teach_plan import Forecast
from core.options import FEWEST_TO_KEEP_ASIDE

Line = tuple[str, str]  # the name of an icon, a sentence


def plan_said(
    forecast: Forecast, encoder: str, *, hold: float, share: float, rounds: int | None
) -> list[Line]:
    """What a training does, in sentences with their icons."""
    lines = [("teach", f"The encoder practises on {_material(forecast)}{_rounds(rounds)}.")]
    if len(forecast.stages) > 1:
        lines.append(("sort", _stages(forecast)))
    left_out = left_out_said(forecast)
    if left_out:
        lines.append(("warning" if forecast.contradicted else "info", left_out))
    lines += [("info", words) for words in forecast.notes]
    lines.append(_hold(hold))
    lines.append(("check", _test(forecast, share)))
    lines += [("warning", words) for words in forecast.overlap]
    lines.append(("copy", f"A new encoder is made beside {encoder}, which stays as it is."))
    return lines


def left_out_said(forecast: Forecast) -> str:
    """Which judgements do not count and how many pairs remain; empty where all count."""
    said = []
    if forecast.contradicted:
        verb = "contradicts a newer one" if forecast.contradicted == 1 else "contradict newer ones"
        said.append(f"{counted(forecast.contradicted, 'pair')} {verb}")
    if forecast.repeated:
        verb = "repeats another" if forecast.repeated == 1 else "repeat others"
        said.append(f"{counted(forecast.repeated, 'pair')} {verb}")
    if not said:
        return ""
    is_one = forecast.contradicted + forecast.repeated == 1
    remain = f"{count(forecast.total)} {'remains' if forecast.total == 1 else 'remain'}"
    left_out = "it is left out" if is_one else "these are left out"
    return f"{' and '.join(said)}; {left_out}, and {remain}."


def cost_said(forecast: Forecast) -> str:
    """How long it takes and how much memory, as far as is known."""
    if forecast.seconds is None:
        return "The time is not known yet; it runs in the background."
    told = duration(forecast.seconds)
    said = f"{told[0].upper()}{told[1:]} on this machine, in the background."
    facts = [counted(forecast.steps, "step")] if forecast.steps else []
    if forecast.memory:
        facts.append(forecast.memory)
    return f"{said} {_sentence(', '.join(facts))}".strip()


def memory_fault(forecast: Forecast) -> str:
    """Why there is not the memory for it, and what helps; nothing where there is."""
    if forecast.memory_fits:
        return ""
    free = ""
    if forecast.memory_free is not None:
        free = f", and {file_size(forecast.memory_free)} are free"
    return (
        f"It takes {forecast.memory}{free}. Close other programs, choose a smaller batch, freeze "
        "layers, or compute twice to save memory."
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _hold(hold: float) -> Line:
    if hold <= 0:
        return "warning", "Nothing is held to what it knew: texts you never judged may move too."
    part = "Half" if abs(hold - 0.5) < 0.005 else f"{hold:.0%}".replace("%", " %")
    return (
        "lock",
        f"{part} of each step are other texts held to what it knew, so that the rest stays as it "
        "was.",
    )


def _stages(forecast: Forecast) -> str:
    told = [
        f"{stage.title} on {counted(stage.examples, 'example')} ({counted(stage.steps, 'step')})"
        for stage in forecast.stages
    ]
    return f"First {', then '.join(told)}."


def _material(forecast: Forecast) -> str:
    decisions = f"your {counted(forecast.judged, 'decision')}"
    imported = counted(forecast.imported, "imported example")
    if forecast.judged and forecast.imported:
        return f"{decisions} and {imported}"
    if forecast.imported:
        return imported
    return decisions if forecast.judged else "the examples that you decide or import"


def _rounds(rounds: int | None) -> str:
    return "" if rounds is None else f", {'once' if rounds == 1 else f'{rounds} times'}"


def _test(forecast: Forecast, share: float) -> str:
    noun = forecast.noun
    if forecast.verdict == "none":
        return (
            f"Where there are {FEWEST_TO_KEEP_ASIDE} {noun}s or more, some are kept aside to test "
            "it."
        )
    if forecast.verdict == "counting":
        return "Where there are enough of each kind, some are used to test it."
    if forecast.verdict == "too-few":
        return "There are too few to keep some aside for a test, so there will be no figure."
    if forecast.verdict == "cross-validated":
        return f"For the test it practises five times, each time without a fifth of the {noun}s."
    held = round(forecast.total * share) if forecast.held_out is None else forecast.held_out
    aside = f"{count(held)} of them {'is' if held == 1 else 'are'} kept aside to test it"
    if forecast.choosing:
        aside += f" and {count(forecast.choosing)} to choose the best moment"
    rest = forecast.total - held - forecast.choosing
    return f"{aside}; it practises on the other {count(rest)}."
