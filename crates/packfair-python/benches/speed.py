"""How fast the package is: ``python benches/speed.py``, in an environment with pandas, numpy and gymnasium.

Says what was measured, beside what is aimed at; docs/python.md has the numbers. On a busy machine they say little.
"""

import os
import pathlib
import platform
import signal
import subprocess
import sys
import threading
import time

import packfair

HERE = pathlib.Path(__file__).resolve()
KTH = HERE.parents[3] / "../shared/traces/KTH-SP2.swf.gz"


class Easy:
    """EASY by the words of scripts."""

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


def best(of, times=3):
    """The least of several measurements."""
    return min(of() for _ in range(times))


def seconds(work, clock=time.perf_counter):
    began = clock()
    work()
    return clock() - began


def importing():
    code = "import time; t = time.perf_counter(); import packfair; print(time.perf_counter() - t)"
    return best(lambda: float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))


def frame():
    import pandas as pd

    jobs = packfair.generate(jobs=100_000, procs=1024, seed=2).jobs().to_pandas()
    table = pd.DataFrame({"submit": jobs.submit, "run": jobs.run, "processors": jobs.procs, "limit": jobs.limit})

    def work():
        packfair.run(packfair.read(table), "easy", "requested", columns=["AF"]).table()

    return best(lambda: seconds(work)), best(lambda: seconds(work, time.process_time))


def easy():
    log = packfair.read(KTH)
    return seconds(lambda: packfair.run(log, Easy, "requested"), time.process_time)


def interruption():
    log = packfair.generate(jobs=60_000, procs=512, seed=5)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    def once():
        threading.Timer(0.6, press).start()
        try:
            packfair.run(log, ["conservative", "pc", "dc", "easy"], ["requested", "actual"], repeats=1000)
        except KeyboardInterrupt:
            return time.perf_counter() - pressed[-1]
        raise RuntimeError("it was not interrupted")

    return max(once() for _ in range(5))


def decisions(vector, observation):
    log = packfair.generate(jobs=5_000, procs=128, seed=3)
    envs = vector(log, 64, observation=observation, shrink=0.9)
    _, info = envs.reset(seed=1)
    state = {"info": info}

    def steps():
        for _ in range(400):
            # a job that may be chosen
            *_, state["info"] = envs.step(state["info"]["action_mask"].argmax(axis=1))

    return 64 * 400 / best(lambda: seconds(steps, time.process_time))


def main():
    from packfair.gym import BackfillVectorEnv, PickVectorEnv

    print(f"packfair {packfair.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"import packfair: {importing():.3f} s (0.1)")
    passed, computed = frame()
    print(f"a frame of 100,000 jobs, read, EASY, table: {passed:.2f} s, {computed:.2f} s of processors (1)")
    print(f"an interruption, the slowest of 5: {interruption():.3f} s (0.2)")
    if KTH.exists():
        print(f"EASY in Python on KTH-SP2: {easy():.1f} s of one processor (20)")
    for vector in (BackfillVectorEnv, PickVectorEnv):
        for observation in ("log", "rlscheduler"):
            print(f"{vector.__name__}, {observation}: {decisions(vector, observation):,.0f} decisions a second of one processor (100,000)")


if __name__ == "__main__":
    main()
