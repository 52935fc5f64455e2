"""A stop inside of any call of the robot ends the app quietly with exit code 0: real processes, real signals."""

import inspect
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import APPS, App, StartApp, finish, next_line, write_wav
from robot_sdk import Robot
from robot_sdk.audio.media import Media
from scripted_daemon import DEADLINE_S, ScriptedDaemon

sys.path.insert(0, str(APPS))
from stopped_in_a_call import CALLS

# Calls that the test does not stop, with the reason.
NOT_CALLED = {
    "close": "ends immediately",
    "connected": "reads a value",
    "failure": "reads a value",
    "get_frame": "waits at most for one picture",
    "imu": "reads a value",
    "lost_after_stop": "reads a value",
    "sample_rate": "reads a value",
    "media": "reads a value",
    "stop_recording": "part of record",
    "get_audio_sample": "part of record",
    "start_motion_recording": "part of motion_recording",
    "stop_motion_recording": "part of motion_recording",
}

# The same for calls of `robot.media`.
MEDIA_NOT_CALLED = {
    "get_frame": "waits at most for one picture",
    "get_audio_sample": "part of record",
    "stop_recording": "part of record",
    "start_playing": "does nothing",
    "get_input_audio_samplerate": "reads a value",
    "get_input_channels": "reads a value",
    "get_output_audio_samplerate": "reads a value",
    "get_output_channels": "reads a value",
}

# What the daemon receives from calls that wait or repeat.
MESSAGES = {
    "goto_target": "task",
    "wake_up": "wake_up",
    "goto_sleep": "goto_sleep",
    "set_target": "set_full_target",
    "enable_motors": "set_torque",
}


def calling(app: App) -> None:
    assert next_line(app.stdout) == "calling\n"


@pytest.mark.parametrize("call", CALLS)
def test_a_stop_inside_of_a_call_ends_the_app_quietly(
    daemon: ScriptedDaemon, start_app: StartApp, tmp_path: Path, call: str
) -> None:
    daemon.answers_tasks = False
    sound = write_wav(tmp_path / "long.wav", np.zeros(16_000 * 30), 2, 16_000)
    app = start_app("stopped_in_a_call", CALL=call, SOUND=str(sound))
    calling(app)
    if call in MESSAGES:
        daemon.received(MESSAGES[call])
    if call == "connect":
        # The next connection of the process gets no state.
        daemon.sending.clear()
        assert daemon.awaited.wait(DEADLINE_S)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")


AUDIO_CALLS = [
    "start_recording",
    "record",
    "push_audio_sample",
    "play_sound",
    "play_sound_of_a_file",
    "media.start_recording",
    "media.push_audio_sample",
    "media.play_sound",
]


@pytest.mark.parametrize("call", AUDIO_CALLS)
def test_a_stop_while_an_audio_call_connects_ends_the_app_quietly(
    daemon: ScriptedDaemon, start_app: StartApp, call: str
) -> None:
    daemon.accepts_audio.clear()
    app = start_app("stopped_in_a_call", CALL=call, SOUND="unused")
    calling(app)
    assert daemon.audio_requested.wait(DEADLINE_S)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")


@pytest.mark.parametrize("call", ["set_target", "goto_target", "record", "get_current_head_pose", "enable_motors"])
def test_a_stop_during_an_outage_ends_the_app_quietly(daemon: ScriptedDaemon, start_app: StartApp, call: str) -> None:
    daemon.answers_tasks = False
    app = start_app("stopped_in_a_call", CALL=call, SOUND="unused")
    calling(app)
    daemon.disappear()
    assert "interrupted" in next_line(app.stderr)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")


@pytest.mark.parametrize("call", ["set_target", "goto_target", "record"])
def test_a_daemon_that_is_lost_after_the_stop_is_no_error(
    daemon: ScriptedDaemon, start_app: StartApp, call: str
) -> None:
    app = start_app("losing_after_stop", CALL=call)
    calling(app)
    app.send_signal(signal.SIGINT)
    assert next_line(app.stdout) == "stopping\n"
    daemon.disappear()
    code, output, errors = finish(app)
    assert (code, output) == (0, "")
    assert "Traceback" not in errors


def test_every_public_call_is_stopped_or_listed() -> None:
    public = {name for name, _ in inspect.getmembers(Robot) if not name.startswith("_")}
    assert public == {name for name in CALLS if "." not in name and hasattr(Robot, name)} | NOT_CALLED.keys()
    media = {name for name, _ in inspect.getmembers(Media, callable) if not name.startswith("_")}
    stopped = {name.partition(".")[2] for name in CALLS if name.startswith("media.")}
    assert media == stopped | MEDIA_NOT_CALLED.keys()
