"""Runs of a study on the workers of any executor of ``concurrent.futures``."""

from __future__ import annotations

import itertools
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from typing import Any, Callable

from . import _packfair
from ._progress import teller

# tasks that are under way at a time: enough for large clusters, and not all that there are
_AT_A_TIME = 256


def _carry_out(task: bytes, schedulers: list[tuple[str, str, Any]]) -> bytes:
    """What a worker does."""
    from . import scheduler

    for name, text, own in schedulers:
        _packfair.scheduler_notation(name, text, scheduler.factory(own))
    return _packfair.carry_out_task(task)


def spread(study: Any, executor: Executor, schedulers: list[tuple[str, str, Any]], progress: Any) -> Any:
    """Computes a study on the workers of an executor; the results are those of one process, bit for bit."""
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor is an Executor of concurrent.futures, with submit, and no {type(executor).__name__}")
    progress = None if progress is None else teller(progress)
    for count, task in ((study.tasks, study.task), (study.repeat_tasks, study.repeat_task)):
        _all_of(study, executor, schedulers, count(), task, progress)
    return study.finish()


def _all_of(study, executor, schedulers, count, task, progress) -> None:
    numbers, pending, done = iter(range(count)), set(), 0
    try:
        while True:
            for number in itertools.islice(numbers, _AT_A_TIME - len(pending)):
                pending.add(executor.submit(_carry_out, task(number), schedulers))
            if not pending:
                return
            for future in _ended(pending):
                pending.discard(future)
                study.receive(future.result())
                done += 1
                if progress is not None:
                    progress(done, count)
    finally:
        for future in pending:
            future.cancel()


def _ended(pending: set) -> list:
    """Some futures that have ended, of whichever library they are."""
    while True:
        try:
            # signals are heard in between
            ended = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED).done
        except AttributeError:
            # futures that only look like those of concurrent.futures
            first = next(iter(pending))
            first.result()
            ended = {first}
        if ended:
            return list(ended)
