"""The stubs and the keywords that they name are what the module takes."""

import subprocess
import sys

import keywords
import packfair
import pytest


def test_stubs_agree_with_the_module(tmp_path):
    """By mypy's own comparison of stubs with what is there: names, arguments, their kinds and whether they have a value."""
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "packfair._packfair"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]


PROGRAM = """
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import packfair

log: packfair.Log = packfair.read(Path("sacct.txt"), columns={"submit": "submit_ts", "limit": ("wall", "min")})
results = packfair.run(log, ["easy", "fcfs"], "requested", baseline="easy", repeats=40, k=[1, 2], fair_starts=True)
share: float = results.table(["AF"], intervals=True)["AF"][0]
packfair.recipe("metrics-table-2", log, executor=ThreadPoolExecutor(), progress=lambda done, total: None)
packfair.explore(log, ["AF"], keep="max_wait<=2d", runs=100)
packfair.when(log, now=86400, futures=20)
packfair.generate(jobs=100, procs=64, seed=1)
"""


@pytest.mark.parametrize(
    "line, said",
    [
        ("", None),
        ('packfair.run(log, "easy", repaets=3)', 'Unexpected keyword argument "repaets"'),
        ('packfair.run(log, "easy", repeats="many")', 'Argument "repeats" to "run"'),
        ('packfair.run(log, "easy", unit="sheep")', 'Argument "unit" to "run"'),
        ('packfair.read("log", colums={})', 'Unexpected keyword argument "colums"'),
    ],
)
def test_a_checker_of_types_finds_what_is_wrong(line, said, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM + line + "\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=tmp_path, capture_output=True, text=True)
    if said is None:
        assert done.returncode == 0, done.stdout
    else:
        assert said in done.stdout, done.stdout


def test_keywords_are_those_of_the_engine():
    """``python tests/keywords.py`` writes them anew."""
    assert keywords.PLACE.read_text() == keywords.written()


@pytest.mark.parametrize("function", ["read", "run", "recipe", "study", "generate", "explore", "when"])
def test_functions_say_what_they_take_give_and_refuse(function):
    text = getattr(packfair, function).__doc__
    for part in ("Parameters\n----------", "Returns\n-------", "Raises\n------", "ValueError"):
        assert part in text, part


def test_every_keyword_has_a_help_in_keywords():
    for _, function, *_ in keywords.CLASSES:
        told = packfair._packfair.keywords(function)
        options = {"--" + about["name"].replace("_", "-") for about in told}
        for about in told:
            assert len(about["help"]) > 10, about
            assert not options & set(about["help"].replace(",", " ").replace(".", " ").split()), about
