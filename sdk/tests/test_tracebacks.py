"""An uncaught error of an app is printed once, with the app's own frames only."""

import pytest

from conftest import StartApp, finish
from scripted_daemon import ScriptedDaemon


def test_an_error_in_run_shows_only_the_frames_of_the_app(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    code, _, errors = finish(start_app("failing"))
    assert code == 1
    lines = errors.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert [line.split(", ")[2] for line in lines if line.lstrip().startswith("File ")] == ["in run", "in divide"]
    assert errors.count("ZeroDivisionError: the app's own mistake") == 1
    assert "runpy" not in errors
    assert "wrapped_run" not in errors


@pytest.mark.parametrize("way", ["argument", "thread", "cause"])
def test_an_error_that_the_sdk_raises_ends_at_the_call_of_the_app(
    daemon: ScriptedDaemon, start_app: StartApp, way: str
) -> None:
    _, _, errors = finish(start_app("failing", WAY=way))
    assert "robot_sdk/" not in errors
    assert "runpy" not in errors
    assert errors.count("ValueError: body_yaw is 90 rad") == 1
    assert "robot.set_target(body_yaw=90.0)" in errors


def test_an_error_at_import_shows_the_frames_of_the_app(start_app: StartApp) -> None:
    code, _, errors = finish(start_app("failing_import"))
    assert code == 1
    assert "ZeroDivisionError" in errors
    assert "failing_import.py" in errors
