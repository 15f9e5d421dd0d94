"""How a training goes: the score on held-out pairs above, the training loss below."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.look.theme import set_role
from app.look.tokens import XS, S
from app.widgets.curve_charts import Charts, load_library
from app.widgets.curve_points import Curves
from app.widgets.elided import ElidedLabel

_ASK_EVERY_MS = 30
_GRACE_S = 0.01  # in which a library that is there already is found to be
EMPTY = "The curves are drawn here once the first steps are made."


def has_curves(loss: Sequence[Sequence[float]], held: Sequence[Sequence[float]]) -> bool:
    """Whether there is a line to draw; a single point is none."""
    return max(len(loss), len(held)) > 1


class CurvePlot(QWidget):
    """Draws points as they come; the best score is ringed, the first one a dashed line.

    The drawing library takes half a second to load, which is done on a thread when the plot
    is first shown. What is added before is drawn then.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves = Curves()
        self._score = "Score"
        self._total: int | None = None
        self._charts: Charts | None = None
        self._unready: Charts
        self._building: Iterator[None] | None = None
        self._loading: threading.Thread | None = None
        self._asking = QTimer(self)  # whether it is loaded, since no thread may outlive the plot
        self._asking.setInterval(_ASK_EVERY_MS)
        self._asking.timeout.connect(self._build_once_loaded)
        self._empty = QLabel(EMPTY)
        self._held_title, self._held_told = ElidedLabel(), QLabel()
        self._loss_title, self._loss_told = ElidedLabel("Training loss"), QLabel()
        self._held_head = QWidget()
        self._stack = QStackedWidget()
        self._column = QVBoxLayout()
        self._lay_out()
        self._show_words()

    @property
    def is_drawn(self) -> bool:
        """Whether the library is there and has drawn something."""
        return self._charts is not None and self._stack.currentIndex() == 1

    def begin(
        self,
        *,
        score: str,
        total: int | None = None,
        stages: Sequence[tuple[float, str]] = (),
        empty: str = EMPTY,
    ) -> None:
        """Start anew: `score` names what is measured on held-out examples, `total` the steps.

        `stages` are parts of the training, each with the step that it begins after and a name.
        """
        self.curves = Curves(total, stages)
        self._score, self._total = score, total
        self._empty.setText(empty)
        self._draw()

    def add_points(self, points: Iterable[Mapping[str, float]]) -> None:
        """Add what was measured: dicts of `step` with `loss`, `held_out` or both."""
        for point in points:
            self.curves.add(point)
        self._draw()

    def show_curves(
        self,
        loss: Sequence[Sequence[float]],
        held: Sequence[Sequence[float]],
        *,
        score: str,
        stages: Sequence[tuple[float, str]] = (),
    ) -> None:
        """Show a finished training's points, (step, loss) and (step, score)."""
        last = int(max((row[0] for row in (*loss, *held)), default=0))
        self.curves = Curves(last, stages)
        self._score, self._total = score, last
        points = [{"step": step, "loss": value} for step, value in loss]
        points += [{"step": step, "held_out": value, "held_step": step} for step, value in held]
        for point in sorted(points, key=lambda point: point["step"]):
            self.curves.add(point)
        self._draw()

    def expect(self, total: int | None) -> None:
        """Say how many steps there will be, once it is known."""
        if total != self._total:
            self._total = total
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._charts is not None:
            return
        if self._loading is None:
            self._loading = threading.Thread(target=load_library, daemon=True)
            self._loading.start()
            self._loading.join(_GRACE_S)
        self._build_once_loaded()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._asking.stop()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._charts is not None:
            self._charts.dress()

    def _build_once_loaded(self) -> None:
        if self._loading is not None and self._loading.is_alive():
            self._asking.start()
            return
        if self._building is None:
            self._unready = Charts()
            self._building = self._unready.build()
        if next(self._building, self) is None:
            self._asking.start()  # another part
            return
        self._asking.stop()
        self._charts = charts = self._unready
        self._column.insertWidget(1, charts.held, 3)
        self._column.addWidget(charts.loss, 2)
        charts.pointed.connect(self._show_words)
        self._draw()

    def _draw(self) -> None:
        self._show_words()
        if self._charts is not None and not self.curves.is_empty:
            self._held_head.setVisible(bool(self.curves.held))
            self._charts.draw(self.curves, self._total)
            self._stack.setCurrentIndex(1)
        else:
            self._stack.setCurrentIndex(0)

    def _show_words(self, step: float | None = None) -> None:
        """Say the latest figures, or those at the step under the mouse."""
        curves = self.curves
        self._held_title.setText(f"{self._score}, held out")
        if step is None:
            self._held_told.setText(curves.held_words())
            self._loss_told.setText(curves.loss_words())
        else:
            self._held_told.setText(curves.held_at(step))
            self._loss_told.setText(curves.loss_at(step))
        self.setAccessibleName(
            EMPTY
            if curves.is_empty
            else f"{self._held_title.text()}: {curves.held_words() or 'none yet'}. "
            f"Training loss: {curves.loss_words() or 'none yet'}."
        )

    def _lay_out(self) -> None:
        set_role(self._empty, "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        loss_head = QWidget()
        for head, title, told in (
            (self._held_head, self._held_title, self._held_told),
            (loss_head, self._loss_title, self._loss_told),
        ):
            set_role(title, "strong")
            set_role(told, "muted")
            row = QHBoxLayout(head)
            row.setContentsMargins(0, 0, XS, 0)
            row.setSpacing(S)
            row.addWidget(title, 1)
            row.addWidget(told)
        drawn = QWidget()
        self._column = QVBoxLayout(drawn)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._column.addWidget(self._held_head)
        self._column.addWidget(loss_head)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(drawn)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)
