"""The one style sheet, built from the tokens."""

from app.look.tokens import (
    CONTROL_HEIGHT,
    RADIUS,
    RADIUS_LARGE,
    RADIUS_SMALL,
    Colours,
    TypeScale,
)


def style_sheet(mode: str, colours: Colours, sizes: TypeScale) -> str:
    """The sheet for `mode` (`light` or `dark`, which also names the drawn marks)."""
    parts = (_texts, _buttons, _fields, _marks, _views, _bars, _menus, _panels)
    return "\n".join(part(mode, colours, sizes) for part in parts)


def _texts(_mode: str, c: Colours, sizes: TypeScale) -> str:
    return f"""
QLabel {{ background: transparent; }}
QLabel[role="title"] {{ font-size: {sizes.title}px; font-weight: 600; color: {c.ink}; }}
QLabel[role="reading"] {{ font-size: {sizes.reading}px; color: {c.ink}; }}
QLabel[role="strong"] {{ font-weight: 600; color: {c.ink}; }}
QLabel[role="muted"] {{ color: {c.muted}; }}
QLabel[role="warning"] {{ color: {c.unsure.text}; font-weight: 600; }}
QLabel[role="meta"] {{ font-size: {sizes.meta}px; color: {c.muted}; }}
QLabel[role="heading"] {{ font-size: {sizes.meta}px; font-weight: 600; color: {c.muted}; }}
QLabel:disabled {{ color: {c.disabled}; }}
QToolTip {{ background: {c.surface}; color: {c.ink}; border: 1px solid {c.outline};
  padding: 5px 8px; }}
"""


def _buttons(_mode: str, c: Colours, sizes: TypeScale) -> str:
    height = CONTROL_HEIGHT - 4
    return f"""
QPushButton {{ background: {c.surface}; color: {c.ink}; border: 1px solid {c.outline};
  border-radius: {RADIUS}px; padding: 0 14px; margin: 1px; min-height: {height}px; }}
QPushButton:hover {{ background: {c.hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {c.pressed}; }}
QPushButton:focus {{ border: 2px solid {c.accent}; margin: 0; }}
QPushButton:disabled {{ color: {c.disabled}; background: {c.paper}; border-color: {c.line}; }}
QPushButton[role="primary"] {{ background: {c.accent}; color: {c.on_accent};
  border-color: {c.accent}; font-weight: 600; }}
QPushButton[role="primary"]:hover, QPushButton[role="primary"]:pressed {{
  background: {c.accent_hover}; border-color: {c.accent_hover}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {c.ink}; }}
QPushButton[role="primary"]:disabled {{ background: {c.pressed}; color: {c.disabled};
  border-color: {c.pressed}; }}
QPushButton[role="danger"] {{ color: {c.different.text}; border-color: {c.different.mark}; }}
QPushButton[role="danger"]:hover {{ background: {c.different.soft}; }}
QPushButton[role="quiet"], QToolButton {{ background: transparent; color: {c.ink};
  border: 1px solid transparent; border-radius: {RADIUS}px; margin: 1px; }}
QPushButton[role="quiet"] {{ padding: 0 10px; }}
QToolButton {{ padding: 4px 6px; }}
QPushButton[role="quiet"]:hover, QToolButton:hover {{ background: {c.hover}; }}
QPushButton[role="quiet"]:pressed, QToolButton:pressed, QToolButton:checked {{
  background: {c.pressed}; }}
QPushButton[role="quiet"]:focus, QToolButton:focus {{ border: 2px solid {c.accent}; margin: 0; }}
QPushButton[role="quiet"]:disabled, QToolButton:disabled {{ color: {c.disabled}; }}
QPushButton[role="link"] {{ background: transparent; color: {c.accent_text};
  border: 1px solid transparent; padding: 0 4px; min-height: 22px; }}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border: 2px solid {c.accent}; margin: 0; }}
QPushButton[role="fact"] {{ background: transparent; color: {c.muted};
  border: 1px solid transparent; padding: 0 5px; min-height: 22px; }}
QPushButton[role="fact"]:hover {{ color: {c.ink}; background: {c.hover}; }}
QPushButton[role="fact"]:focus {{ border: 2px solid {c.accent}; margin: 0; }}
QPushButton[role="fact"][state="stale"], QPushButton[role="fact"][state="warning"] {{
  color: {c.unsure.text}; }}
QToolButton[role="opener"]:checked {{ background: transparent; }}
QToolButton[role="fold"] {{ padding: 4px 6px 4px 0; }}
QToolButton[role="project"] {{ font-size: {sizes.reading}px; font-weight: 600;
  padding: 4px 8px; }}
QToolButton[role="chip"] {{ background: {c.note.soft}; color: {c.note.text}; padding: 2px 6px; }}
QToolButton[role="chip"]:hover {{ background: {c.selection}; }}
QToolButton::menu-indicator {{ image: none; }}
QPushButton::menu-indicator {{ image: none; }}
"""


