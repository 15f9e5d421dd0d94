"""What a person asked of a training, from the plain values of a wish."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from core.options import TrainOptions
from core.training import RecipeOptions
from core.workflows.lessons import Selection


@dataclass(frozen=True, slots=True)
class Asked:
    """`values` are options of the recipe and the loop by name; what is not there is as usual."""

    values: Mapping[str, Any] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)
    choices: Mapping[str, Any] = field(default_factory=dict)  # of the objective
    device: str = "auto"

    def plain(self) -> dict[str, Any]:
        """All of it as the values of a wish."""
        return {
            **self.values, "choices": dict(self.choices), "device": self.device,
            **asdict(self.selection),
        }  # fmt: skip  # one mapping


def asked_of(values: Mapping[str, Any]) -> Asked:
    """Read the values of a wish; names that are no options of a training are passed over."""
    known = {one.name for kind in (RecipeOptions, TrainOptions) for one in fields(kind)}
    files = values.get("files")
    return Asked(
        {name: value for name, value in values.items() if name in known},
        Selection(
            None if files is None else tuple(int(file) for file in files),
            bool(values.get("decisions", True)),
            _number(values.get("dev")),
            _number(values.get("test")),
        ),
        dict(values.get("choices") or {}),
        values.get("device") or "auto",
    )


def _number(told: Any) -> int | None:
    return None if told is None else int(told)
