import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_thread, write_wav
from robot_sdk import Robot
from robot_sdk.audio import audio as audio_module
from robot_sdk.connection import connection as connection_module
from robot_sdk.errors import DaemonLostError
from scripted_daemon import AUDIO, DEADLINE_S, ScriptedDaemon


def microphone(*samples: int) -> bytes:
    return b"\x02\x00" + np.array(samples, dtype="<i2").tobytes()


def next_samples(robot: Robot) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Polls as an app does."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        samples = robot.get_audio_sample()
        if samples is not None:
            return samples
    raise AssertionError(f"no samples in {DEADLINE_S:.0f} s")


def test_audio_connects_on_first_use(daemon: ScriptedDaemon, robot: Robot) -> None:
    assert robot.sample_rate == 16_000
    assert "listen" not in daemon.kinds()
    assert daemon.audio_client is None


def test_records_the_microphone(daemon: ScriptedDaemon, robot: Robot) -> None:
    robot.start_recording()
    assert robot.get_audio_sample() is None
    assert daemon.received("listen") == {"type": "listen", "track": "microphone", "on": True}
    daemon.send_audio(microphone(0, 16_384, -32_768))
    samples = next_samples(robot)
    assert samples.dtype == np.float32
    assert samples.tolist() == [0.0, 0.5, -1.0]
    robot.stop_recording()
    assert daemon.received("listen", 2)["on"] is False
    assert robot.get_audio_sample() is None


def test_samples_before_a_recording_are_an_error_with_a_hint(robot: Robot) -> None:
    with pytest.raises(RuntimeError, match="call start_recording"):
        robot.get_audio_sample()


