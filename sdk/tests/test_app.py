"""Apps as the daemon runs them: real processes, real signals."""

import signal
import socket

import pytest

from conftest import StartApp, finish, next_line
from robot_sdk import Robot, RobotApp
from scripted_daemon import DEADLINE_S, ScriptedDaemon


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("ignoring_sigint", [False, True])
def test_a_signal_sets_the_stop_event_while_run_loops(
    daemon: ScriptedDaemon, start_app: StartApp, number: signal.Signals, ignoring_sigint: bool
) -> None:
    app = start_app("simple_apps", APP="Looping", ignoring_sigint=ignoring_sigint)
    daemon.received("set_full_target", 3)
    app.send_signal(number)
    assert finish(app) == (0, "left by stop_event\n", "")


def test_a_signal_ends_a_goto(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    daemon.answers_tasks = False
    app = start_app("simple_apps", APP="Going")
    daemon.received("task")
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "arrived=False\n", "")


def test_a_second_signal_interrupts_a_long_clean_up(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    app = start_app("simple_apps", APP="Stubborn")
    daemon.received("set_full_target")
    app.send_signal(signal.SIGINT)
    assert next_line(app.stdout) == "cleaning up for long\n"
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "interrupted\n", "")


def test_a_signal_ends_an_import(start_app: StartApp) -> None:
    app = start_app("slow_import")
    assert next_line(app.stdout) == "importing\n"
    app.send_signal(signal.SIGINT)
    assert finish(app)[0] == -signal.SIGINT


def test_a_signal_ends_waiting_for_the_robots_state(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    daemon.sending.clear()
    app = start_app("simple_apps", APP="Looping")
    assert daemon.awaited.wait(DEADLINE_S)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")


def test_a_signal_ends_connecting(start_app: StartApp) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        app = start_app("simple_apps", APP="Looping", ROBOT_DAEMON_URL=f"http://127.0.0.1:{server.getsockname()[1]}")
        server.settimeout(DEADLINE_S)
        client, _ = server.accept()
        with client:
            app.send_signal(signal.SIGINT)
            assert finish(app) == (0, "", "")


def test_without_a_daemon_it_prints_one_line_with_a_hint(start_app: StartApp, free_port: int) -> None:
    code, output, errors = finish(
        start_app("simple_apps", APP="Looping", ROBOT_DAEMON_URL=f"http://127.0.0.1:{free_port}")
    )
    assert (code, output) == (1, "")
    assert errors.startswith(f"no daemon at ws://127.0.0.1:{free_port}/ws/sdk: start one with `robot-daemon --sim`")
    assert errors.count("\n") == 1


def test_returning_from_run_ends_the_process_with_a_thread_left(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    assert finish(start_app("simple_apps", APP="Lingering")) == (0, "", "")
    assert daemon.headers


def test_an_app_may_close_its_robot_itself(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    assert finish(start_app("simple_apps", APP="Closing")) == (0, "", "")
    assert daemon.headers


def test_an_invalid_address_is_printed_in_one_line(start_app: StartApp) -> None:
    code, _, errors = finish(start_app("simple_apps", APP="Looping", ROBOT_DAEMON_URL="robot.local"))
    assert code == 1
    assert (
        errors
        == "ROBOT_DAEMON_URL is 'robot.local', which is not the address of a daemon: use one like http://127.0.0.1:8000\n"
    )


def test_run_must_be_implemented() -> None:
    class Empty(RobotApp):
        pass

    with pytest.raises(TypeError, match="abstract.*run"):
        Empty()  # type: ignore[abstract]


def test_stop_sets_the_event_and_there_is_no_settings_app_without_a_url() -> None:
    class Plain(RobotApp):
        def run(self, robot: Robot, stop_event: object) -> None: ...

    app = Plain()
    app.stop()
    assert app.stop_event.is_set()
    with pytest.raises(RuntimeError, match="custom_app_url"):
        _ = app.settings_app


def test_a_signal_inside_of_stop_event_wait_cannot_deadlock(start_app: StartApp) -> None:
    assert finish(start_app("interrupted_waits")) == (0, "all ended\n", "")


def test_a_signal_that_the_main_thread_does_not_handle(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    app = start_app("simple_apps", APP="Unnoticing")
    daemon.received("set_full_target")
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")


def test_ending_a_forked_child_does_not_stop_the_app(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    app = start_app("simple_apps", APP="Forking")
    daemon.received("set_full_target")
    assert app.poll() is None
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, f"{-signal.SIGTERM}\n" * 20, "")
