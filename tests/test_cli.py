"""The command line: what it writes, what it says, and its exit codes."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad import cli

ROOT = Path(__file__).parents[1]

SCRIPT = """
import sys
import minigrad as mg
x = mg.to_tensor([1.0, 2.0], stop_gradient=False)
(x * x).sum().backward()
print(__name__, sys.argv[1:], x.grad.numpy())
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_version():
    command = [sys.executable, "-c", "from minigrad.cli import main; main()", "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert shown == "minigrad 0.1.0\n"


def test_no_command_is_an_error_that_lists_them(capsys):
    with pytest.raises(SystemExit) as leaving:
        cli.main([])
    assert leaving.value.code == 2
    assert "usage: minigrad" in capsys.readouterr().err


def test_demo_shows_a_table_and_writes_the_page(folder, capsys):
    assert cli.main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "a.grad = [7. 7.]" in shown
    assert "backward of e, c, d" in shown
    page = folder / "first-backward.html"
    assert str(page) in shown
    assert "minigrad-stepper" in page.read_text()
    assert '"d = c + c"' in page.read_text(), "the learner's lines, not those of the command"


def test_demo_where_nothing_can_be_written(folder, capsys):
    (folder / "first-backward.html").mkdir()
    assert cli.main(["demo"]) == 1
    assert "minigrad: cannot write first-backward.html: " in capsys.readouterr().err


def test_trace_runs_a_script_as_python_would(folder, capsys):
    Path("train.py").write_text(SCRIPT)
    before = sys.argv, sys.path[:]
    assert cli.main(["trace", "train.py", "-o", "out.html", "--", "--epochs", "3"]) == 0
    assert (sys.argv, sys.path) == before
    shown = capsys.readouterr().out
    assert "__main__ ['--epochs', '3'] [2. 4.]" in shown
    assert str(folder / "out.html") in shown
    page = Path("out.html").read_text()
    assert "minigrad-stepper" in page
    assert '"name":"x"' in page, "the script's own variables name its tensors"


def test_a_script_that_moves_finds_its_page_where_it_was_asked_for(folder):
    Path("train.py").write_text("import os\nos.mkdir('away')\nos.chdir('away')\n" + SCRIPT)
    assert cli.main(["trace", "train.py", "-o", "out.html"]) == 0
    assert "x * x" in (folder / "out.html").read_text()


def test_trace_names_the_page_after_the_script():
    Path("train.py").write_text(SCRIPT)
    assert cli.main(["trace", "train.py"]) == 0
    assert Path("train.html").exists()


def test_a_script_that_fails_still_leaves_its_trace(capsys):
    Path("train.py").write_text(SCRIPT + "raise KeyError('lost')\n")
    assert cli.main(["trace", "train.py"]) == 1
    shown = capsys.readouterr().err
    assert "KeyError: 'lost'" in shown
    assert shown.count("File ") == 1, "only the script's own frames"
    assert Path("train.html").exists()


@pytest.mark.parametrize(
    "leaving,code,said",
    [("sys.exit(3)", 3, ""), ("sys.exit()", 0, ""), ("sys.exit('no')", 1, "no")],
)
def test_a_script_that_exits(leaving, code, said, capsys):
    Path("train.py").write_text(SCRIPT + leaving)
    assert cli.main(["trace", "train.py"]) == code
    assert said in capsys.readouterr().err


def test_a_script_without_a_backward_pass(capsys):
    Path("idle.py").write_text("print('nothing')")
    assert cli.main(["trace", "idle.py"]) == 1
    assert "idle.py ran no backward pass" in capsys.readouterr().err
    assert not Path("idle.html").exists()


def test_a_script_that_is_no_python(capsys):
    Path("wrong.py").write_text("def :")
    assert cli.main(["trace", "wrong.py"]) == 1
    assert "SyntaxError" in capsys.readouterr().err


def test_a_script_that_is_not_there(capsys):
    assert cli.main(["trace", "lost.py"]) == 2
    assert "there is no script lost.py" in capsys.readouterr().err


@pytest.fixture
def launched(monkeypatch):
    """The arguments that JupyterLab would have been started with."""
    from jupyterlab.labapp import LabApp

    seen: list[str] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda argv: seen.extend(argv))  # noqa: PLW0108  (its argument has a name)
    return seen


def test_lab_serves_the_notebooks_of_the_checkout(launched, folder):
    assert cli.main(["lab", "--", "--no-browser"]) == 0
    assert f"--ServerApp.root_dir={ROOT / 'notebooks'}" in launched
    assert "--LabApp.default_url=/lab/tree/00_tour.ipynb" in launched
    assert launched[-1] == "--no-browser"
    assert list(folder.iterdir()) == []


def test_lab_from_a_wheel_copies_the_notebooks_once(launched, folder, capsys, monkeypatch):
    package = folder / "site" / "minigrad"
    bundled = package / "_notebooks"
    (bundled / "real_bugs").mkdir(parents=True)
    (bundled / "00_tour.ipynb").write_text("tour")
    (bundled / "real_bugs" / "72816.ipynb").write_text("roots")
    monkeypatch.setattr(cli, "_PACKAGE", package)
    own = folder / "minigrad-notebooks"

    assert cli.main(["lab"]) == 0
    assert f"--ServerApp.root_dir={own}" in launched
    assert (own / "real_bugs" / "72816.ipynb").read_text() == "roots"

    (own / "00_tour.ipynb").write_text("my notes")
    (own / "real_bugs" / "72816.ipynb").unlink()
    assert cli.main(["lab"]) == 0
    assert (own / "00_tour.ipynb").read_text() == "my notes"
    assert (own / "real_bugs" / "72816.ipynb").exists()
    shown = capsys.readouterr().out
    assert shown.count("Kept your own") == 1
    assert f"Kept your own {own / '00_tour.ipynb'}" in shown


def test_lab_without_jupyterlab(capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert cli.main(["lab"]) == 2
    assert "pip install 'minigrad-lab[lab]'" in capsys.readouterr().err
