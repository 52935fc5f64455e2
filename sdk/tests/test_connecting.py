import os
import re
import socket
import threading
import time
from pathlib import Path

import pytest

from conftest import answering
from robot_sdk import Robot
from robot_sdk.connection.address import socket_url
from robot_sdk.connection.connection import Connection
from robot_sdk.version import VERSION
from scripted_daemon import DEADLINE_S, JOINTS, POSE, STATUS, Message, ScriptedDaemon


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8123", "ws://127.0.0.1:8123/ws/sdk"),
        ("http://robot.local:8000/", "ws://robot.local:8000/ws/sdk"),
        ("https://robot.local", "wss://robot.local/ws/sdk"),
        ("ws://robot.local:8000/ws/sdk", "ws://robot.local:8000/ws/sdk"),
    ],
)
def test_the_socket_of_a_daemon(url: str, expected: str) -> None:
    assert socket_url(url) == expected


def test_the_local_daemon_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_DAEMON_URL", raising=False)
    assert socket_url(None) == "ws://127.0.0.1:8000/ws/sdk"


@pytest.mark.parametrize(
    "url",
    ["robot.local:8000", "ftp://robot.local", "http://", "http://robot:port", "http://me:secret@robot", "http://a b"],
)
def test_refuses_an_invalid_address(url: str) -> None:
    with pytest.raises(ValueError, match="use one like"):
        Robot(url)


def test_sends_its_process_id_and_switches_the_automatic_body_yaw_on(daemon: ScriptedDaemon) -> None:
    with Robot():
        assert daemon.received("set_automatic_body_yaw")["enabled"] is True
    assert daemon.headers["X-Robot-Client-Pid"] == str(os.getpid())
    assert "Sec-WebSocket-Extensions" not in daemon.headers


def test_without_a_daemon_the_error_says_how_to_start_one(free_port: int) -> None:
    expected = rf"no daemon at ws://127.0.0.1:{free_port}/ws/sdk: start one with `robot-daemon --sim`"
    with pytest.raises(ConnectionError, match=expected):
        Robot(f"http://127.0.0.1:{free_port}")


