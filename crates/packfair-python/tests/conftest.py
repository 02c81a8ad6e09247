import packfair
import pytest


@pytest.fixture(scope="session")
def log():
    """1,000 jobs on 128 processors, the same everywhere."""
    return packfair.generate(jobs=1000, procs=128, seed=7)


@pytest.fixture(scope="session")
def short_log():
    """300 jobs, where a scheduler in Python runs several times."""
    return packfair.generate(jobs=300, procs=128, seed=7)


@pytest.fixture(scope="session")
def swf(log, tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "made.swf"
    path.write_bytes(log.to_swf())
    return path


@pytest.fixture(scope="session")
def results(log):
    return packfair.run(log, ["fcfs", "easy", "sjf-justbf"], ["requested", "actual"], baseline="easy")


ROWS = {
    "submit": [0, 10, 20, 30],
    "start": [0, 10, 110, 130],
    "end": [100, 110, 170, 180],
    "processors": [4, 4, 8, 2],
    "limit": [200, 200, 100, 60],
    "user": ["ada", "bo", "ada", "cy"],
}
