"""Bad input is a ``ValueError`` that says what is wrong, in Python's words."""

import re

import packfair
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from conftest import ROWS


def refused(match, call, *arguments, **keywords):
    with pytest.raises(ValueError, match=match) as told:
        call(*arguments, **keywords)
    said = str(told.value)
    assert "Traceback" not in said
    # no options of a command line, and nothing that is done on the page
    assert not re.search(r"(?<!sacct )(?<!squeue )--[a-z]", said) and "on the page" not in said, said
    return said


def test_a_frame_that_is_no_log():
    refused("no log", packfair.read, pd.DataFrame({"a": [1, 2], "b": [3, 4]}))
    refused("no columns", packfair.read, pa.table({"a": [[1], [2]]}))


def test_an_empty_frame():
    refused("it has columns, and no row", packfair.read, pd.DataFrame(ROWS)[:0])
    refused("no columns", packfair.read, pd.DataFrame())
    refused("no columns", packfair.read, pa.table({}))
    refused("the file is empty", packfair.read, b"")


def test_columns_of_the_wrong_type():
    refused("submit time unknown", packfair.read, pa.table({**ROWS, "submit": ["x", "y", "z", "w"]}))
    widths = pa.table({**ROWS, "processors": ["x", "y", "z", "w"]})
    refused("a number of processors that was not understood", packfair.read, widths)
    refused("no processors known", packfair.run, packfair.read(widths, accept_losses=True), "easy")
    refused("the time of submission", packfair.read, pa.table({**ROWS, "submit": [[0], [1], [2], [3]]}))


def test_what_pandas_has_and_arrow_has_not():
    frame = pd.DataFrame(ROWS)
    for column in [frame["submit"], pa.table(ROWS)["submit"], pa.array([1, 2]), pl.Series([1, 2])]:
        refused("this is one column; give the table", packfair.read, column)
    moments = pd.to_datetime(frame["submit"], unit="s").astype(object)
    mixed = frame.assign(submit=[moment.tz_localize("UTC") if at else moment for at, moment in enumerate(moments)])
    mixed["submit"] = mixed["submit"].astype(object)
    refused("some moments of column submit have a time zone", packfair.read, mixed)
    refused("two columns of the table are called submit", packfair.read, pd.concat([frame, frame[["submit"]]], axis=1))
    refused("column submit holds complex numbers", packfair.read, frame.assign(submit=frame["submit"].astype(complex)))
    levels = frame.copy()
    levels.columns = pd.MultiIndex.from_product([["jobs"], frame.columns])
    refused("names of columns have 2 levels", packfair.read, levels)
    # values of several kinds are read as texts, like those of a file
    several = frame.assign(submit=frame["submit"].astype(object))
    several.loc[1, "submit"] = str(several.loc[1, "submit"])
    assert packfair.read(several).summary == packfair.read(frame).summary
    several.loc[1, "submit"] = (1, 2)
    refused("submit time unknown", packfair.read, several)
    assert several.loc[1, "submit"] == (1, 2), "a user's frame stays as it is"
    # an index with a name is a column
    assert packfair.read(frame.set_index("submit")).summary == packfair.read(frame).summary
    assert packfair.read(frame.set_index("submit", drop=False)).summary == packfair.read(frame).summary
    # a missing moment has no zone, and is none of another kind
    submits, starts, ends = (
        pd.to_datetime(1_700_000_000 + frame[name], unit="s", utc=True) for name in ["submit", "start", "end"]
    )
    starts = starts.astype(object)
    starts[3] = pd.NaT
    assert len(packfair.read(frame.assign(submit=submits, start=starts, end=ends), accept_losses=True)) == len(frame)


def test_what_is_missing_is_no_number():
    nan = float("nan")
    few = packfair.read(pd.DataFrame({**ROWS, "limit": [200, nan, 100, nan]}))
    assert len(few) == 4
    refused("submit time unknown", packfair.read, pd.DataFrame({**ROWS, "submit": [nan] * 4}))
    widths = packfair.read(pd.DataFrame({**ROWS, "processors": [nan, float("inf"), nan, nan]}))
    refused("no processors known", widths.jobs)


def test_a_file_that_is_not_there(tmp_path):
    refused("there is no file", packfair.read, tmp_path / "none.swf")
    refused("of type int", packfair.read, 7)
    refused("of type list", packfair.read, [])


def test_words_that_mean_nothing(log):
    refused("esay", packfair.run, log, "esay", "requested")
    refused("requsted", packfair.run, log, "easy", "requsted")
    refused("procs=0: it takes", packfair.run, log, "easy", "requested", procs=0)
    refused("not among the runs", packfair.run, log, "easy", "requested", baseline="fcfs")
    refused("there is no file", packfair.run, log, "slurm", "requested", slurm="none.conf")
    refused("command line alone", packfair.when, log, format="csv", backtest=2)
    refused("command line alone", packfair.run, log, "easy", "requested", starts="somewhere")
    refused("metrics-table-9", packfair.recipe, "metrics-table-9", log)
    refused("jobs", packfair.generate, jobs=0, procs=4)
    refused("say also: jobs <N>, procs <R>", packfair.generate)


def test_what_helps_is_named_as_a_keyword(log, tmp_path):
    refused(r'columns="submit=NAME,run=NAME,processors=NAME"', packfair.read, pd.DataFrame({"a": [1, 2], "b": [3, 4]}))
    refused("say also: schedulers <ID>", packfair.run, log, [])
    assert packfair.run(log, "easy", estimates=[]).table()["estimator"] == ["requested"]
    refused(r"\(now=TIME\), or try forecasts on the log \(backtest=200\)", packfair.when, log)
    refused("raise the limit with max_jobs", packfair.read, log.to_swf(), max_jobs=10)
    refused("name it with schedules or estimate_files", packfair.run, log, "external", "requested")
    refused("bsld=3 is for BSLD, which columns does not name; add it there", packfair.run, log, "easy", "requested", columns=["AF"], bsld=3)
    (tmp_path / "machine.toml").write_text('[[cells]]\nname = "a"\nnodes = 20\nnode = { processors = 64 }\n')
    refused("machine says how many processors there are; leave procs out", packfair.run, log, "easy", machine=tmp_path / "machine.toml", procs=100)


def test_a_keyword_that_does_not_exist_is_a_type_error(log):
    with pytest.raises(TypeError, match="there is no keyword repaets; perhaps repeats is meant"):
        packfair.run(log, "easy", "requested", repaets=3)


def test_what_is_not_in_the_results(results):
    refused("there is no run pc; there are fcfs__requested", results.jobs, "pc")
    refused("there is no chart pie of these runs; there are .*cwa", results.chart, "pie")
    refused("there is no form pdf; there are table, json", results.text, "pdf")
    refused("saved as .json", results.save, "results.xyz")
    refused("nothing", results.table, ["nothing"])
