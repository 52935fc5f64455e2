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
    root = folder_of_app(request.path, request.config.rootpath)
    module = main_module_of(root)
    path = [str(root), str(root / "src"), *filter(None, sys.path)]
    robot = SimulatedRobot()
    try:
        app = AppProcess(module, str(tmp_path), {"PYTHONPATH": os.pathsep.join(path)})
        tested = AppUnderTest(robot, app)
    except BaseException:
        robot.close()
        raise
    try:
        robot.wait_until_ready()
        yield tested
    finally:
        tested.close()
        # pytest shows it when the test has failed.
        print(f"[the app printed]\n{tested.end_of_log}")


def folder_of_app(test: Path, root: Path) -> Path:
    """The folder above a test with a pyproject.toml that names an app; else the root of the tests."""
    for folder in test.parents:
        if _entry_points_of(folder / "pyproject.toml"):
            return folder
    return root


def main_module_of(root: Path) -> str:
    """The module of the entry point in the app's pyproject.toml.

    Raises:
        pytest.UsageError: There is none.
    """
    file = root / "pyproject.toml"
    for value in _entry_points_of(file):
        return value.partition(":")[0].strip()
    raise pytest.UsageError(f"{file} has no entry point of the group robot_apps: run pytest in the folder of an app")


def _entry_points_of(file: Path) -> list[str]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if not file.is_file():
        return []
    try:
        groups = tomllib.loads(file.read_text("utf8")).get("project", {}).get("entry-points", {})
    except ValueError as error:
        raise pytest.UsageError(f"{file} cannot be read: {error}") from None
    return [str(value) for name in ("robot_apps", "reachy_mini_apps") for value in groups.get(name, {}).values()]