def test_the_newest_samples_are_kept_until_they_are_fetched(
    daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(audio_module, "KEPT_SAMPLES", 4)
    robot.start_recording()
    daemon.received("listen")
    for piece in ((1, 2), (3, 4), (5, 6)):
        daemon.send_audio(microphone(*piece))
    daemon.send_audio({"type": "error", "code": "x", "detail": "the last"})
    deadline = time.monotonic() + DEADLINE_S
    while not any(record.name == "robot_sdk" for record in caplog.records):
        assert time.monotonic() < deadline
    assert (next_samples(robot) * 32_768).tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize(
    "samples",
    [
        np.array([0.5, -1.0, 2.0]),
        np.array([[0.5, 0.5], [-1.0, -1.0], [2.0, 2.0]], dtype=np.float32),
        np.array([[0.5, -1.0, 2.0], [0.5, -1.0, 2.0]]),
        np.array([16_384, -32_768, 32_767], dtype=np.int16),
        [0.5, -1.0, 1.0],
    ],
)
def test_pushed_samples_are_played(daemon: ScriptedDaemon, robot: Robot, samples: Any) -> None:
    robot.push_audio_sample(samples)
    assert daemon.wait_for_audio(8) == b"\x00\x00" + np.array([16_384, -32_768, 32_767], dtype="<i2").tobytes()


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([1, 2, 3], "floats from -1 to 1 or int16"),
        (np.zeros((2, 2, 2)), r"in the shape \(2, 2, 2\)"),
        (0.5, "in the shape"),
        ("loud", "floats"),
        (np.array([np.nan]), "not finite"),
        (np.array([20_000.0]), "divide 16-bit samples by 32768"),
    ],
)
def test_refuses_invalid_samples(robot: Robot, samples: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        robot.push_audio_sample(samples)


def test_pushing_waits_for_space_in_the_speaker(daemon: ScriptedDaemon, robot: Robot) -> None:
    robot.push_audio_sample(np.zeros(32_000))
    push = in_thread(lambda: robot.push_audio_sample(np.zeros(100)))
    daemon.wait_for_audio(2 * 32_000 + 2 * 2)
    assert wait([push], 0.1).not_done
    daemon.send_audio({"type": "played", "samples": 100})
    push.result(DEADLINE_S)
    assert len(daemon.wait_for_audio(2 * 32_100 + 3 * 2)) == 2 * 32_100 + 3 * 2


def end_of_waiting_push(robot: Robot, act: Callable[[], None]) -> BaseException | None:
    """How a push that waits for space ends after an action."""
    robot.push_audio_sample(np.zeros(32_000))
    push = in_thread(lambda: robot.push_audio_sample(np.zeros(100)))
    act()
    return push.exception(DEADLINE_S)


def test_a_stop_ends_the_wait_for_space(daemon: ScriptedDaemon) -> None:
    stop_event = threading.Event()
    with Robot(stop_event=stop_event) as robot:
        assert end_of_waiting_push(robot, stop_event.set) is None
        assert len(daemon.audio_received) <= 2 * 32_000 + 2 * 2


def test_a_lost_daemon_ends_the_wait_for_space(
    daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "OUTAGE_S", 0.2)
    assert type(end_of_waiting_push(robot, daemon.disappear)) is DaemonLostError
    with pytest.raises(ConnectionError, match="lost the daemon"):
        robot.start_recording()


def test_a_speaker_that_takes_nothing_times_out_and_plays_again_later(
    daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audio_module, "SPEAKER_TIMEOUT_S", 0.1)
    assert type(end_of_waiting_push(robot, lambda: None)) is TimeoutError
    # What timed out takes no space: after the daemon has played all that it got, the speaker is empty.
    for _ in range(3):
        with pytest.raises(TimeoutError):
            robot.push_audio_sample(np.zeros(16_000))
    monkeypatch.setattr(audio_module, "SPEAKER_TIMEOUT_S", DEADLINE_S)
    daemon.send_audio({"type": "played", "samples": 32_000})
    robot.push_audio_sample(np.zeros(32_000))
    assert len(daemon.wait_for_audio(4 * (2 * 16_000 + 2))) == 4 * (2 * 16_000 + 2)


@pytest.mark.parametrize("name", ["wake_up", "wake_up.wav"])
def test_the_robots_own_sounds(daemon: ScriptedDaemon, robot: Robot, name: str) -> None:
    robot.play_sound(name)
    assert daemon.received("play") == {"type": "play", "sound": "wake_up"}


@pytest.mark.parametrize(
    ("frames", "width", "rate"),
    [
        (np.full(32_000, 128 + 64), 1, 32_000),
        (np.full(16_000, 2**14), 2, 16_000),
        (np.full((44_100, 2), 2**22), 3, 44_100),
        (np.full(8_000, 2**30), 4, 8_000),
    ],
)
def test_a_wav_file_of_any_kind_is_played_at_the_robots_rate(
    daemon: ScriptedDaemon, robot: Robot, tmp_path: Path, frames: np.ndarray[Any, Any], width: int, rate: int
) -> None:
    robot.play_sound(write_wav(tmp_path / "a.wav", frames, width, rate))
    sent = daemon.wait_for_audio(2 * 16_000 + 2)
    assert sent.startswith(b"\x01\x00")
    assert daemon.received("drop")["track"] == "sound"
    samples = np.frombuffer(sent, dtype="<i2")[1:]
    assert len(samples) == 16_000
    assert abs(samples[100:-100] - 16_384).max() <= 1


def test_a_sound_that_cannot_be_played_is_an_error_with_a_hint(robot: Robot, tmp_path: Path) -> None:
    text = tmp_path / "text.wav"
    text.write_text("hello")
    long = write_wav(tmp_path / "long.wav", np.zeros(100 * 61), 2, 100)
    cases: list[tuple[str | Path, type[Exception], str]] = [
        ("dubstep", ValueError, "use one of wake_up, sleep"),
        ("song.mp3", ValueError, "ffmpeg"),
        ("/nope/boing.wav", FileNotFoundError, r'Path\(__file__\).parent / "boing.wav"'),
        (text, ValueError, "ffmpeg"),
        (long, ValueError, "61 s long"),
    ]
    for sound, error, message in cases:
        with pytest.raises(error, match=message):
            robot.play_sound(sound)


def test_a_device_fault_is_logged(daemon: ScriptedDaemon, robot: Robot, caplog: pytest.LogCaptureFixture) -> None:
    daemon.audio = {**AUDIO, "microphone": {"fault": "arecord is missing; install the package alsa-utils."}}
    robot.start_recording()
    assert [record.getMessage() for record in caplog.records if record.name == "robot_sdk"] == [
        "no sound: arecord is missing; install the package alsa-utils."
    ]


def test_media_has_the_public_names_and_shapes(daemon: ScriptedDaemon, robot: Robot) -> None:
    media = robot.media
    assert media.get_input_audio_samplerate() == media.get_output_audio_samplerate() == 16_000
    assert media.get_input_channels() == media.get_output_channels() == 1
    media.start_playing()
    media.start_recording()
    daemon.received("listen")
    daemon.send_audio(microphone(1, 2, 3))
    samples = None
    while samples is None:
        samples = media.get_audio_sample()
    assert samples.shape == (3, 1)
    media.push_audio_sample(samples)
    assert daemon.wait_for_audio(8) == microphone(1, 2, 3).replace(b"\x02", b"\x00", 1)
    media.play_sound("sleep")
    daemon.received("play")
    media.stop_playing()
    assert [message["track"] for message in (daemon.received("drop"), daemon.received("drop", 2))] == [
        "speaker",
        "sound",
    ]
    media.stop_recording()


def test_using_the_audio_of_a_closed_robot_is_an_error(daemon: ScriptedDaemon) -> None:
    with Robot() as robot:
        robot.start_recording()
    for call in (robot.get_audio_sample, robot.start_recording, lambda: robot.play_sound("sleep")):
        with pytest.raises(ConnectionError, match="closed"):
            call()
