"""The pages of the window, each made when it is first needed."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app import pages
from app.pages.page import Page
from app.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A page before it is made: what the rail shows of it, and where its class is."""

    name: str
    icon: str
    module: str
    kind: str  # the class, a `Page`
    on_rail: bool = True  # else it is opened by name, from another page or a menu

    @property
    def modules(self) -> list[str]:
        """The page's modules, the last of them the one with its class."""
        names = (f"{pages.__name__}.{found.name}" for found in pkgutil.iter_modules(pages.__path__))
        return [*(name for name in names if name.startswith(f"{self.module}_")), self.module]

    def load(self) -> type[Page]:
        """Import the class."""
        found: type[Page] = getattr(importlib.import_module(self.module), self.kind)
        return found


class PageShelf(Mapping[str, Page]):
    """Pages by name, those of the rail in its order.

    All of them are a second of imports and widgets, of which the window needs nothing before a
    project is open. They are made a little at a time while a worker opens one, and whole before
    it is open, so that no page misses what a project tells.
    """

    def __init__(
        self,
        plans: Sequence[PagePlan],
        workspace: Workspace,
        host: QWidget,
        *,
        take: Callable[[Page], None],
    ) -> None:
        """Make pages for `workspace` in `host`; each goes to `take` before anybody else has it."""
        self._plans = {plan.name: plan for plan in plans}
        self._pages: dict[str, Page] = {}
        self._workspace = workspace
        self._host = host
        self._take = take
        self._turns = self._make_all()
        self._timer = QTimer(host)
        self._timer.timeout.connect(self._do_turn)
        workspace.opening.connect(self._timer.start)
        workspace.opened.connect(self.complete)

    def __getitem__(self, name: str) -> Page:
        if name not in self._pages:
            page = self._plans[name].load()(self._workspace, self._host)
            self._pages[name] = page
            self._take(page)
        return self._pages[name]

    def __contains__(self, name: object) -> bool:
        return name in self._plans

    def __iter__(self) -> Iterator[str]:
        return iter(self._plans)

    def __len__(self) -> int:
        return len(self._plans)

    def complete(self) -> None:
        """Make the pages that are not made yet."""
        for _ in self._turns:
            pass
        self._timer.stop()

    def _do_turn(self) -> None:
        try:
            next(self._turns)
        except StopIteration:
            self._timer.stop()

    def _make_all(self) -> Iterator[None]:
        """Import a module or make a page with each turn."""
        for plan in self._plans.values():
            for name in plan.modules:
                importlib.import_module(name)
                yield
            self[plan.name]
            yield
