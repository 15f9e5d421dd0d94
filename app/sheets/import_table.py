"""The first rows of a file as they will be read, under headers that tell each column's role."""

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QBrush,
    QColor,
    QCursor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from app.look.icons import paint_icon
from app.look.theme import font, theme_of
from app.look.tokens import ROW_HEIGHT
from app.look.words import count
from app.sheets.import_plan import ROLES, Plan, SampleRow, role_of
from app.widgets.tags import Tag, ToneName, paint_tag, tag_size

_HEADER_ROOM = 26  # around its two lines
_PAD = 13
_WIDEST = 220
_TEXT_WIDTH = 380
_ROLE_WORDS = {"text": "Text", "id": "Id", "date": "Date", "keep": "Just keep"}
_ROLE_KEYS = {"text": "T", "id": "I", "date": "D", "keep": "K"}
_ROLE_TONES: dict[str, ToneName] = {"text": "note", "id": "same", "date": "unsure", "keep": "plain"}
_Index = QModelIndex | QPersistentModelIndex


class ImportTable(QTableView):
    """A preview whose headers are clicked, or whose columns take T, I, D and K, for a role."""

    role_wanted = Signal(str, str)  # column, role
    row_shown = Signal(int)  # place in the sample

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _SampleModel(self)
        self.setModel(self._model)
        self._header = _RoleHeader(self)
        self._header.menu_wanted.connect(self._open_menu)
        self.setHorizontalHeader(self._header)
        self.setAccessibleName("The first rows as they will be read")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        upright = self.verticalHeader()
        upright.setDefaultSectionSize(ROW_HEIGHT)
        upright.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        upright.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.selectionModel().currentRowChanged.connect(
            lambda now, _before: self.row_shown.emit(now.row())
        )

    def show_plan(self, plan: Plan) -> None:
        """Show the rows and roles of `plan`; the place and widths stay where columns stay."""
        same = self._model.columns == plan.inspected.reading.columns
        self._model.show_plan(plan)
        if not same:
            self._fit_columns(plan)
        if not self.currentIndex().isValid() and plan.inspected.sample:
            self.setCurrentIndex(self._model.index(0, 0))
        self._header.viewport().update()

    def choose_role(self, column: str) -> QMenu:
        """The menu of a column's roles, under its header."""
        return self._open_menu(self._model.columns.index(column))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex().column()
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        role = next((role for role, key in _ROLE_KEYS.items() if event.text().upper() == key), None)
        if at >= 0 and plain and role is not None:
            self.role_wanted.emit(self._model.columns[at], role)
        elif at >= 0 and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Menu):
            self._open_menu(at)
        else:
            super().keyPressEvent(event)

    def _open_menu(self, section: int) -> QMenu:
        column = self._model.columns[section]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for role in ROLES:
            action = QAction(f"{_ROLE_WORDS[role]}\t{_ROLE_KEYS[role]}", menu, checkable=True)
            action.setChecked(self._model.role(section) == role)
            action.triggered.connect(lambda _=False, role=role: self.role_wanted.emit(column, role))
            group.addAction(action)
            menu.addAction(action)
        left = self._header.sectionViewportPosition(section)
        menu.popup(self._header.viewport().mapToGlobal(QPoint(left, self._header.height())))
        return menu

    def _fit_columns(self, plan: Plan) -> None:
        metrics = self.fontMetrics()
        for at, name in enumerate(plan.inspected.reading.columns):
            cells = [row.cells[at] or "" for row in plan.inspected.sample[:20]]
            widest = max((metrics.horizontalAdvance(cell[:80]) for cell in cells), default=0)
            limit = _TEXT_WIDTH if role_of(plan, name) == "text" else _WIDEST
            wanted = max(widest + 2 * _PAD + 10, metrics.horizontalAdvance(name) + 52, 104)
            self.setColumnWidth(at, min(wanted, max(limit, 104)))


