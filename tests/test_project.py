"""What must hold of the project as a whole."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "minigrad"
MODULES = sorted(PACKAGE.rglob("*.py"))
Assignment = (ast.Assign, ast.AnnAssign)
Documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
HEAVY = ("IPython", "anywidget", "cupy", "ipywidgets", "matplotlib")
VIEWS = ("minigrad.tracing", "minigrad.viz", "minigrad.widgets", "minigrad.debug", "minigrad.teach")


def tracked() -> list[Path]:
    """The project's text files: those that git knows, or would."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in paths if path.is_file() and path.suffix != ".png"]


def shell_commands(text: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_names_a_registry_host():
    hosts = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com"]
    named = [name(path) for path in tracked() if any(host in path.read_text() for host in hosts)]
    assert named == []


def test_only_the_cupy_backend_imports_cupy():
    importing = [
        name(path)
        for path in ROOT.rglob("*.py")
        if ".venv" not in path.parts and {"cupy", "cupyx"} & imports(path)
    ]
    assert importing == ["minigrad/backend/cupy_backend.py"]


def imports(path: Path) -> set[str]:
    """The top-level packages a file imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_readme_has_its_four_commands_and_ci_runs_the_very_test_command():
    readme = (ROOT / "README.md").read_text()
    set_up = "python3 -m venv .venv && .venv/bin/pip install -q -e "
    assert shell_commands(readme) == [
        f"{set_up}'.[lab]' && .venv/bin/minigrad lab",
        f"{set_up}'.[test]' && .venv/bin/python -m pytest",
        "uv run --extra lab minigrad lab",
        "uv run --extra test python -m pytest",
    ]
    extract = re.search(r"^test_command=\$\((.*)\)$", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    assert extract, "no line of .ci/run sets test_command"
    taken = subprocess.run(
        ["bash", "-c", extract[1]], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert taken.stdout.strip() == f"{set_up}'.[test]' && .venv/bin/python -m pytest"


def test_every_link_of_the_readme_leads_somewhere():
    text = (ROOT / "README.md").read_text()
    targets = re.findall(r'\]\(([^):#]+)[#)]|(?:src|srcset)="([^"]+)"', text)
    missing = [a or b for a, b in targets if not (ROOT / (a or b)).exists()]
    assert missing == []


def test_the_example_of_the_readme_says_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  (it is ours)
    shown = capsys.readouterr().out.splitlines()[0]
    assert f"print(a.grad.numpy())  # {shown}: 4 by way of e, 2 by way of d, 1 from c" in example
    assert (tmp_path / "roots.html").exists()


def test_importing_minigrad_imports_nothing_of_notebooks_plots_or_views():
    code = "import sys, minigrad; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "minigrad.tensor" in loaded
    assert [name for name in loaded if name in HEAVY or name.startswith(VIEWS)] == []


def test_the_engine_is_short_enough_to_be_read():
    source = (PACKAGE / "autograd" / "engine.py").read_text()
    assert len(source.splitlines()) < 250
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    lengths = {node.name: node.end_lineno - node.lineno + 1 for node in functions}
    assert max(lengths.values()) < 150, lengths


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_module_is_short_and_every_public_one_says_what_it_offers(path):
    tree = ast.parse(path.read_text())
    assert not tree.body or code_lines(tree) < 400
    if path.name.startswith("_") and path.name != "__init__.py":
        return
    offering = [node for node in tree.body if not ast.unparse(node).startswith("from __future__")]
    if all(isinstance(node, ast.Expr) for node in offering):
        return  # a package that is its docstring alone
    assigned = [ast.unparse(node) for node in offering if isinstance(node, Assignment)]
    assert any(statement.startswith("__all__") for statement in assigned)


def test_functions_are_short():
    long = [
        f"{name(path)}:{node.lineno} {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and path.name != "engine.py" and code_lines(node) > 40
    ]
    assert long == []


def code_lines(tree: ast.FunctionDef | ast.Module) -> int:
    """The lines of a module or function, less those of the docstrings in it."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, Documented) and node.body]
    firsts = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
    last = tree.body[-1].end_lineno
    begin = getattr(tree, "lineno", 1)
    return last - begin + 1 - sum(first.end_lineno - first.lineno + 1 for first in firsts)


def test_the_wheel_has_all_that_runs_without_a_checkout(tmp_path):
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    notebooks = (ROOT / "notebooks").rglob("*.ipynb")
    wanted = {name(path) for path in files}
    wanted |= {f"minigrad/_{name(path)}" for path in notebooks}
    assert wanted - inside == set()
    assert {"minigrad/widgets/stepper.py", "minigrad/_notebooks/00_tour.ipynb"} <= inside
    assert not [file for file in inside if file.startswith(("tests/", "docs/", "notebooks/"))]
