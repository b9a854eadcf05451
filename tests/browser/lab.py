"""A real JupyterLab: started on a free port with private folders, and driven through its page."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page

__all__ = ["Lab", "open_notebook", "run_all", "serve"]

_STARTS_WITHIN = 120  # seconds; it takes about 3 on an idle machine
_RUNS_WITHIN = 240

_SETTINGS = {
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    # Off-screen cells stay in the page, and no dialog asks which kernel to use.
    "notebook-extension/tracker": {"autoStartDefaultKernel": True, "windowingMode": "none"},
}

# The idle indicator of the page is no sign of readiness: Run All would ask for a kernel.
_READY = """async () => {
    const widget = jupyterapp.shell.currentWidget;
    await widget.revealed;
    await widget.sessionContext.ready;
    const kernel = widget.sessionContext.session.kernel;
    await kernel.info;
    for (let i = 0; kernel.status !== "idle" && i < 600; i++)
        await new Promise((resolve) => setTimeout(resolve, 100));
    if (kernel.status !== "idle") throw new Error("the kernel is " + kernel.status);
}"""

# What the cells raised; the cells after one that fails are never run.
_ERRORS = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter((cell) => cell.model.type === "code")
    .flatMap((cell) => cell.model.outputs.toJSON())
    .filter((output) => output.output_type === "error")
    .map((output) => output.ename + ": " + output.evalue)"""

_DONE = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter((cell) => cell.model.type === "code")
    .every((cell) => cell.model.executionCount !== null && cell.model.executionState === "idle")"""


@dataclass(frozen=True, slots=True)
class Lab:
    """A running server: its address and the file it logs to."""

    url: str
    log: Path


@contextlib.contextmanager
def serve(notebooks: Path, home: Path) -> Iterator[Lab]:
    """A JupyterLab on the folder `notebooks`, with everything of its own under `home`."""
    for name, settings in _SETTINGS.items():
        file = home / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(settings))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lab = Lab(f"http://127.0.0.1:{port}", home / "lab.log")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token="]
    command += [f"--ServerApp.root_dir={notebooks}", "--ServerApp.terminals_enabled=False"]
    command += ["--LabApp.news_url=", "--LabApp.extension_manager=readonly"]
    command += ["--LabApp.expose_app_in_browser=True"]
    with lab.log.open("w") as log:
        server = subprocess.Popen(command, env=_environment(home), stdout=log, stderr=log)
        try:
            _await_start(server, lab)
            yield lab
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _environment(home: Path) -> dict[str, str]:
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {name: str(home / folder) for name, folder in folders.items()}


def _await_start(server: subprocess.Popen[bytes], lab: Lab) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{lab.url}/api/status"):
            return
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{lab.log.read_text()}")


def open_notebook(page: Page, lab: Lab, name: str) -> Locator:
    """Open the notebook in a workspace of its own and wait for its kernel; its panel."""
    page.goto(f"{lab.url}/lab/workspaces/test/tree/{name}?reset", wait_until="domcontentloaded")
    page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=60_000)
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    panel.wait_for(timeout=60_000)
    page.evaluate(_READY)
    return panel


def run_all(page: Page) -> list[str]:
    """Run > Run All Cells, and wait until every cell has run or one has failed; the errors."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('li[data-command="runmenu:run-all"]').click()
    page.wait_for_function(
        f"() => ({_ERRORS})().length || ({_DONE})()", timeout=_RUNS_WITHIN * 1000
    )
    errors: list[str] = page.evaluate(_ERRORS)
    return errors
