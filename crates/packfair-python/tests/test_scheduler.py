"""Schedulers that are Python classes."""

import pathlib

import packfair
import pytest
from packfair.scheduler import notation


class Fcfs:
    def round(self, view, actions):
        for job in view.waiting:
            if not actions.fits(job):
                return
            actions.start(job)


class Easy:
    def round(self, view, actions):
        profile = view.profile()
        head = None
        for job in view.waiting:
            if profile.fits(job, view.now):
                profile.reserve(job, view.now)
                actions.start(job)
            elif head is None:
                head = job
                profile.reserve(job, profile.earliest(job))


class Shortest:
    """Without the profile: by hand, with what runs, and with a setting of its own."""

    def __init__(self, age=0.0):
        self.age = age
        self.arrivals = 0

    def arrived(self, job, view):
        self.arrivals += 1

    def round(self, view, actions):
        assert self.arrivals >= view.queue_length
        assert sum(job.processors for job in view.running) + view.free == view.processors
        for job in sorted(view.waiting, key=lambda job: job.estimate - self.age * job.wait):
            if actions.fits(job):
                actions.start(job)


def starts(log, scheduler, estimates="requested", **settings):
    results = packfair.run(log, scheduler, estimates, **settings)
    return results.jobs(results.runs[0])["start"]


@pytest.mark.parametrize(
    "own, built_in",
    [
        (Fcfs, "fcfs"),
        (Easy, "easy"),
        (Shortest(), "list:order=formula:-estimate,blocked=greedy"),
        (Shortest(4.0), "list:order=formula:4*wait-estimate,blocked=greedy"),
    ],
)
@pytest.mark.parametrize("estimates", ["requested", "actual*0.5", "last2"])
def test_it_starts_every_job_when_the_built_in_one_does(log, own, built_in, estimates):
    rules = {"reestimate": "submission", "rounds": "every"}
    assert starts(log, own, estimates, **rules) == starts(log, built_in, estimates, **rules)


def test_it_has_a_row_like_any_other(short_log):
    results = packfair.run(short_log, [Easy, "easy", "fcfs"], "requested", baseline=Easy, repeats=5, resample="shake")
    table = results.table(["AF", "AWF", "P2SF"], changes=True, intervals=True)
    assert table["AF"][0] == table["AF"][1] != table["AF"][2]
    assert table["AF.change"][1] == 0.0
    assert table["AF.low"][0] == table["AF.low"][1] < table["AF.high"][0]
    assert results.jobs("Easy")["start"] == results.jobs("easy")["start"]
    assert "Easy" in str(results) and "Easy" in results._repr_html_()


def test_two_with_the_same_text_are_two(short_log):
    made = [type("Same", (), {"round": which.round}) for which in (Fcfs, Easy)]
    assert starts(short_log, made[0]) == starts(short_log, "fcfs")
    assert starts(short_log, made[1]) == starts(short_log, "easy")
    assert starts(short_log, made[0]) == starts(short_log, "fcfs")


def test_an_object_is_copied_for_each_run(short_log):
    own = Shortest()
    assert starts(short_log, own) == starts(short_log, own)
    assert own.arrivals == 0


def test_an_exception_is_told_with_its_traceback_and_the_instant(log):
    class Mistaken:
        def round(self, view, actions):
            if view.now > 10_000:
                raise ZeroDivisionError("so it is")
            Fcfs.round(self, view, actions)

    with pytest.raises(ValueError) as raised:
        starts(log, Mistaken)
    said = str(raised.value)
    assert said.startswith("Mistaken, line "), said
    assert " s of the log: an exception\nTraceback (most recent call last):" in said
    assert 'raise ZeroDivisionError("so it is")' in said
    assert said.endswith("ZeroDivisionError: so it is.")
    # the other rows stand
    results = packfair.run(log, ["easy", Mistaken], "requested")
    assert len(results.runs) == 1
    (failed,) = results.failed.values()
    assert failed == said


def said_of(log, what):
    with pytest.raises(ValueError) as raised:
        starts(log, type("Wrong", (), {"round": lambda self, view, actions: what(view, actions)}))
    return str(raised.value)


def test_what_it_may_not_do_is_said(log):
    def twice(view, actions):
        actions.start(view.waiting[0])
        actions.start(view.waiting[0])

    kept = []

    def late(view, actions):
        if kept:
            actions.start(kept[0])
        kept.append(view.waiting[0])
        actions.start(kept[0])

    def beyond(view, actions):
        for job in view.waiting:
            actions.start(job)

    assert "was started already in this round" in said_of(log, twice)
    assert "does not wait, and cannot be started" in said_of(log, late)
    assert "processors, and " in said_of(log, beyond) and " are free" in said_of(log, beyond)
    assert "does not run, and cannot be killed" in said_of(log, lambda view, actions: actions.kill(view.waiting[0]))
    assert "it asks to be called at 0" in said_of(log, lambda view, actions: actions.wake_at(0))
    assert "is none (NaN)" in said_of(log, lambda view, actions: actions.wake_at(float("nan")))
    assert "no attribute 'run_time'" in said_of(log, lambda view, actions: view.waiting[0].run_time)


def test_the_view_of_another_round_is_empty(short_log):
    views = []

    class Keeping(Fcfs):
        def round(self, view, actions):
            assert all(kept.queue_length == 0 for kept in views[:1])
            views.append(view) if not views else None
            super().round(view, actions)
            views.clear()

    assert starts(short_log, Keeping) == starts(short_log, "fcfs")


def test_one_that_never_starts_anybody_is_refused(log):
    class Idle:
        def round(self, view, actions):
            pass

    with pytest.raises(ValueError, match="Idle has not started 1000 of 1000 jobs, and nothing happens any more"):
        starts(log, Idle)


def test_one_that_asks_for_ever_is_stopped():
    class Asking:
        def round(self, view, actions):
            actions.wake_at(view.now + 1)

    log = packfair.generate(jobs=5, procs=128, seed=7)
    with pytest.raises(ValueError, match="it has asked to be called again 100000 times while nothing happened"):
        starts(log, Asking)


@pytest.mark.parametrize("none", [object(), int, 3, ["easy", None]])
def test_what_is_no_scheduler_is_refused(log, none):
    with pytest.raises(ValueError, match="is no scheduler: it has no `def round"):
        packfair.run(log, none, "requested")


def test_its_notation_is_that_of_a_script():
    assert notation("easy") == "easy"
    assert notation(Easy).startswith("script:code=Easy@")
    assert notation(Easy) == notation(Easy)


def test_easy_on_kth_sp2_is_the_built_in_one():
    trace = pathlib.Path(__file__).parents[4] / "shared/traces/KTH-SP2.swf.gz"
    if not trace.exists():
        pytest.skip("no ../shared")
    log = packfair.read(trace)
    assert starts(log, Easy) == starts(log, "easy")
