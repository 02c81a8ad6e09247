"""Frames of pandas, before they go through Arrow's interface: it takes no index, no objects of several kinds, and gives
moments without a time zone one.
"""

from __future__ import annotations

import datetime
from typing import Any

NESTED = (list, dict, tuple, set)


def carried(source: Any) -> Any:
    """The source as Arrow's interface carries it whole; what is no frame of pandas is given back as it is."""
    if type(source).__module__.partition(".")[0] != "pandas":
        return source
    import pandas as pd

    if not isinstance(source, pd.DataFrame):
        return source
    frame = source
    if frame.columns.nlevels > 1:
        raise ValueError(
            f"names of columns have {frame.columns.nlevels} levels, such as {frame.columns[0]}: make them one text each, "
            "for instance frame.columns = ['.'.join(map(str, name)) for name in frame.columns]"
        )
    index = [name for name in frame.index.names if name is not None and name not in frame.columns]
    if index:
        frame = frame.reset_index(level=index)
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two columns of the table are called {twice}: rename or drop one of them")
    # the user's own frame stays as it is
    frame = frame.copy(deep=False)
    for at, name in enumerate(frame.columns):
        column = frame.iloc[:, at]
        if column.dtype.kind == "c":
            raise ValueError(f"column {name} holds complex numbers; a log has whole numbers, moments and texts")
        if column.dtype == object:
            frame[name] = _one_kind(name, column)
    return frame


def _one_kind(name: Any, column: Any) -> Any:
    """A column of objects; as texts where they are of several kinds."""
    values = column[column.notna()]
    kinds = {type(value) for value in values}
    moments = [kind for kind in kinds if issubclass(kind, datetime.datetime)]
    if moments and len({value.tzinfo is None for value in values if isinstance(value, datetime.datetime)}) > 1:
        raise ValueError(
            f"some moments of column {name} have a time zone and some have none, so they cannot be compared: give all of "
            "them one, or none"
        )
    if len(kinds) <= 1 or all(issubclass(kind, NESTED) for kind in kinds) or len(moments) == len(kinds):
        return column
    return column.map(str, na_action="ignore")
