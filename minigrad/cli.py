"""The command line: `minigrad lab`, `minigrad demo`, `minigrad trace script.py -o out.html`."""

from __future__ import annotations

import argparse
import importlib.util
import linecache
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from minigrad._version import __version__

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["main"]

_PACKAGE = Path(__file__).resolve().parent
_TOUR = "00_tour.ipynb"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0, 1 when it failed, 2 when it cannot be run like this.

    Parameters
    ----------
    argv: the arguments, `sys.argv[1:]` when None.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    rest: list[str] = []
    if "--" in arguments:  # what follows belongs to JupyterLab or to the script
        at = arguments.index("--")
        arguments, rest = arguments[:at], arguments[at + 1 :]
    parsed = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace, list[str]], int] = parsed.run
    return run(parsed, rest)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="minigrad", description="An autograd engine to watch.")
    parser.add_argument("--version", action="version", version=f"minigrad {__version__}")
    commands = parser.add_subparsers(title="commands", required=True)

    lab = commands.add_parser("lab", help="open the walkthroughs in JupyterLab; -- OPTIONS for it")
    lab.set_defaults(run=_lab)

    demo = commands.add_parser("demo", help="a first backward pass: a table, and a page beside it")
    demo.set_defaults(run=_demo)

    trace = commands.add_parser("trace", help="run a script, write its backward passes as a page")
    trace.add_argument("script", type=Path, help="the script; arguments of its own follow after --")
    trace.add_argument("-o", "--output", type=Path, help="the page, SCRIPT.html when not given")
    trace.set_defaults(run=_trace)
    return parser


def _lab(_parsed: argparse.Namespace, options: list[str]) -> int:
    if importlib.util.find_spec("jupyterlab") is None:
        return _fail("JupyterLab is not installed: pip install 'minigrad-lab[lab]'", code=2)
    from jupyterlab.labapp import LabApp

    folder = _PACKAGE.parent / "notebooks"
    if not (folder / _TOUR).exists():  # no checkout: a wheel
        folder = _copy_notebooks(_PACKAGE / "_notebooks", Path.cwd() / "minigrad-notebooks")
    arguments = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{_TOUR}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")  # in a container; the server is on this machine alone
    LabApp.launch_instance(argv=[*arguments, *options])
    return 0


def _copy_notebooks(bundled: Path, own: Path) -> Path:
    """Copy what the learner does not have yet; what is there is theirs and stays."""
    for source in sorted(path for path in bundled.rglob("*") if path.is_file()):
        target = own / source.relative_to(bundled)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        elif target.read_bytes() != source.read_bytes():
            print(f"Kept your own {target}; delete or rename it to get the original back.")
    print(f"The notebooks are in {own}.")
    return own


def _demo(_parsed: argparse.Namespace, _rest: list[str]) -> int:
    # A program of the learner's, not of this file: the trace shows its lines and its names.
    lines = _FIRST_BACKWARD.splitlines(keepends=True)
    linecache.cache[_FIRST_BACKWARD_NAME] = len(_FIRST_BACKWARD), None, lines, _FIRST_BACKWARD_NAME
    names: dict[str, Any] = {}
    exec(compile(_FIRST_BACKWARD, _FIRST_BACKWARD_NAME, "exec"), names)  # noqa: S102  (our own text)
    print(_FIRST_BACKWARD)
    print(names["trace"])
    gradient = names["a"].grad.numpy()
    print(f"\na.grad = {gradient}: 4 by way of e, 2 by way of d, 1 from c itself.")
    return _write(names["trace"], Path("first-backward.html"))


_FIRST_BACKWARD_NAME = "first-backward.py"
_FIRST_BACKWARD = """\
import minigrad as mg

a, b = mg.ones([2]), mg.ones([2])
a.stop_gradient = b.stop_gradient = False
with mg.record() as trace:
    c = a + b
    d = c + c
    e = d + d
    mg.autograd.backward([e, c, d])
"""


def _trace(parsed: argparse.Namespace, rest: list[str]) -> int:
    script: Path = parsed.script.resolve()
    if not script.is_file():
        return _fail(f"there is no script {parsed.script}", code=2)
    page = (parsed.output or Path(f"{script.stem}.html")).resolve()  # before the script can chdir
    trace, code = _run_script(script, rest)
    if trace is None or not trace.passes:
        why = f"{parsed.script} ran no backward pass, so no page was written"
        return _fail(why, code=code or 1)
    return _write(trace, page) or code


# When a recording ends, it takes the tensors' names from the variables of the frame it ends in:
# here, the script's.
_RECORDED = compile("with _record() as _trace:\n    exec(_script)\n", "<minigrad trace>", "exec")


def _run_script(script: Path, arguments: list[str]) -> tuple[Trace | None, int]:
    """Run it as Python would: the trace, also of what it did before it failed; its exit code."""
    from minigrad.tracing.recorder import record

    main = ModuleType("__main__")
    names = vars(main)
    names.update(__file__=str(script), _record=record)
    before = sys.argv, sys.path[:], sys.modules["__main__"]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    sys.modules["__main__"] = main
    code = 0
    try:
        names["_script"] = compile(script.read_bytes(), str(script), "exec")
        exec(_RECORDED, names)  # noqa: S102  (what it runs is what the user asked to run)
    except SystemExit as leaving:
        code = _exit_code(leaving)
    except Exception as error:  # noqa: BLE001  (whatever a script raises is shown as its own)
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename != str(script):
            frames = frames.tb_next  # those that led to the script
        traceback.print_exception(error.with_traceback(frames))
        code = 1
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before
    return names.get("_trace"), code


def _exit_code(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return leaving.code or 0
    return _fail(str(leaving.code))


def _write(trace: Trace, page: Path) -> int:
    try:
        trace.to_html(page)
    except OSError as error:
        return _fail(f"cannot write {page}: {error.strerror}")
    print(f"\nStep through it: open {page.resolve()} in a browser.")
    return 0


def _fail(why: str, *, code: int = 1) -> int:
    print(f"minigrad: {why}", file=sys.stderr)
    return code
