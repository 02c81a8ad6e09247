"""Long work: threads, interruptions, progress. How long things take is measured in ``benches/``."""

import os
import signal
import threading
import time

import packfair
import pytest


@pytest.fixture(scope="module")
def long_log():
    return packfair.generate(jobs=60_000, procs=512, seed=5)


LONG = {"schedulers": ["conservative", "pc", "dc", "easy"], "estimates": ["requested", "actual"], "repeats": 1000}


def test_progress_is_told_and_ends_with_all(log):
    told = []
    packfair.run(log, ["easy", "fcfs", "pc"], ["requested", "actual"], progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (6, 6)
    assert all(done <= total for done, total in told)


def test_a_forecast_tells_how_many_futures_it_has_drawn(log):
    told = []
    now = float(log.jobs().to_pandas().submit.median())
    packfair.when(log, now=int(now), scheduler="easy", starts="simulated", futures=40, progress=lambda *step: told.append(step))
    assert told and all(done <= total for done, total in told)
    told.clear()
    packfair.when(log, backtest=3, futures=20, progress=lambda *step: told.append(step))
    assert told[-1][0] == told[-1][1] > 0, "the last call says that all is done"


def test_a_back_test_stops_where_its_progress_function_does(long_log):
    seen = []

    def fail(done, total):
        seen.append(done)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        packfair.when(long_log, backtest=2000, futures=500, progress=fail)
    assert len(seen) == 1, "it is not asked again"


def test_an_error_of_the_progress_function_stops_the_work(long_log):
    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        packfair.run(long_log, **LONG, progress=fail)


def test_an_interruption_stops_it(long_log):
    # a program that was started in the background ignores it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = []

    def press(done, total):
        told.append(done)
        # by another thread, as by a person: the engine computes then
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start() if len(told) == 1 else None

    with pytest.raises(KeyboardInterrupt):
        packfair.run(long_log, **LONG, progress=press)
    # of hours of work
    assert told[-1] < 8_000


def test_other_threads_go_on_meanwhile(long_log):
    """The study, which takes hours, ends because another thread says so while the engine computes."""
    count, enough = [0], threading.Event()

    def spin():
        while not enough.is_set():
            count[0] += 1
            time.sleep(0.001)

    seen = set()

    def tell(done, total):
        seen.add(count[0])
        if len(seen) > 3:
            raise RuntimeError("enough")

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match="enough"):
            packfair.run(long_log, **LONG, progress=tell)
    finally:
        enough.set()
        thread.join()
