"""Sound and pictures of apps that are written for the public SDK."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robot_sdk
from conftest import StartApp, finish, run_python
from robot_sdk.public import local_audio
from robot_sdk.public.local_audio import LocalAudio
from scripted_daemon import ScriptedDaemon, npy

SPECS = {
    "K": [[667, 0, 635], [0, 667, 371], [0, 0, 1]],
    "D": [0.1, 0.2],
    "default_resolution": {"width": 1280, "height": 720, "fps": 30},
}
STAND_IN = Path(__file__).parent / "public_sdk"


@pytest.fixture
def audio(daemon: ScriptedDaemon) -> Iterator[LocalAudio]:
    local = LocalAudio(robot_url=f"ws://127.0.0.1:{daemon.port}/ws/sdk")
    yield local
    local.cleanup()


def test_an_app_of_the_public_sdk_sees_hears_and_speaks_through_the_daemon(
    daemon: ScriptedDaemon, start_app: StartApp
) -> None:
    frame = np.zeros((720, 1280, 3), dtype=np.uint8)
    frame[0, 0] = (1, 2, 3)
    daemon.routes["/api/camera/frame?format=npy"] = (200, npy(frame))
    daemon.routes["/api/camera/specs"] = (200, json.dumps(SPECS).encode())
    app = start_app("hearing_and_speaking", PYTHONPATH=str(STAND_IN), PORT=str(daemon.port))
    daemon.received("listen")
    daemon.send_audio(b"\x02\x00" + np.array([0, 16_384], dtype="<i2").tobytes())
    code, output, errors = finish(app)
    assert (code, errors) == (0, "")
    assert output.splitlines() == [
        "local",
        "(720, 1280, 3) uint8 (1280, 720)",
        "[1, 2, 3] 667.0 [0.1, 0.2]",
        "(2, 2) float32 [0.0, 0.5]",
        "(0.0005, 0.0005, 0.0005, 0.5, 0.5, 0.5)",
        "(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)",
    ]
    assert np.frombuffer(daemon.wait_for_audio(1602), dtype="<i2")[1:].tolist() == [16_384] * 800


def test_the_start_of_python_imports_nothing_of_the_adapter() -> None:
    probe = "import sys; print(sorted(name for name in sys.modules if 'robot_sdk.' in name or 'numpy' in name))"
    start = (Path(robot_sdk.__file__).parents[1] / "robot_sdk_startup.pth").read_text()
    assert run_python(f"{start}{probe}")[:2] == (0, "[]\n")


@pytest.mark.parametrize("size", [320, 16_000])
def test_pushing_never_waits_and_drops_the_oldest_of_too_much(
    size: int,
    daemon: ScriptedDaemon,
    audio: LocalAudio,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(local_audio, "MAX_WAITING_S", 4)
    for _ in range(4 * 16_000 // size):
        audio.push_audio_sample(np.zeros(size, dtype=np.float32))
    assert caplog.records == []
    # More than fits into the daemon's own queue, which plays nothing here.
    for _ in range(5 * 16_000 // size):
        audio.push_audio_sample(np.zeros(size, dtype=np.float32))
    assert [record.message for record in caplog.records] == ["more than 4 s wait to be played: the oldest are dropped"]
    daemon.wait_for_audio(2)
    audio.clear_player()
    assert daemon.received("drop")["track"] == "speaker"


def test_an_error_of_the_head_s_movements_does_not_silence_the_speaker(
    daemon: ScriptedDaemon, audio: LocalAudio, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        closed = False

        def feed(self, _samples: object) -> None:
            raise KeyError("x_mm")

        def close(self) -> None:
            self.closed = True

    broken = Broken()
    audio.wobbler = broken  # type: ignore[assignment]
    for _ in range(2):
        audio.push_audio_sample(np.zeros(100, dtype=np.float32))
    daemon.wait_for_audio(402)
    assert (broken.closed, audio.wobbler) == (True, None)
    assert [record.message for record in caplog.records] == ["the head does not move with speech: KeyError('x_mm')"]


@pytest.mark.parametrize("data", [np.full(100, np.nan), np.full((100, 1), 50.0), np.full((100, 2), 0.5)])
def test_samples_of_every_shape_are_played_and_broken_ones_do_not_end_the_app(
    daemon: ScriptedDaemon, audio: LocalAudio, data: Any
) -> None:
    audio.push_audio_sample(data)
    assert len(daemon.wait_for_audio(202)) == 202


def test_sounds_are_played_by_name_and_what_cannot_be_is_said_once(
    daemon: ScriptedDaemon, audio: LocalAudio, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    audio.play_sound("wake_up.wav")
    assert daemon.received("play")["sound"] == "wake_up"
    with pytest.raises(FileNotFoundError, match=r"There is no sound drum\.wav"):
        audio.play_sound("drum.wav")
    song = tmp_path / "song.mp3"
    song.write_bytes(b"")
    audio.play_sound(str(song))
    audio.play_sound(str(song))
    assert [record.message for record in caplog.records] == [
        "song.mp3 is not played: only WAV files are; convert it with ffmpeg -i FILE sound.wav"
    ]


def test_an_app_goes_on_without_sound_when_there_is_no_daemon(
    free_port: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_audio, "TIMEOUT_S", 0.1)
    caplog.set_level(logging.WARNING)
    audio = LocalAudio(robot_url=f"ws://127.0.0.1:{free_port}/ws/sdk")
    audio.start_recording()
    assert audio.get_audio_sample() is None
    audio.stop_recording()
    assert "no sound: " in caplog.text
    audio.cleanup()
