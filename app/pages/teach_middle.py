"""What the middle of the teach page shows: the card that is chosen decides."""

from app.pages.teach_plan import stages_of
from app.pages.teach_practice import Standing
from app.pages.teach_reads import Material
from app.pages.teach_view import TeachView
from app.pages.teach_words import metric_of
from app.widgets.curve_plot import has_curves
from core.store import TrainingRecord


class Middle:
    """Shows the next training, the one that runs, or what a card tells."""

    def __init__(self, view: TeachView) -> None:
        self._view = view
        self._shown: tuple[str, int] | None = None

    def begin(self, *, metric: str, stages: list[tuple[float, str]]) -> None:
        """Clear the live curves for a training that starts."""
        score = metric_of({"metric": metric})
        self._view.live_plot.begin(score=score, stages=stages)

    def show_standing(self, standing: Standing) -> None:
        """Show where the training is that runs."""
        if standing.state == "idle":
            self._view.runs.new.show_standing("")
            return
        self._view.running.show_standing(standing)
        self._view.runs.new.show_standing(self._view.running.figures)
        if standing.unit == "steps":
            self._view.live_plot.expect(standing.total)

    def show(self, material: Material | None, *, is_running: bool) -> None:
        """Show what belongs to the chosen card."""
        view, runs = self._view, self._view.runs
        if material is not None and runs.chosen is not None:
            self._show_result(runs.chosen, material)
        elif runs.interrupted is not None:
            view.other.show_interrupted(runs.interrupted)
            view.show_middle("interrupted")
        elif material is not None and material.first is not None and runs.is_first_chosen:
            is_in_use = material.in_use is None
            view.other.show_first(material.first.base_name, is_in_use=is_in_use)
            view.show_middle("first")
        else:
            view.show_middle("running" if is_running else "lesson")
        if runs.card.key != self._shown:
            self._shown = runs.card.key
            view.scroll_to_top()

    def _show_result(self, record: TrainingRecord, material: Material) -> None:
        view = self._view
        view.result.show_record(record, is_in_use=material.is_in_use(record))
        plot = has_curves(record.curve, record.held_curve)
        if plot:
            view.plot.show_curves(
                record.curve, record.held_curve, score=metric_of(record.figures),
                stages=stage_bounds(record.figures.get("stages") or record.how.get("stages")),
            )  # fmt: skip
        view.show_middle("result", plot=plot)


def stage_bounds(told: object) -> list[tuple[float, str]]:
    """Where the stages of a training begin, and their names, from the plain values."""
    return [(float(stage.first_step), stage.title) for stage in stages_of(told or ())]
