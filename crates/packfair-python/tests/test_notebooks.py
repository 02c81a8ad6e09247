"""The example notebooks: every cell runs, and what it ends with can be shown."""

import ast
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
NEEDS = {"parquet_to_verdict": ["pandas", "pyarrow"], "gym": ["numpy", "gymnasium"]}


def cells(path):
    book = json.loads(path.read_text())
    assert book["nbformat"] == 4
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def run(path):
    """Runs the cells of a notebook one after the other, and shows the value of each last line as a notebook would."""
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells(path)):
        tree = ast.parse(cell, f"{path.name}, cell {number + 1}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {number + 1}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number + 1}", "eval"), names)
            if value is not None:
                print(value._repr_html_()[:60] if hasattr(value, "_repr_html_") else repr(value)[:2_000])


def test_there_are_four():
    assert [path.stem for path in NOTEBOOKS] == ["gym", "metrics_table_2", "own_scheduler", "parquet_to_verdict"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    for module in NEEDS.get(path.stem, []):
        pytest.importorskip(module)
    kth = ROOT.parent / "shared/traces/KTH-SP2.swf.gz"
    more = {"KTH_SP2": str(kth), "PACKFAIR_ROUNDS": os.environ.get("PACKFAIR_ROUNDS", "15")}
    done = subprocess.run(
        [sys.executable, __file__, str(path)], cwd=tmp_path, env=os.environ | more, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-5_000:]
    if path.stem == "metrics_table_2" and kth.exists():
        assert "KTH-SP2 is not here" not in done.stdout
    if path.stem == "gym":
        assert done.stdout.count("the policy is") == 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output(path):
    book = json.loads(path.read_text())
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in book["cells"] if cell["cell_type"] == "code")


if __name__ == "__main__":
    run(pathlib.Path(sys.argv[1]))
