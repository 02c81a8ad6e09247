"""Schedulers that are Python classes: how a study names them.

A scheduler is a class, or an object, with ``round(view, actions)``. For each run there is a new one: of a class its
``cls()``, of an object a deep copy.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from typing import Any, Protocol, runtime_checkable

from . import _packfair
from ._packfair import Actions, Job, Profile, View

__all__ = ["Actions", "Job", "Profile", "Scheduler", "View", "notation"]

# longer texts are cut: the engine takes 20,000 bytes
_MOST_LETTERS = 4_000
_numbers = itertools.count(2)
_texts: dict[str, type] = {}


@runtime_checkable
class Scheduler(Protocol):
    """What a scheduler has to have; ``arrived(job, view)`` and ``completed(job, view)`` may be there too."""

    def round(self, view: View, actions: Actions) -> None:
        """Starts what is to start now. Called whenever a job arrives or ends, or a time that was asked for has come."""


def notation(scheduler: Any) -> str:
    """The notation of a scheduler for a study: of a str that itself, of a class or an object one for this process.

    Raises ValueError if it is no scheduler.
    """
    return notations(scheduler, [])[0]


def notations(schedulers: Any, own: list[tuple[str, str, Any]]) -> list[str]:
    """The notations of one or several schedulers. ``own`` gets name, text and scheduler of each that is no str."""
    several = not isinstance(schedulers, (str, type)) and not _decides(schedulers) and hasattr(schedulers, "__iter__")
    notations = []
    for scheduler in schedulers if several else [schedulers]:
        if isinstance(scheduler, str):
            notations.append(str(scheduler))
            continue
        name, text = described(scheduler)
        own.append((name, text, scheduler))
        notations.append(_packfair.scheduler_notation(name, text, factory(scheduler)))
    return notations


def _decides(scheduler: Any) -> bool:
    # arrays have such a function too
    return callable(getattr(scheduler, "round", None)) and not hasattr(scheduler, "dtype")


def factory(scheduler: Any):
    """What makes the scheduler of a run."""
    if inspect.isclass(scheduler):
        return scheduler
    return lambda: copy.deepcopy(scheduler)


def described(scheduler: Any) -> tuple[str, str]:
    """The name of a scheduler, and a text that no other scheduler of this process has."""
    cls = scheduler if inspect.isclass(scheduler) else type(scheduler)
    if not _decides(scheduler):
        raise ValueError(
            f"{cls.__name__} is no scheduler: it has no `def round(self, view, actions)`; give it one, or name one of the catalogue"
        )
    name = str(getattr(scheduler, "name", None) or cls.__name__)
    try:
        text = inspect.cleandoc(inspect.getsource(cls))
    except (OSError, TypeError):
        text = f"class {cls.__qualname__}: ..."
    if not inspect.isclass(scheduler):
        state = ", ".join(f"{key}={value!r}" for key, value in getattr(scheduler, "__dict__", {}).items())
        text += f"\n\n# {cls.__name__}({state})"
    is_cut = len(text) > _MOST_LETTERS
    text = "".join(letter for letter in text[:_MOST_LETTERS] if letter in "\n\t" or letter.isprintable())
    # of the same class with the same settings there is one
    first = text
    while text in _texts and (is_cut or _texts[text] is not cls):
        text = f"{first}\n# {next(_numbers)}"
    _texts[text] = cls
    return name, text
