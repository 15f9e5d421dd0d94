"""Steps carried through inside other steps while somebody asks for `Enough`."""

from collections.abc import Callable

from core.progress import Enough, Outcome, Progress, Steps


def unmoved(steps: Steps[Outcome]) -> Steps[Outcome]:
    """Carry `steps` through although `Enough` is thrown: what they do ends the work anyway."""
    try:
        while True:
            try:
                progress = next(steps)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            try:
                yield progress
            except Enough:
                continue
    finally:
        steps.close()


def titled(steps: Steps[Outcome], title: str) -> Steps[Outcome]:
    """Carry `steps` through under one title, without figures, handing on what is thrown."""
    return retold(steps, lambda one: Progress(title, one.done, one.total, one.unit))


def retold(steps: Steps[Outcome], tell: Callable[[Progress], Progress]) -> Steps[Outcome]:
    """Carry `steps` through with each progress as `tell` has it, handing on what is thrown."""
    try:
        progress = next(steps)
        while True:
            try:
                yield tell(progress)
            except Enough as enough:
                progress = steps.throw(enough)
            else:
                progress = next(steps)
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome
    finally:
        steps.close()
