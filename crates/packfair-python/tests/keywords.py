"""Writes ``packfair/settings.py`` from what the engine says of its options: ``python tests/keywords.py`` after they change."""

import inspect
import json
import keyword
import pathlib
import textwrap

import packfair
from packfair import _packfair

PLACE = pathlib.Path(__file__).parents[1] / "python/packfair/settings.py"

# the class, the function whose keywords it has, and the signatures in which some stand by themselves
CLASSES = [
    ("RunSettings", "run", [packfair.run], "of ``packfair.run`` and ``packfair.recipe``"),
    ("ExploreSettings", "explore", [packfair.explore], "of ``packfair.explore``"),
    ("WhenSettings", "when", [packfair.when], "of ``packfair.when``"),
    ("GenerateSettings", "generate", [packfair.generate], "of ``packfair.generate``"),
    ("Treatment", "jobs", [], "of ``Log.jobs``: how the log is treated first"),
]

HEAD = '''"""The keyword arguments that functions take beside those in their signatures, with their types.

Written by ``tests/keywords.py`` from what the engine says of its options. ``None`` and ``False`` are as if a keyword were not given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = [{names}]

_Path = str | os.PathLike[str]
'''


def kind(about):
    of = about["type"]
    if isinstance(of, list):
        of = "Literal[" + ", ".join(json.dumps(one) for one in of) + "]"
    of = {"path": "_Path", "float": "float", "int": "int", "bool": "bool", "str": "str"}.get(of, of)
    # moments, spans and formulas can be numbers as well
    of = "str | float" if of == "str" else of
    return (f"{of} | Sequence[{of}]" if about["is_many"] else of) + " | None"


def written():
    """The text of the module."""
    text = HEAD.replace("{names}", ", ".join(f'"{name}"' for name, *_ in CLASSES))
    for name, function, signatures, of in CLASSES:
        own = {parameter for signature in signatures for parameter in inspect.signature(signature).parameters}
        keywords = [about for about in _packfair.keywords(function) if about["name"] not in own]
        assert all(about["name"].isidentifier() and not keyword.iskeyword(about["name"]) for about in keywords), keywords
        lines = [f"Keywords {of}.", ""]
        for about in keywords:
            help = " ".join(about["help"].split()).replace("\\", "\\\\")
            usual = f"; usually {about['usual']}" if about["usual"] else ""
            lines += [f"{about['name']} : {shown(about)}{usual}", *textwrap.wrap(help, 110, initial_indent="    ", subsequent_indent="    ")]
        body = "\n".join(f"    {line}" if line else "" for line in lines)
        text += f'\n\nclass {name}(TypedDict, total=False):\n    """{body.lstrip()}\n    """\n\n'
        text += "\n".join(f"    {about['name']}: {kind(about)}" for about in keywords) + "\n"
    return text


def shown(about):
    """Its type as docstrings write it."""
    of = about["type"]
    of = "{" + ", ".join(json.dumps(one) for one in of) + "}" if isinstance(of, list) else of
    return of + (" or several" if about["is_many"] else "")


if __name__ == "__main__":
    PLACE.write_text(written())
