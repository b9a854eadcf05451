"""What Binder would make of this checkout: repo2docker renders its Dockerfile, no Docker."""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
import warnings
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]


@pytest.fixture
def buildpack(monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # repo2docker's own imports
        from repo2docker.app import Repo2Docker
    monkeypatch.chdir(ROOT)
    packs = [pack("docker.io/library/buildpack-deps:jammy") for pack in Repo2Docker().buildpacks]
    found = next(pack for pack in packs if pack.detect())
    found.platform = "linux/amd64"
    return found


def test_the_dockerfile(buildpack):
    assert type(buildpack).__name__ == "PythonBuildPack"
    assert buildpack.binder_dir == "binder"
    assert buildpack.python_version.startswith("3.12")
    dockerfile = buildpack.render(build_args={})
    assert 'pip install --no-cache-dir -r "binder/requirements.txt"' in dockerfile
    assert "RUN ./binder/postBuild" in dockerfile


def test_post_build_installs_the_project_and_opens_the_tour(tmp_path):
    pip = tmp_path / "pip"
    pip.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/pip.log\n')
    pip.chmod(0o755)
    places = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "NB_PYTHON_PREFIX": str(tmp_path)}
    subprocess.run(["./binder/postBuild"], cwd=ROOT, env=os.environ | places, check=True)

    assert (tmp_path / "pip.log").read_text().split()[-2:] == ["-e", "."]
    config = json.loads((tmp_path / "etc/jupyter/jupyter_config.json").read_text())
    opened = {app["default_url"].removeprefix("/lab/tree/") for app in config.values()}
    assert opened == {"notebooks/00_tour.ipynb"}
    assert (ROOT / opened.pop()).exists()


def test_the_pins_satisfy_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "binder" / "requirements.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    for requirement in map(Requirement, wanted):
        assert requirement.name in pins, f"{requirement.name} has no pin"
        assert Version(pins[requirement.name]) in requirement.specifier
