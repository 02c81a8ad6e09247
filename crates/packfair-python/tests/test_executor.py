"""Studies on the workers of executors: the same results, wherever the runs are made."""

import multiprocessing
import re
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import distributed
import packfair
import pytest


# 10 schedulers, 4 estimates and 5 factors: 200 runs
STUDY = {
    "schedulers": ["fcfs", "easy", "easy-sjbf", "saf-easy", "justbf", "sjf-justbf", "saf-justbf", "laf-justbf", "sjf-aggressive", "conservative"],
    "estimates": ["requested", "actual", "last2", "cvh"],
    "k": [1, 2, 3, 4, 5],
}


class Backwards(Executor):
    """Computes nothing before it is asked for a result, and knows only what an executor has to."""

    def submit(self, function, *arguments, **keywords):
        future = Future()
        future.set_result(function(*arguments, **keywords))
        return future


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def same(one, other):
    assert one.digests == other.digests
    # all but the time that it took
    assert re.sub(r'"wall_s": [^,\n]*', "", one.text("json")) == re.sub(r'"wall_s": [^,\n]*', "", other.text("json"))
    assert one.failed == other.failed
    assert one.notes == other.notes


def test_200_runs_over_the_workers_of_dask_have_the_same_digests(log, client):
    here = packfair.run(log, **STUDY)
    told = []
    there = packfair.run(log, **STUDY, executor=client.get_executor(), progress=lambda done, all: told.append((done, all)))
    assert len(here.digests) == 200
    same(here, there)
    assert told[-1][0] == told[-1][1] > 10


def test_a_study_from_its_file_over_the_workers_of_dask_has_the_same_digests(log, client, tmp_path):
    here = packfair.run(log, **STUDY)
    here.save(tmp_path / "study.json")
    there = packfair.study(tmp_path / "study.json", log, executor=client.get_executor())
    assert len(there.digests) == 200
    assert there.digests == here.digests


def test_what_is_no_executor_is_a_type_error(log):
    with pytest.raises(TypeError, match="executor is an Executor of concurrent.futures"):
        packfair.run(log, "easy", executor=4)


def test_repeats_and_an_own_scheduler_over_the_workers_of_dask(log, client):
    class Greedy:
        def round(self, view, actions):
            for job in view.waiting:
                if actions.fits(job):
                    actions.start(job)

    study = {"schedulers": ["easy", Greedy], "estimates": "requested", "baseline": "easy", "repeats": 6, "resample": "shake"}
    here = packfair.run(log, **study)
    there = packfair.run(log, **study, executor=client.get_executor())
    same(here, there)
    assert here.verdict == there.verdict
    assert there.jobs("Greedy")["start"] == here.jobs("Greedy")["start"]
    assert there.charts == here.charts
    assert there.chart(there.charts[0]) == here.chart(here.charts[0])


@pytest.mark.parametrize("make", [Backwards, ThreadPoolExecutor, "processes"])
def test_any_executor_will_do(log, make):
    if make == "processes":
        executor = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    else:
        executor = make()
    with executor:
        study = {"schedulers": ["fcfs", "easy", "list:order=sjf"], "estimates": ["requested", "last2"], "baseline": "easy"}
        same(packfair.run(log, **study, repeats=3, resample="shake"), packfair.run(log, **study, repeats=3, resample="shake", executor=executor))


def test_what_fails_there_is_told_here(log):
    class Idle:
        def round(self, view, actions):
            pass

    with pytest.raises(ValueError, match="has not started 1000 of 1000 jobs"):
        packfair.run(log, Idle, "requested", executor=Backwards())
    results = packfair.run(log, ["easy", Idle], "requested", executor=Backwards())
    assert len(results.runs) == len(results.failed) == 1
    with pytest.raises(ValueError, match="wait time"):
        packfair.run(log, "as-logged", "requested", executor=Backwards())


def test_a_recipe_can_be_made_elsewhere_too(log):
    same(packfair.recipe("metrics-table-2", log), packfair.recipe("metrics-table-2", log, executor=Backwards()))
