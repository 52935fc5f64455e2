"""A short outage of the daemon is bridged and visible; a long one ends the app."""

import logging
import threading
from collections.abc import Callable

import pytest

from conftest import StartApp, finish, in_thread
from robot_sdk import Robot
from robot_sdk.connection import connection as connection_module
from robot_sdk.errors import DaemonLostError
from scripted_daemon import DEADLINE_S, Message, ScriptedDaemon


@pytest.fixture(autouse=True)
def long_outages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may not let an outage end in time."""
    monkeypatch.setattr(connection_module, "OUTAGE_S", DEADLINE_S)


class Changes:
    """Records what `on_connection_change` reports."""

    def __init__(self, robot: Robot) -> None:
        self.seen: list[bool] = []
        self._news = threading.Condition()
        robot.on_connection_change(self._add)

    def wait_for(self, *expected: bool) -> None:
        with self._news:
            # A busy machine may add outages to a daemon that is silent.
            assert self._news.wait_for(lambda: self.seen[: len(expected)] == list(expected), DEADLINE_S), self.seen

    def _add(self, connected: bool) -> None:
        with self._news:
            self.seen.append(connected)
            self._news.notify_all()


@pytest.fixture
def changes(robot: Robot) -> Changes:
    return Changes(robot)


def begin_outage(daemon: ScriptedDaemon, changes: Changes) -> None:
    daemon.disappear()
    changes.wait_for(False)


def test_a_short_outage_is_bridged_and_visible(daemon: ScriptedDaemon, caplog: pytest.LogCaptureFixture) -> None:
    stop_event = threading.Event()
    with Robot(stop_event=stop_event) as robot, caplog.at_level(logging.WARNING):
        assert robot.connected
        changes = Changes(robot)
        begin_outage(daemon, changes)
        assert not robot.connected
        robot.set_target(body_yaw=0.1)
        assert robot.get_present_antenna_joint_positions() == [-0.17, 0.17]
        robot.check()
        daemon.is_available = True
        changes.wait_for(False, True)
        assert robot.connected
        robot.set_target(body_yaw=0.2)
        assert daemon.received("set_full_target")["body_yaw"] == 0.2
        assert not stop_event.is_set()
        assert robot.failure is None
    assert [record.getMessage() for record in caplog.records if record.name == "robot_sdk"] == [
        "the connection to the daemon is interrupted; trying to reconnect for 5 s",
        "connected to the daemon again",
    ]


@pytest.mark.parametrize(("call", "kind"), [("enable_motors", "set_torque"), ("start_recording", "listen")])
def test_a_command_and_audio_that_begins_wait_for_the_end_of_the_outage(
    daemon: ScriptedDaemon, robot: Robot, changes: Changes, call: str, kind: str
) -> None:
    begin_outage(daemon, changes)
    called = in_thread(getattr(robot, call))
    daemon.is_available = True
    assert daemon.received(kind)["on"] is True
    called.result(DEADLINE_S)


def test_a_move_continues_after_an_outage(daemon: ScriptedDaemon, robot: Robot, changes: Changes) -> None:
    daemon.answers_tasks = False
    move = in_thread(lambda: robot.goto_target(body_yaw=0.1, duration=0.5))
    first = daemon.received("task")
    begin_outage(daemon, changes)
    daemon.answers_tasks = True
    daemon.is_available = True
    second = daemon.received("task", 2)
    assert move.result(DEADLINE_S) is True
    assert second["uuid"] != first["uuid"]
    assert second["req"] == {**first["req"], "duration": second["req"]["duration"]}
    assert 0 < second["req"]["duration"] <= 0.5


def test_an_outage_in_which_the_robot_did_not_move_does_not_shorten_a_move(
    daemon: ScriptedDaemon, robot: Robot, changes: Changes
) -> None:
    daemon.answers_tasks = False
    duration = 0.9
    # The SDK waits 0.1 s after each refusal, so that each outage is longer than the move.
    refusals = 12
    begin_outage(daemon, changes)
    move = in_thread(lambda: robot.goto_target(body_yaw=0.1, duration=duration))
    daemon.wait_for_refusals(refusals)
    # The SDK hears nothing between the task and the next outage.
    daemon.sending.clear()
    daemon.is_available = True
    daemon.received("task")
    daemon.disappear()
    daemon.wait_for_refusals(2 * refusals)
    daemon.sending.set()
    daemon.answers_tasks = True
    daemon.is_available = True
    second = daemon.received("task", 2)
    assert move.result(DEADLINE_S) is True
    assert second["req"]["duration"] == pytest.approx(duration)


@pytest.mark.parametrize("kind", ["wake_up", "goto_sleep"])
def test_a_posture_has_its_full_time_again_after_each_outage(
    daemon: ScriptedDaemon, robot: Robot, changes: Changes, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    timeouts: list[float] = []
    wait = connection_module.Connection.wait

    def record(self: connection_module.Connection, done: Callable[[], bool], timeout: float, missing: str) -> bool:
        if kind in missing:
            timeouts.append(timeout)
        return wait(self, done, timeout, missing)

    monkeypatch.setattr(connection_module.Connection, "wait", record)
    daemon.answers_tasks = False
    move = in_thread(getattr(robot, kind))
    for outage in (1, 2):
        daemon.received(kind, outage)
        daemon.disappear()
        changes.wait_for(*[False, True] * (outage - 1), False)
        daemon.answers_tasks = outage == 2
        daemon.is_available = True
    assert move.result(DEADLINE_S) is True
    assert timeouts == [10, 10, 10]


def test_a_restarted_daemon_gets_the_settings_of_the_app(daemon: ScriptedDaemon) -> None:
    with Robot(automatic_body_yaw=False) as robot:
        robot.start_recording()
        daemon.received("listen")
        daemon.received("set_automatic_body_yaw")
        daemon.disappear()
        daemon.is_available = True
        assert daemon.received("set_automatic_body_yaw", 2)["enabled"] is False
        assert daemon.received("listen", 2)["on"] is True


def test_a_silent_daemon_is_an_outage_which_ends_with_the_next_message(
    daemon: ScriptedDaemon, robot: Robot, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robot._connection, "_silence", 0.2)
    daemon.sending.clear()
    changes.wait_for(False, True)
    daemon.sending.set()
    robot.check()


def test_a_stall_of_the_process_before_an_outage_does_not_use_it_up(
    daemon: ScriptedDaemon, robot: Robot, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = robot._connection
    receive = connection._receive

    def stall(message: Message | bytes) -> None:
        receive(message)
        daemon.sending.clear()
        connection.last_message -= 2 * DEADLINE_S

    monkeypatch.setattr(connection, "_silence", 0.2)
    monkeypatch.setattr(connection, "_receive", stall)
    changes.wait_for(False, True)
    robot.check()


def test_a_long_outage_sets_the_stop_event_and_raises(daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "OUTAGE_S", 0.3)
    stop_event = threading.Event()
    with Robot(stop_event=stop_event) as robot:
        changes = Changes(robot)
        daemon.disappear()
        assert stop_event.wait(DEADLINE_S)
        changes.wait_for(False)
        assert not robot.connected
        assert robot.failure is not None
        for call in (robot.get_current_head_pose, robot.wake_up, lambda: robot.set_target(body_yaw=0.0)):
            with pytest.raises(ConnectionError, match="lost the daemon.*start one with `robot-daemon --sim`"):
                call()


def test_a_lost_daemon_ends_the_app_with_one_message(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    app = start_app("simple_apps", APP="Looping")
    daemon.received("set_full_target", 3)
    daemon.disappear()
    code, output, errors = finish(app)
    assert code == 1
    assert "left by stop_event" in output or output == ""
    assert errors.splitlines()[0].startswith("the connection to the daemon is interrupted")
    assert errors.splitlines()[1].startswith("lost the daemon at ")
    assert len(errors.splitlines()) == 2


def test_closing_during_an_outage_does_not_wait(daemon: ScriptedDaemon) -> None:
    with Robot() as robot:
        begin_outage(daemon, Changes(robot))
    with pytest.raises(DaemonLostError, match="closed"):
        robot.check()
