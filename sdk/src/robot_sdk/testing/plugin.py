"""The pytest plugin: the fixture `robot_app`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_sdk.testing.app_process import AppProcess
from robot_sdk.testing.app_under_test import AppUnderTest
from robot_sdk.testing.simulated_robot import SimulatedRobot


@pytest.fixture
def robot_app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AppUnderTest]:
    """The app of this folder, started on a simulated robot that stands in its default pose."""
    root = request.config.rootpath
    module = main_module_of(root)
    robot = SimulatedRobot()
    try:
        app = AppProcess(module, str(tmp_path), {"PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])})
        tested = AppUnderTest(robot, app)
    except BaseException:
        robot.close()
        raise
    try:
        robot.wait_until_ready()
        yield tested
    finally:
        tested.close()


def main_module_of(root: Path) -> str:
    """The module of the entry point in the app's pyproject.toml.

    Raises:
        pytest.UsageError: There is none.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    file = root / "pyproject.toml"
    groups = tomllib.loads(file.read_text("utf8")).get("project", {}).get("entry-points", {}) if file.is_file() else {}
    for group in ("robot_apps", "reachy_mini_apps"):
        for value in groups.get(group, {}).values():
            return str(value.partition(":")[0])
    raise pytest.UsageError(f"{file} has no entry point of the group robot_apps: run pytest in the folder of an app")
