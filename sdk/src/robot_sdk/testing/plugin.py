"""The pytest plugin: the fixture `robot_app`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot_sdk.testing.app_process import AppProcess
from robot_sdk.testing.app_under_test import AppUnderTest
from robot_sdk.testing.motion_files import OPTION, MotionFiles
from robot_sdk.testing.simulated_robot import SimulatedRobot
from robot_sdk.testing.used_recordings import UsedRecordings

RECORDED = "recorded_motion"
"""Name of the property of a test that names a recording that it has made."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that makes recordings again."""
    group = parser.getgroup("robot_sdk")
    group.addoption(OPTION, action="store_true", help="record again the motions that differ from their recordings")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says which motions were recorded."""
    # The statistics also hold deselected tests, which are no reports.
    reports = [report for each in terminalreporter.stats.values() for report in each]
    calls = [report for report in reports if isinstance(report, pytest.TestReport) and report.when == "call"]
    properties = [pair for report in calls for pair in report.user_properties]
    for path in sorted({str(value) for name, value in properties if name == RECORDED}):
        terminalreporter.write_line(f"motion recorded: {path} (commit it with the test)")


@pytest.fixture
def robot_app(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> Iterator[AppUnderTest]:
    """The app of this folder, started on a simulated robot that stands in its default pose."""
    root = folder_of_app(request.path, request.config.rootpath)
    module = main_module_of(root)
    import_path = [str(root), str(root / "src"), *filter(None, sys.path)]
    robot = SimulatedRobot()
    try:
        app = AppProcess(module, str(tmp_path), import_path)
        tested = AppUnderTest(robot, app, _motion_files(request, tmp_path_factory, tmp_path), request.path.parent)
    except BaseException:
        robot.close()
        raise
    try:
        robot.wait_until_ready()
        yield tested
    finally:
        try:
            positions = tested.positions()
        finally:
            tested.close()
        # pytest shows it when the test has failed.
        print(f"[the app printed]\n{tested.end_of_log}")
        if positions:
            print("[the app stood in]", *positions, sep="\n")


def _motion_files(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, output: Path
) -> MotionFiles:
    base = tmp_path_factory.getbasetemp()
    # Each process of pytest-xdist has a folder of its own, inside that of the run.
    run = base.parent if hasattr(request.config, "workerinput") else base
    return MotionFiles(
        request.path.parent / "motions",
        output,
        update=request.config.getoption(OPTION),
        may_record=os.environ.get("CI", "").lower() in ("", "0", "false"),
        used=UsedRecordings(run / "recordings in use"),
        test=request.node.nodeid,
        on_recorded=lambda path: request.node.user_properties.append((RECORDED, str(path))),
    )


def folder_of_app(test: Path, root: Path) -> Path:
    """The closest folder above a test whose pyproject.toml names an app; else `root`, the root of the tests."""
    for folder in test.parents:
        if _entry_points_of(folder / "pyproject.toml"):
            return folder
    return root


def main_module_of(root: Path) -> str:
    """The module of the entry point in the app's pyproject.toml.

    Raises:
        pytest.UsageError: There is none, or Python's path cannot hold the folder.
    """
    if os.pathsep in str(root):
        raise pytest.UsageError(f"rename {root}: Python finds no app in a folder with a {os.pathsep!r} in its path")
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