class _SampleModel(QAbstractTableModel):
    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._plan: Plan | None = None
        self.columns: tuple[str, ...] = ()
        self._rows: tuple[SampleRow, ...] = ()

    def show_plan(self, plan: Plan) -> None:
        same = self._plan is not None and self._plan.inspected is plan.inspected
        if same:
            self._plan = plan
            if self.columns and self._rows:
                corner = self.index(len(self._rows) - 1, len(self.columns) - 1)
                self.dataChanged.emit(self.index(0, 0), corner)
            return
        self.beginResetModel()
        self._plan = plan
        self.columns = plan.inspected.reading.columns
        self._rows = plan.inspected.sample
        self.endResetModel()

    def role(self, section: int) -> str:
        return "keep" if self._plan is None else role_of(self._plan, self.columns[section])

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        colours = theme_of(self._view).colours
        if role == Qt.ItemDataRole.DisplayRole:
            return " ⏎ ".join((row.cells[index.column()] or "")[:2000].splitlines())
        if role == Qt.ItemDataRole.ForegroundRole and self.role(index.column()) == "keep":
            return QBrush(QColor(colours.muted))
        if role == Qt.ItemDataRole.BackgroundRole and row.oddities:
            return QBrush(QColor(colours.unsure.soft))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return "; ".join(row.oddities)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self.columns[section]
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return f"{self.columns[section]}, {_ROLE_WORDS[self.role(section)]}"
            return None
        row = self._rows[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"⚠ {count(row.line)}" if row.oddities else count(row.line)
        if role == Qt.ItemDataRole.ToolTipRole and row.oddities:
            return f"Line {count(row.line)}: {'; '.join(row.oddities)}"
        return None


class _RoleHeader(QHeaderView):
    menu_wanted = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setMouseTracking(True)
        self.setHighlightSections(False)
        self.setStretchLastSection(True)
        self._pressed: QPoint | None = None

    def sizeHint(self) -> QSize:
        lines = self.fontMetrics().height() + QFontMetrics(font(theme_of(self), "body")).height()
        return QSize(super().sizeHint().width(), lines + _HEADER_ROOM)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        spot = event.position().toPoint()
        section = self.logicalIndexAt(spot)
        resizing = self.cursor().shape() == Qt.CursorShape.SplitHCursor
        still = self._pressed is not None and (spot - self._pressed).manhattanLength() < 6
        if section >= 0 and still and not resizing:
            self.menu_wanted.emit(section)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: Any, section: int) -> None:
        model = self.model()
        if not isinstance(model, _SampleModel):
            return
        theme = theme_of(self)
        role = model.role(section)
        pointer = self.viewport().mapFromGlobal(QCursor.pos())
        hot = self.underMouse() and rect.contains(pointer)
        painter.save()
        painter.fillRect(rect, QColor(theme.colours.hover if hot else theme.colours.paper))
        painter.setPen(QColor(theme.colours.line))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        bold = font(theme, "body", bold=role != "keep")
        painter.setFont(bold)
        painter.setPen(QColor(theme.colours.ink if role != "keep" else theme.colours.muted))
        name = QRectF(rect).adjusted(_PAD, 6, -_PAD, 0)
        name.setHeight(painter.fontMetrics().height())
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(
            model.columns[section], Qt.TextElideMode.ElideRight, int(name.width())
        )
        painter.drawText(name, int(Qt.AlignmentFlag.AlignVCenter), shown)
        tag = Tag(_ROLE_WORDS[role], _ROLE_TONES[role])
        size = tag_size(tag, theme)
        top = rect.bottom() - 8 - size.height()
        where = QRectF(rect.left() + _PAD, top, size.width(), size.height())
        paint_tag(painter, where, tag, theme)
        arrow = QRectF(where.right() + 4, where.center().y() - 7, 14, 14)
        if arrow.right() < rect.right():
            paint_icon(painter, arrow, "chevron-down", theme.colours.muted)
        painter.restore()
