"""Everything a training was made with, as lines of a name and a value."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from app.look.words import count, counted
from core.options import TrainOptions, choice_of
from core.store import TrainingRecord

Line = tuple[str, str]
_SPLITS = {"texts": "no text in common", "topic": "no topic in common"}


def settings_said(record: TrainingRecord) -> list[Line]:
    """The recipe, the examples, every setting and the machine of a training."""
    how, data, options = record.how, record.data, record.options
    asked = how.get("asked") or {}
    lines = [("Training", record.name), ("Made", record.made_at.replace("T", " ")[:16])]
    lines += _told("Recipe", how.get("title"))
    lines += _told("Objective", how.get("objective"))
    lines += [(f"  {_words(name)}", _value(value)) for name, value in _choices(asked).items()]
    lines += _parts(how.get("stages") or ())
    lines.append(("Began with", record.base_name))
    lines += _examples(data, asked)
    for field in fields(TrainOptions):
        if field.name in options:
            title = choice_of(TrainOptions, field.name).title
            value = options[field.name]
            if field.name == "epochs" and value is None:
                value = options.get("used_epochs")
            lines.append((title, _value(value)))
    for name, title in (("hard_negatives", "Hard negatives"), ("made", "Most made examples")):
        lines += _told(title, asked.get(name))
    lines += _told("Held out by", _SPLITS.get(str(asked.get("split"))))
    lines += _told("Device", how.get("device"))
    lines += _told("Threads", how.get("threads"))
    lines += [(f"{name}", str(version)) for name, version in (how.get("versions") or {}).items()]
    lines += _told("Base encoder's fingerprint", how.get("base_fingerprint"))
    return lines


def as_text(lines: Sequence[Line]) -> str:
    """The lines as text to be copied."""
    return "\n".join(f"{name.strip()}: {value}" for name, value in lines)


def is_repeatable(record: TrainingRecord) -> bool:
    """Whether its examples were kept, so that it can be done again."""
    return bool(record.how.get("lesson"))


def _examples(data: Mapping[str, Any], asked: Mapping[str, Any]) -> list[Line]:
    lines = []
    if data.get("decisions"):
        lines.append(("Decisions", count(int(data["decisions"]))))
    roles = {asked.get("dev"): "chose the best moment", asked.get("test"): "judged"}
    for file in data.get("files") or ():
        told = f"{counted(int(file['examples']), 'example')}, {file['kind']}"
        role = roles.get(file.get("file"))
        lines.append((str(file["name"]), f"{told}, {role}" if role else told))
    if data.get("trained_on"):
        lines.append(("Practised on", counted(int(data["trained_on"]), "example")))
    if data.get("held_out"):
        lines.append(("Held out", counted(int(data["held_out"]), "example")))
    return lines


def _parts(stages: Sequence[Mapping[str, Any]]) -> list[Line]:
    if len(stages) < 2:
        return []
    return [
        (f"Part {at}", f"{' and '.join(stage['titles'])}, {counted(int(stage['steps']), 'step')}")
        for at, stage in enumerate(stages, start=1)
    ]


def _choices(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    return asked.get("choices") or {}


def _told(title: str, value: Any) -> list[Line]:
    return [] if value in (None, "", 0) else [(title, _value(value))]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _value(value: Any) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.8f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)