def _fields(mode: str, c: Colours, _sizes: TypeScale) -> str:
    return f"""
QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit, QTextEdit, QDateEdit {{
  background: {c.surface}; color: {c.ink}; border: 1px solid {c.outline};
  border-radius: {RADIUS}px; margin: 1px; selection-background-color: {c.selection};
  selection-color: {c.ink}; }}
QLineEdit, QComboBox {{ padding: 0 9px; }}
QAbstractSpinBox {{ qproperty-alignment: AlignRight; min-height: {CONTROL_HEIGHT - 7}px; }}
QLineEdit, QComboBox {{ min-height: {CONTROL_HEIGHT - 4}px; }}
QAbstractSpinBox QLineEdit {{ border: none; background: transparent; padding: 0; margin: 0;
  min-height: 0; }}
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus,
QTextEdit:focus {{ border: 2px solid {c.accent}; margin: 0; }}
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {c.disabled};
  background: {c.paper}; border-color: {c.line}; }}
QTextEdit[role="reading"] {{ border: none; margin: 0; border-radius: 0; background: transparent; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow {{ image: url(controls:down-{mode}.svg); width: 16px; height: 16px; }}
QComboBox QAbstractItemView {{ background: {c.surface}; border: 1px solid {c.outline};
  padding: 4px; outline: none; }}
QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 8px;
  border-radius: {RADIUS_SMALL}px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: 20px;
  background: transparent; }}
QAbstractSpinBox::up-arrow {{ image: url(controls:up-{mode}.svg); width: 14px; height: 14px; }}
QAbstractSpinBox::down-arrow {{ image: url(controls:down-{mode}.svg); width: 14px;
  height: 14px; }}
"""


def _marks(mode: str, c: Colours, _sizes: TypeScale) -> str:
    return f"""
QCheckBox, QRadioButton {{ spacing: 8px; color: {c.ink}; background: transparent;
  padding: 3px 2px; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {c.disabled}; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: 16px; height: 16px;
  border: 1px solid {c.plain.mark}; background: {c.surface}; }}
QCheckBox::indicator {{ border-radius: {RADIUS_SMALL}px; }}
QRadioButton::indicator {{ border-radius: 9px; }}
QCheckBox::indicator:hover, QRadioButton::indicator:hover {{ border-color: {c.accent}; }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border: 2px solid {c.accent};
  width: 14px; height: 14px; }}
QCheckBox:focus, QRadioButton:focus {{ color: {c.accent_text}; }}
QCheckBox::indicator:checked, QCheckBox::indicator:indeterminate,
QRadioButton::indicator:checked {{ background: {c.accent}; border-color: {c.accent}; }}
QCheckBox::indicator:checked {{ image: url(controls:check-{mode}.svg); }}
QCheckBox::indicator:indeterminate {{ image: url(controls:dash-{mode}.svg); }}
QRadioButton::indicator:checked {{ image: url(controls:dot-{mode}.svg); }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {c.line};
  background: {c.paper}; }}
QSlider {{ min-height: 24px; background: transparent; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {c.line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {c.accent}; }}
QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
  background: {c.surface}; border: 1px solid {c.plain.mark}; }}
QSlider::handle:horizontal:hover {{ border-color: {c.accent}; }}
QSlider::handle:horizontal:focus {{ border: 2px solid {c.accent}; width: 12px; height: 12px; }}
QProgressBar {{ background: {c.line}; border: none; border-radius: 3px; max-height: 6px;
  min-height: 6px; text-align: center; color: transparent; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
"""


