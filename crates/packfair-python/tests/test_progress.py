"""Progress: any callable, and bars of tqdm."""

import io

import packfair
import pytest
from tqdm import tqdm
from tqdm.auto import tqdm as auto

STUDY = {"schedulers": ["easy", "fcfs", "pc"], "estimates": ["requested", "actual"]}
FORMS = {
    "a bar": lambda bar: bar,
    "the bar's update": lambda bar: bar.update,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_bar_goes_to_its_end(log, form):
    with tqdm(file=io.StringIO()) as bar:
        packfair.run(log, **STUDY, progress=form(bar))
        assert (bar.n, bar.total) == (6, 6)
        # and from the beginning again
        packfair.run(log, "easy", "requested", progress=form(bar))
        assert (bar.n, bar.total) == (1, 1)


@pytest.mark.parametrize("cls", [tqdm, auto])
def test_a_class_of_bars_makes_its_own(log, cls, capsys):
    packfair.run(log, **STUDY, progress=cls)
    assert "100%" in (told := capsys.readouterr().err) and "6/6" in told


def test_a_bar_of_any_method_that_takes_two_is_a_callable(log):
    class Counter:
        def __init__(self):
            self.told = []

        def update(self, done, total):
            self.told.append((done, total))

    counter = Counter()
    packfair.run(log, **STUDY, progress=counter.update)
    assert counter.told[-1] == (6, 6)
    assert all(done <= total for done, total in counter.told)


def test_searches_and_forecasts_move_a_bar(log):
    with tqdm(file=io.StringIO()) as bar:
        packfair.when(log, backtest=2, futures=10, progress=bar)
        assert bar.n == bar.total > 0
    with tqdm(file=io.StringIO()) as bar:
        packfair.explore(log, "AF", runs=10, searches=0, progress=bar.update)
        assert bar.n == bar.total > 0


@pytest.mark.parametrize("none", [7, "tqdm", object()])
def test_what_is_no_progress_is_a_type_error(log, none):
    with pytest.raises(TypeError, match="progress is a callable or a bar"):
        packfair.run(log, **STUDY, progress=none)
