"""How the progress of long work is told: to any callable, or to a bar such as tqdm's."""

from __future__ import annotations

from typing import Any, Callable


def teller(progress: Any) -> Callable[[int, int], Any]:
    """What is called with what is done and with all that is to do: for a bar, its class or its ``update`` what moves it, else the
    callable itself."""
    if isinstance(progress, type) and hasattr(progress, "update"):
        return _Bar(progress)
    owner = getattr(progress, "__self__", None)
    if getattr(progress, "__name__", "") == "update" and _is_bar(owner):
        return _Bar(lambda total: owner)
    if _is_bar(progress):
        return _Bar(lambda total: progress)
    if not callable(progress):
        raise TypeError(f"progress is a callable or a bar such as tqdm's, and no {type(progress).__name__}")
    return progress


def _is_bar(what: Any) -> bool:
    return all(hasattr(what, name) for name in ("n", "total", "update", "refresh"))


class _Bar:
    """A bar that goes by steps, told where it is. One that was made here is closed at its end."""

    def __init__(self, make: Callable[..., Any]):
        self._make = make
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._make(total=total)
        bar = self._bar
        if bar.total != total or done < bar.n:
            # the next stage, with a number of its own
            if done < bar.n:
                bar.reset(total)
            bar.total = total
        bar.update(done - bar.n)
        bar.refresh()
        if done == total and isinstance(self._make, type):
            bar.close()
            self._bar = None
