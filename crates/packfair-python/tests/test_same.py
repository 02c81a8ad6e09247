"""The same results as the command line, to the last bit."""

import json
import pathlib
import subprocess
import sys

import packfair
import pytest


def command(*words):
    run = subprocess.run([sys.executable, "-m", "packfair", *words], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def without_time(text):
    rows = json.loads(text)
    for row in rows:
        row.pop("wall_s")
    return rows


@pytest.mark.parametrize(
    ("words", "keywords"),
    [
        (
            ["-s", "fcfs", "easy", "sjf-justbf", "-e", "requested", "cvh", "--baseline", "easy"],
            {"schedulers": ["fcfs", "easy", "sjf-justbf"], "estimates": ["requested", "cvh"], "baseline": "easy"},
        ),
        (
            ["-s", "easy:backfill=sjf,threshold=3600", "-e", "requested", "--k", "0.5,2", "--procs", "200"],
            {"schedulers": "easy:backfill=sjf,threshold=3600", "estimates": "requested", "k": [0.5, 2], "procs": 200},
        ),
        (
            ["-s", "easy", "pc", "-e", "requested", "--baseline", "easy", "--repeats", "3", "--resample", "shake", "--columns", "AF,AWF"],
            {
                "schedulers": ["easy", "pc"],
                "estimates": "requested",
                "baseline": "easy",
                "repeats": 3,
                "resample": "shake",
                "columns": ["AF", "AWF"],
            },
        ),
        (
            ["-s", "easy", "-e", "requested", "--fair-starts", "--count", "all"],
            {"schedulers": "easy", "estimates": "requested", "fair_starts": True, "count": "all"},
        ),
    ],
)
def test_results_are_those_of_the_command_line(swf, words, keywords):
    told = command("run", str(swf), *words, "--format", "json")
    results = packfair.run(packfair.read(swf), **keywords)
    assert without_time(results.text("json")) == without_time(told)


def test_results_on_a_real_log_are_those_of_the_command_line():
    log = pathlib.Path(__file__).resolve().parents[4] / "shared" / "traces" / "KTH-SP2.swf.gz"
    if not log.exists():
        pytest.skip("no ../shared")
    told = command("run", str(log), "-s", "easy", "saf-justbf", "-e", "cvh", "requested*2", "--format", "json")
    results = packfair.run(packfair.read(log), ["easy", "saf-justbf"], ["cvh", "requested*2"])
    assert without_time(results.text("json")) == without_time(told)


def test_the_table_has_the_numbers_of_the_json(results):
    rows = json.loads(results.text("json"))
    table = results.table(changes=True).to_dict()
    assert table["run"] == results.runs
    for metric in rows[0]["metrics"]:
        assert table[metric] == [row["metrics"].get(metric) for row in rows], metric
        assert table[f"{metric}.change"] == [row["changes"].get(metric) for row in rows], metric


def test_starts_are_those_of_the_command_line(swf, tmp_path):
    command("run", str(swf), "-s", "easy", "-e", "requested", "--starts", str(tmp_path))
    lines = (tmp_path / "easy__requested.csv").read_text().splitlines()[1:]
    told = {int(job): int(start) for job, start, *_ in (line.split(",") for line in lines)}
    jobs = packfair.run(packfair.read(swf), "easy", "requested").jobs("easy")
    assert dict(zip(jobs["job"], jobs["start"], strict=True)) == told


def test_threads_change_nothing(log, results):
    again = packfair.run(log, ["fcfs", "easy", "sjf-justbf"], ["requested", "actual"], baseline="easy", threads=1)
    assert again.digests == results.digests
    assert len(set(again.digests.values())) == len(again.runs) == 6


def test_a_recipe_is_that_of_the_command_line(swf):
    told = command("run", str(swf), "--recipe", "metrics-table-2", "--format", "json")
    results = packfair.recipe("metrics-table-2", packfair.read(swf))
    assert without_time(results.text("json")) == without_time(told)
    assert results.printed is None


def test_what_is_found_is_what_the_command_line_finds(swf):
    words = ["--minimise", "AF,P2SF", "--runs", "30", "--searches", "0", "--format", "json"]
    told = json.loads(command("explore", str(swf), *words))
    found = packfair.explore(packfair.read(swf), ["AF", "P2SF"], runs=30, searches=0)
    assert found.to_dict() == told
    assert "AF" in str(found)
    assert len(found.table()) >= 1


def test_forecasts_are_those_of_the_command_line(swf):
    told = json.loads(command("when", str(swf), "--backtest", "3", "--futures", "20", "--format", "json"))
    assert packfair.when(packfair.read(swf), backtest=3, futures=20) == told


def test_a_study_comes_back_from_its_file(results, log, tmp_path):
    path = tmp_path / "study.json"
    results.save(path)
    assert packfair.study(path, log).digests == results.digests
    assert results.link().startswith("v1.")
    assert json.loads(path.read_text())["link"] == results.link()


def test_the_summary_is_that_of_the_command_line(swf):
    log = packfair.read(swf)
    told = json.loads(command("summary", str(swf), "--format", "json"))
    assert log.summary == told["summary"]
    assert log.account == told["account"]
    assert str(log) == command("summary", str(swf))


def test_a_log_like_another_is_made_of_it(log):
    made = packfair.generate(like=log, jobs=50, seed=3)
    assert len(made) == 50
    assert made.fingerprint == packfair.generate(like=log, jobs=50, seed=3).fingerprint
    assert made.fingerprint != packfair.generate(like=log, jobs=50, seed=4).fingerprint