def _views(mode: str, c: Colours, sizes: TypeScale) -> str:
    return f"""
QAbstractItemView {{ background: {c.surface}; color: {c.ink}; border: 1px solid {c.line};
  outline: none; selection-background-color: {c.selection}; selection-color: {c.ink}; }}
QAbstractItemView:focus {{ border: 1px solid {c.accent}; }}
QAbstractItemView[role="flush"], QAbstractItemView[role="flush"]:focus {{ border: none; }}
QTableView {{ gridline-color: {c.line}; }}
QTableView::item {{ border: none; border-bottom: 1px solid {c.line}; padding: 0 10px; }}
QListView::item, QTreeView::item {{ min-height: 30px; padding: 0 8px; border: none; }}
QTableView::item:hover, QListView::item:hover, QTreeView::item:hover {{ background: {c.hover}; }}
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected {{
  background: {c.selection}; color: {c.ink}; }}
QTreeView::branch:closed:has-children {{ image: url(controls:right-{mode}.svg); }}
QTreeView::branch:open:has-children {{ image: url(controls:down-{mode}.svg); }}
QListWidget[role="bare"] {{ background: transparent; border: none; }}
QListWidget[role="bare"]::item {{ border-radius: {RADIUS}px; }}
QListWidget[role="sections"] {{ background: {c.sunken}; border: none;
  border-right: 1px solid {c.line}; padding: 12px 8px; }}
QListWidget[role="sections"]::item {{ min-height: 34px; border-radius: {RADIUS}px; }}
QHeaderView {{ background: {c.paper}; border: none; }}
QHeaderView::section {{ background: {c.paper}; color: {c.muted}; border: none;
  border-bottom: 1px solid {c.line}; padding: 0 13px; min-height: 30px;
  font-size: {sizes.meta}px; font-weight: 600; }}
QHeaderView::section:hover {{ color: {c.ink}; background: {c.hover}; }}
QHeaderView::down-arrow {{ image: url(controls:down-{mode}.svg); width: 14px; height: 14px; }}
QHeaderView::up-arrow {{ image: url(controls:up-{mode}.svg); width: 14px; height: 14px; }}
QTableCornerButton::section {{ background: {c.paper}; border: none; }}
"""


def _bars(_mode: str, c: Colours, _sizes: TypeScale) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {c.outline}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:vertical {{ min-height: 36px; }}
QScrollBar::handle:horizontal {{ min-width: 36px; }}
QScrollBar::handle:hover {{ background: {c.plain.mark}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; background: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QSplitter::handle {{ background: {c.line}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
QSplitter::handle:hover {{ background: {c.accent}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
QTabBar {{ background: transparent; qproperty-drawBase: 0; }}
QTabWidget[role="side"]::tab-bar {{ left: 12px; }}
QTabBar::tab {{ background: transparent; color: {c.muted}; padding: 8px 4px 7px;
  margin-right: 18px; border: none; border-bottom: 2px solid transparent; }}
QTabBar::tab:hover {{ color: {c.ink}; }}
QTabBar::tab:selected {{ color: {c.ink}; font-weight: 600; border-bottom-color: {c.accent}; }}
QTabBar::tab:focus {{ color: {c.accent_text}; }}
"""


def _menus(mode: str, c: Colours, _sizes: TypeScale) -> str:
    return f"""
QMenuBar {{ background: {c.paper}; color: {c.ink}; border-bottom: 1px solid {c.line};
  padding: 2px 6px; }}
QMenuBar::item {{ background: transparent; padding: 5px 9px; border-radius: {RADIUS_SMALL}px; }}
QMenuBar::item:selected {{ background: {c.hover}; }}
QMenu {{ background: {c.surface}; color: {c.ink}; border: 1px solid {c.outline}; padding: 5px; }}
QMenu::item {{ padding: 6px 22px 6px 10px; border-radius: {RADIUS_SMALL}px; }}
QMenu::item:selected {{ background: {c.selection}; }}
QMenu::item:disabled {{ color: {c.disabled}; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::separator {{ height: 1px; background: {c.line}; margin: 5px 8px; }}
QMenu::indicator {{ width: 16px; height: 16px; margin-left: 6px; }}
QMenu::indicator:checked {{ image: url(controls:check-{_opposite(mode)}.svg); }}
"""


def _panels(_mode: str, c: Colours, _sizes: TypeScale) -> str:
    return f"""
QMainWindow, QDialog {{ background: {c.paper}; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollArea > QWidget > QWidget[role="clear"] {{ background: transparent; }}
QFrame[role="card"] {{ background: {c.surface}; border: 1px solid {c.line};
  border-radius: {RADIUS_LARGE}px; }}
QFrame[role="bar"] {{ background: {c.paper}; border: none; border-bottom: 1px solid {c.line}; }}
QFrame[role="strip"] {{ background: {c.sunken}; border: none; border-top: 1px solid {c.line}; }}
QFrame[role="rail"] {{ background: {c.sunken}; border: none; border-right: 1px solid {c.line}; }}
QFrame[role="line"] {{ background: {c.line}; border: none; max-height: 1px; min-height: 1px; }}
QFrame[role="upright"] {{ background: {c.line}; border: none; max-width: 1px; min-width: 1px; }}
QGroupBox {{ border: none; margin-top: 24px; font-weight: 600; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 0; color: {c.ink}; }}
QStatusBar {{ background: {c.sunken}; color: {c.muted}; }}
"""


def _opposite(mode: str) -> str:
    return "dark" if mode == "light" else "light"
