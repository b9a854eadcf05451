"""Every notebook runs from top to bottom and gives the outputs that are stored in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.notebooks

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
NAMES = [str(path.relative_to(ROOT / "notebooks")) for path in NOTEBOOKS]


def nbval(notebook: Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-c", HERE / "nbval.ini", "--rootdir", HERE),
            *("--nbval-sanitize-with", HERE / "sanitize.cfg", notebook),
        ],
        cwd=home,
        env=os.environ | {"IPYTHONDIR": str(home / "ipython")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_there_are_notebooks():
    assert "00_tour.ipynb" in NAMES


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=NAMES)
def test_stored_outputs(notebook, tmp_path):
    run = nbval(notebook, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=NAMES)
def test_the_comparison_is_not_vacuous(notebook):
    cells = nbformat.read(notebook, as_version=4).cells
    compared = [
        cell
        for cell in cells
        if cell.cell_type == "code" and cell.outputs and "NBVAL_IGNORE_OUTPUT" not in cell.source
    ]
    assert compared, "no cell has a stored output that is compared"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=NAMES)
def test_stored_as_the_project_keeps_them(notebook):
    stored = nbformat.read(notebook, as_version=4)
    nbformat.validate(stored)
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "run from top to bottom before storing"
    assert not [cell.id for cell in stored.cells if "execution" in cell.metadata], "strip the times"


def test_a_wrong_output_and_an_exception_are_caught(tmp_path):
    wrong = nbformat.v4.new_output("stream", name="stdout", text="3\n")
    cells = [
        nbformat.v4.new_code_cell("print(1 + 1)", outputs=[wrong]),
        nbformat.v4.new_code_cell("print(1 + 1); raise ValueError"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "wrong.ipynb")
    run = nbval(tmp_path / "wrong.ipynb", tmp_path)
    assert "2 failed" in run.stdout, run.stdout + run.stderr
