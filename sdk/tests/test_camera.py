"""Pictures of the camera."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from robot_sdk import Robot
from robot_sdk.camera.camera import Camera
from scripted_daemon import DEADLINE_S, HeldRoute, ScriptedDaemon, npy

FRAME = "/api/camera/frame?format=npy"
JPEG = "/api/camera/frame"


def test_a_frame_is_an_array_that_the_app_may_change(daemon: ScriptedDaemon, robot: Robot) -> None:
    picture = np.arange(720 * 1280 * 3, dtype=np.uint32).astype(np.uint8).reshape(720, 1280, 3)
    daemon.routes[FRAME] = (200, npy(picture))
    for frame in (robot.get_frame(), robot.media.get_frame()):
        assert frame is not None
        assert frame.dtype == np.uint8
        assert (frame == picture).all()
        frame[:] = 0


def test_a_frame_is_asked_for_with_the_token(daemon: ScriptedDaemon) -> None:
    daemon.token = "secret"
    daemon.routes[FRAME] = (200, npy(np.zeros((2, 2, 3), dtype=np.uint8)))
    with Robot(daemon.url, token="secret") as robot:
        assert robot.get_frame() is not None
        assert daemon.headers["Authorization"] == "Bearer secret"


def test_without_a_picture_there_is_none_and_the_reason_is_logged_once(
    daemon: ScriptedDaemon, robot: Robot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robot_sdk.connection.rate_limited_logger.REPEAT_S", DEADLINE_S)
    caplog.set_level(logging.WARNING)
    daemon.routes[FRAME] = (503, json.dumps({"detail": "This robot has no camera."}).encode())
    assert [robot.get_frame() for _ in range(3)] == [None] * 3
    assert [record.message for record in caplog.records] == ["no picture: This robot has no camera."]


@pytest.mark.parametrize("body", [b"", b"[]", b"no JSON"])
def test_a_refusal_without_a_reason_is_logged_with_its_number(
    daemon: ScriptedDaemon, robot: Robot, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    daemon.routes[FRAME] = (500, body)
    assert robot.get_frame() is None
    assert "no picture: HTTP 500" in caplog.text


def test_during_an_outage_there_is_no_picture_and_afterwards_there_is(daemon: ScriptedDaemon, robot: Robot) -> None:
    daemon.routes[FRAME] = (200, npy(np.zeros((2, 2, 3), dtype=np.uint8)))
    daemon.is_available = False
    assert robot.get_frame() is None
    daemon.is_available = True
    assert robot.get_frame() is not None


def test_a_lost_daemon_is_an_error(daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    robot.close()
    with pytest.raises(ConnectionError):
        robot.get_frame()


def test_a_thread_gets_its_picture_while_another_waits(daemon: ScriptedDaemon) -> None:
    daemon.routes[FRAME] = (200, npy(np.zeros((2, 2, 3), dtype=np.uint8)))
    daemon.routes[JPEG] = (200, b"a picture")
    held = daemon.held_routes[JPEG] = HeldRoute()
    camera = Camera(daemon.url, None)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(camera.get_jpeg)
        assert held.requested.wait(DEADLINE_S)
        assert camera.get_frame() is not None
        assert not waiting.done()
        held.released.set()
        assert waiting.result(DEADLINE_S) == b"a picture"
