"""Touches of the antennas: polled and by callback."""

import threading

import pytest

from robot_sdk import Robot
from scripted_daemon import DEADLINE_S, ScriptedDaemon


def touch(daemon: ScriptedDaemon, antenna: str) -> None:
    daemon.send({"type": "antenna_touched", "antenna": antenna})


def test_a_touch_is_seen_once_on_its_side(daemon: ScriptedDaemon, robot: Robot) -> None:
    seen = threading.Event()
    robot.on_antenna_touch(lambda _side: seen.set())
    assert not robot.antenna_touched("left")
    touch(daemon, "left")
    assert seen.wait(DEADLINE_S)
    assert not robot.antenna_touched("right")
    assert robot.antenna_touched("left")
    assert not robot.antenna_touched("left")


def test_a_callback_gets_the_side_until_it_is_removed(daemon: ScriptedDaemon, robot: Robot) -> None:
    sides: list[str] = []
    last = threading.Event()
    remove = robot.on_antenna_touch(sides.append)
    robot.on_antenna_touch(lambda side: last.set() if side == "right" else None)
    touch(daemon, "left")
    touch(daemon, "right")
    assert last.wait(DEADLINE_S)
    assert sides == ["left", "right"]
    remove()
    remove()
    last.clear()
    touch(daemon, "right")
    assert last.wait(DEADLINE_S)
    assert sides == ["left", "right"]


def test_a_callback_may_move_the_robot(daemon: ScriptedDaemon, robot: Robot) -> None:
    results: list[bool] = []
    done = threading.Event()

    def move(_side: str) -> None:
        results.append(robot.goto_target(body_yaw=0.1, duration=0.01))
        done.set()

    robot.on_antenna_touch(move)
    touch(daemon, "left")
    assert done.wait(DEADLINE_S)
    assert results == [True]


def test_a_callback_that_fails_does_not_prevent_others(
    daemon: ScriptedDaemon, robot: Robot, caplog: pytest.LogCaptureFixture
) -> None:
    called = threading.Event()

    def fail(_side: str) -> None:
        raise ValueError("the callback's own mistake")

    robot.on_antenna_touch(fail)
    robot.on_antenna_touch(lambda _side: called.set())
    touch(daemon, "right")
    assert called.wait(DEADLINE_S)
    assert "a callback of on_antenna_touch failed" in caplog.text


def test_an_unknown_side_is_refused(daemon: ScriptedDaemon, robot: Robot) -> None:
    with pytest.raises(ValueError, match="side is 'top': it must be left or right"):
        robot.antenna_touched("top")  # type: ignore[arg-type]
    touch(daemon, "top")
    robot.goto_target(body_yaw=0.1, duration=0.01)
    assert not robot.antenna_touched("left")