def test_a_daemon_that_requires_its_token(daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon.token = "open sesame"
    with pytest.raises(ConnectionError, match="requires its token: `robot-daemon link`.* set ROBOT_DAEMON_TOKEN"):
        Robot()
    with pytest.raises(ConnectionError, match="refuses the token in ROBOT_DAEMON_TOKEN") as refused:
        Robot(token="close sesame")
    assert "close sesame" not in str(refused.value)
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", "open sesame")
    with Robot() as robot:
        robot.check()


def test_a_server_without_the_socket(daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    address = daemon.url.replace("http", "ws") + "/ws/elsewhere"
    monkeypatch.setattr("robot_sdk.robot.robot.socket_url", lambda url: address)
    with pytest.raises(ConnectionError, match=r"has no SDK socket \(no such route\): check ROBOT_DAEMON_URL"):
        Robot()


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "soon"])
def test_refuses_an_invalid_timeout(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout is "):
        Robot(timeout=timeout)


@pytest.mark.parametrize(("version", "warns"), [("9.9.9", True), (VERSION, False), (None, False)])
def test_warns_about_a_daemon_of_another_version(
    daemon: ScriptedDaemon, caplog: pytest.LogCaptureFixture, version: str | None, warns: bool
) -> None:
    daemon.repeated = [JOINTS, POSE, {**STATUS, "version": version}]
    with Robot():
        assert ("the daemon is version 9.9.9, this robot-sdk" in caplog.text) is warns


def test_the_version_is_that_of_the_package() -> None:
    project = Path(__file__).parent.parent / "pyproject.toml"
    assert f'version = "{VERSION}"' in project.read_text()


def failure_to_connect() -> str:
    """Why there is no robot after a short timeout; a busy machine needs a longer one for the handshake alone."""
    for timeout in (0.3, 3, 30):
        with pytest.raises(ConnectionError) as raised:
            Robot(timeout=timeout)
        if "does not answer" not in str(raised.value):
            break
    return str(raised.value)


@pytest.mark.parametrize("missing", ["joint_positions", "head_pose", "daemon_status"])
def test_a_daemon_that_does_not_send_its_whole_state(daemon: ScriptedDaemon, missing: str) -> None:
    daemon.repeated = [message for message in (JOINTS, POSE, STATUS) if message["type"] != missing]
    assert "sends no robot state" in failure_to_connect()


def test_a_server_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(ConnectionError, match=f"{port}/ws/sdk does not answer"):
            Robot(f"http://127.0.0.1:{port}", timeout=0.3)


def test_a_server_that_is_not_a_daemon() -> None:
    with (
        answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as url,
        pytest.raises(ConnectionError, match="does not answer like a robot-daemon"),
    ):
        Robot(url)


@pytest.mark.parametrize("moment", ["drops_handshakes", "drops_openings"])
def test_an_outage_while_connecting_is_bridged(daemon: ScriptedDaemon, moment: str) -> None:
    setattr(daemon, moment, 2)
    with Robot() as robot:
        robot.check()
        assert robot.connected
    assert getattr(daemon, moment) == 0


def test_a_server_that_drops_each_connection(daemon: ScriptedDaemon) -> None:
    daemon.drops_openings = 1000
    assert re.search(r"sends no robot state within [\d.]+ s", failure_to_connect())


def test_a_daemon_that_is_silent_at_first_is_waited_for(
    daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Connection.__init__.__kwdefaults__ or {}, "silence", 0.1)
    daemon.sending.clear()
    threading.Timer(0.5, daemon.sending.set).start()
    with Robot(timeout=DEADLINE_S) as robot:
        robot.check()


def test_a_stall_of_the_process_does_not_use_up_a_timeout(
    daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Robot() as robot:
        looks = iter([False, False, True])
        monkeypatch.setattr(robot._connection._changed, "wait", lambda _seconds: time.sleep(0.3))
        assert robot._connection.wait(lambda: next(looks), 0.25, "")


def test_invalid_messages_are_skipped(daemon: ScriptedDaemon) -> None:
    daemon.repeated = [
        "not json",
        "[1, 2]",
        "{}",
        {"type": "weather", "sunny": True},
        {"type": "head_pose", "head_pose": [[1, 2], [3, 4]]},
        {"type": "joint_positions", "head_joint_positions": [1], "antennas_joint_positions": [0, 0]},
        {"type": "task_progress", "uuid": "of another client", "finished": True, "error": None},
        *daemon.repeated,
    ]
    with Robot() as robot:
        assert robot.get_current_joint_positions() == (JOINTS["head_joint_positions"], [-0.17, 0.17])


def test_a_failed_connection_does_not_set_the_stop_event(free_port: int) -> None:
    stop_event = threading.Event()
    with pytest.raises(ConnectionError):
        Robot(f"http://127.0.0.1:{free_port}", stop_event=stop_event)
    assert not stop_event.is_set()


def test_the_stop_event_ends_connecting(daemon: ScriptedDaemon) -> None:
    daemon.sending.clear()
    stop_event = threading.Event()
    stop_event.set()
    with pytest.raises(ConnectionAbortedError, match="stopped while connecting"):
        Robot(stop_event=stop_event, timeout=60)


def test_a_connection_that_is_closed_while_it_handles_a_message_stays_closed(daemon: ScriptedDaemon) -> None:
    handling, closed = threading.Event(), threading.Event()

    def receive(_: Message | bytes) -> None:
        handling.set()
        closed.wait(DEADLINE_S)

    connection = Connection(socket_url(daemon.url), None, receive, None, 10, lambda _connected: None)
    assert handling.wait(DEADLINE_S)
    connection.close()
    closed.set()
    [receiver] = [each for each in threading.enumerate() if each.name == "robot-sdk-receiver"]
    receiver.join(DEADLINE_S)
    assert not receiver.is_alive()
    assert daemon.connections == 1


def test_using_a_closed_robot_is_an_error(daemon: ScriptedDaemon) -> None:
    with Robot() as robot:
        pass
    with pytest.raises(ConnectionError, match="this Robot is closed"):
        robot.set_target(body_yaw=0.0)
