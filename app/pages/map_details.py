"""What a cluster is made of: keywords, typical texts, and how it spreads over a column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import current_theme, font, set_role
from app.look.tokens import XS, L, M, S
from app.look.words import count, counted, percent
from app.pages.corpus_links import Link, LinkSection, section_heading
from app.pages.duplicates_bar import QuietCombo
from app.pages.map_reads import Unreadable, safely
from app.widgets.shown_text import visible
from app.workspace import Workspace
from core.store import ClusterRow, CrossTable, Project

_EXEMPLARS = 5
_VALUES = 8
_LINE = 26


@dataclass(frozen=True, slots=True)
class Share:
    """One value of a column in a cluster, beside its share of the whole corpus."""

    value: str
    rows: int
    part: float  # of the cluster's rows
    overall: float  # of all rows


class ClusterDetails(QScrollArea):
    """One cluster in full; what it says is read when it is shown."""

    text_wanted = Signal(int)  # a typical text was clicked

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._cluster: ClusterRow | None = None
        self._rows = 0
        self._crossed: tuple[str, CrossTable] | None = None
        self._title = QLabel()
        self._facts = QLabel()
        self._keywords = QLabel()
        self._typical = LinkSection("Typical texts")
        self.column = QuietCombo()
        self.shares = ShareBars()
        self._spread = QWidget()
        self._lay_out()
        self._typical.document_wanted.connect(self.text_wanted)
        self.column.currentIndexChanged.connect(lambda _at: self._read_spread())

    @property
    def cluster(self) -> ClusterRow | None:
        return self._cluster

    def show_columns(self, names: Sequence[str]) -> None:
        """Offer the columns that a cluster can be spread over."""
        known = [self.column.itemText(at) for at in range(self.column.count())]
        if known == list(names):
            return
        chosen = self.column.currentText()
        self.column.blockSignals(True)
        self.column.clear()
        self.column.addItems(list(names))
        self.column.setCurrentIndex(max(self.column.findText(chosen), 0))
        self.column.blockSignals(False)
        self._spread.setVisible(bool(names))

    def show_cluster(self, cluster: ClusterRow | None, rows: int) -> None:
        """Show a cluster of a corpus with so many rows; none: say how to choose one."""
        is_other = cluster != self._cluster
        self._cluster, self._rows = cluster, rows
        self._show_words()
        if is_other and self.isVisible():
            self.refresh()

    def forget_spread(self) -> None:
        """Other clusters or rows: count anew."""
        self._crossed = None

    def refresh(self) -> None:
        """Read what stands on the page."""
        cluster = self._cluster
        if cluster is None:
            return
        wanted = cluster.exemplars[:_EXEMPLARS]
        self._workspace.read(
            "map.exemplars",
            safely(lambda project: _read_openings(project, wanted)),
            self._show_typical,
        )
        self._read_spread()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]  # Qt's own event
        self.refresh()

    def _show_words(self) -> None:
        cluster = self._cluster
        is_one = cluster is not None
        for part in (self._facts, self._keywords, self._typical, self._spread):
            part.setVisible(is_one)
        self._spread.setVisible(is_one and self.column.count() > 0)
        if cluster is None:
            self._title.setText("Choose a cluster to see what it is made of.")
            set_role(self._title, "muted")
            self._typical.show_links([])
            return
        set_role(self._title, "reading")
        self._title.setText(visible(cluster.name))
        facts = [counted(cluster.rows, "row"), f"{percent(cluster.rows, self._rows)} of all"]
        if cluster.texts != cluster.rows:
            facts.insert(1, counted(cluster.texts, "text"))
        if cluster.is_excluded:
            facts.append("excluded")
        if cluster.by_hand:
            facts.append("changed by hand")
        self._facts.setText(" · ".join(facts))
        self._keywords.setText(visible("   ".join(cluster.keywords)))
        # Without a name of its own a cluster is called by its keywords already.
        self._keywords.setVisible(bool(cluster.keywords) and cluster.is_named)

    def _show_typical(self, found: list[tuple[int, str]] | Unreadable) -> None:
        if not isinstance(found, Unreadable):
            self._typical.show_links([Link(text, "", body) for text, body in found])

    def _read_spread(self) -> None:
        name = self.column.currentText()
        if self._cluster is None or not name or not self.isVisible():
            return
        if self._crossed is not None and self._crossed[0] == name:
            self._show_spread(self._crossed)
            return
        self._workspace.read(
            "map.cross",
            safely(lambda project: (name, project.clusters.cross_table(name))),
            self._show_spread,
        )

    def _show_spread(self, found: tuple[str, CrossTable] | Unreadable) -> None:
        if isinstance(found, Unreadable) or found[0] != self.column.currentText():
            return
        self._crossed = found
        cluster = self._cluster
        if cluster is not None:
            self.shares.show_shares(shares_of(found[1], cluster.number))

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.column.setAccessibleName("Column to spread the cluster over")
        for label in (self._title, self._facts, self._keywords):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_role(self._facts, "muted")
        set_role(self._keywords, "muted")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(section_heading("Spread over"))
        head.addWidget(self.column, 1)
        inner = QVBoxLayout(self._spread)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(XS)
        inner.addLayout(head)
        inner.addWidget(self.shares)
        body = QWidget()
        set_role(body, "clear")
        column = QVBoxLayout(body)
        column.setContentsMargins(M, M, M, L)
        column.setSpacing(XS)
        column.addWidget(self._title)
        column.addWidget(self._facts)
        column.addWidget(self._keywords)
        column.addSpacing(S)
        column.addWidget(self._typical)
        column.addSpacing(S)
        column.addWidget(self._spread)
        column.addStretch(1)
        self.setWidget(body)


class ShareBars(QWidget):
    """A bar for each value; the small mark on it is the share of the whole corpus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[Share, ...] = ()
        self.setToolTip("Bar: share of this cluster. Mark: share of all rows.")

    @property
    def shares(self) -> tuple[Share, ...]:
        return self._shares

    def show_shares(self, shares: Sequence[Share]) -> None:
        self._shares = tuple(shares)
        told = (f"{one.value}: {count(one.rows)} rows, {one.part:.0%}" for one in shares)
        self.setAccessibleName("Spread of the cluster")
        self.setAccessibleDescription("; ".join(told))
        self.setFixedHeight(max(len(self._shares) * _LINE, _LINE))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, max(len(self._shares) * _LINE, _LINE))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colours = theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(theme, "meta"))
        metrics = QFontMetricsF(painter.font())
        names = min(0.38 * self.width(), 150.0)
        rows, shares = (metrics.horizontalAdvance(one) + S for one in ("88,888", "under 1 %"))
        figures = rows + shares
        track = QRectF(names + S, 0, self.width() - names - figures - 2 * S, 6)
        longest = max([max(one.part, one.overall) for one in self._shares], default=1.0) or 1.0
        middle = Qt.AlignmentFlag.AlignVCenter
        for at, one in enumerate(self._shares):
            line = QRectF(0, at * _LINE, self.width(), _LINE)
            painter.setPen(QColor(colours.ink if one.value else colours.muted))
            words = metrics.elidedText(
                visible(one.value or "empty"), Qt.TextElideMode.ElideRight, names
            )
            painter.drawText(QRectF(0, line.top(), names, _LINE), middle, words)
            bar = QRectF(track)
            bar.moveTop(line.center().y() - 3)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(bar, 3, 3)
            bar.setWidth(max(track.width() * one.part / longest, 2.0))
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(bar, 3, 3)
            mark = track.left() + track.width() * one.overall / longest
            painter.setPen(QPen(QColor(colours.ink), 1.5))
            spot = line.center().y()
            painter.drawLine(QPointF(mark, spot - 6), QPointF(mark, spot + 6))
            painter.setPen(QColor(colours.muted))
            right = middle | Qt.AlignmentFlag.AlignRight
            share = percent(one.rows, one.rows / one.part if one.part else 0)
            painter.drawText(QRectF(self.width() - figures, line.top(), rows, _LINE), right,
                             count(one.rows))  # fmt: skip
            painter.drawText(QRectF(self.width() - shares, line.top(), shares, _LINE), right, share)


def shares_of(table: CrossTable, cluster: int) -> tuple[Share, ...]:
    """The values most frequent in the cluster, with the share they have of all rows."""
    if cluster not in table.clusters:
        return ()
    counts = table.rows[table.clusters.index(cluster)]
    overall = table.rows.sum(axis=0)
    total, everything = int(counts.sum()), int(overall.sum())
    ranked = [at for at in np.argsort(-counts, kind="stable") if counts[at]][:_VALUES]
    return tuple(
        Share(table.values[at], int(counts[at]), counts[at] / total, overall[at] / everything)
        for at in ranked
    )


def _read_openings(project: Project, texts: Sequence[int]) -> list[tuple[int, str]]:
    found = project.documents.first_of_texts(texts)
    return [(text, found[text].body[:300]) for text in texts if text in found]
