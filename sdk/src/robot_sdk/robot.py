"""The robot as an app sees it."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Collection
from datetime import datetime, timezone
from types import TracebackType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk import arguments
from robot_sdk.arguments import Method
from robot_sdk.audio import Audio
from robot_sdk.connection import Connection, Message, socket_url
from robot_sdk.media import Media
from robot_sdk.samples import SAMPLE_RATE
from robot_sdk.state import RobotState
from robot_sdk.version import warn_of_another

# How much longer than its duration a move may take to be reported as finished.
GRACE_S = 1.0
# Waking takes 20 ms for each millimetre and degree to the default pose, going to sleep three seconds.
POSTURE_S = 10.0
RECORDING_S = 5.0


class MoveError(RuntimeError):
    """The daemon refused a move, or ended it before its target; the text says why."""


class Robot:
    """A connection to a robot through its daemon. Leave it with `close`, or use it in a `with` block.

    All calls raise ConnectionError once the daemon has gone. Poses are 4x4 matrices in the robot's frame (x forward,
    y left, z up; metres; the identity is the neutral head), angles are radians, antennas are ordered right, left.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        automatic_body_yaw: bool = True,
        timeout: float = 5.0,
        stop_event: threading.Event | None = None,
    ) -> None:
        """Connects and waits until the robot's state is known.

        Args:
            url: The daemon; `ROBOT_DAEMON_URL` or http://127.0.0.1:8000 when None.
            token: The daemon's token; `ROBOT_DAEMON_TOKEN` when None.
            automatic_body_yaw: Let the body turn along with the head.
            timeout: Seconds to connect in.
            stop_event: Ends blocking calls when set, and is set when the daemon goes. `RobotApp` passes its own.

        Raises:
            ConnectionError: No daemon there; the text says what to do.
            ValueError: `url` is no address, or `timeout` no time.
        """
        arguments.positive(timeout, "timeout")
        self._state = RobotState()
        self._recording = False
        token = token or os.environ.get("ROBOT_DAEMON_TOKEN")
        address = socket_url(url)
        self._audio = Audio(address, token, stop_event, timeout)
        self._connection = Connection(address, token, self._state.receive, stop_event, timeout)
        try:
            self._connection.establish(self._state.is_known, timeout)
            warn_of_another(self._state.status.get("version"))
            self.set_automatic_body_yaw(automatic_body_yaw)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Robot:
        """Enters a block that closes the connection at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connection."""
        self.close()

    def close(self) -> None:
        """Ends the connection; the robot stays as it is, and what it still had to play is dropped."""
        self._audio.close()
        self._connection.close()

    @property
    def failure(self) -> str | None:
        """Why the connection was lost; None while it is there, and after `close`."""
        return self._connection.failure or self._audio.failure

    def check(self) -> None:
        """Raises ConnectionError when the daemon has gone."""
        self._connection.check()

    # Moving

    def set_target(
        self,
        head: ArrayLike | None = None,
        antennas: ArrayLike | None = None,
        body_yaw: float | None = None,
    ) -> None:
        """Sends where the robot shall be at once; for loops that do so every 10 to 50 ms.

        What is None stays as it is. The daemon limits steps that are too large, and refuses targets while a goto runs.

        Args:
            head: 4x4 pose.
            antennas: Right and left angle.
            body_yaw: Angle of the body; None leaves it to the automatic body yaw.

        Raises:
            ValueError: Nothing given, a wrong shape, numbers that are not finite, or wrong units.
            ConnectionError: The daemon has gone.
        """
        target = arguments.target(head, antennas, body_yaw)
        self._connection.send({"type": "set_full_target", **target})
        if self._recording:
            record = {
                "time": time.time(),
                **{key: value for key, value in target.items() if value is not None},
            }
            self._connection.send({"type": "append_record", "record": record})

    def goto_target(
        self,
        head: ArrayLike | None = None,
        antennas: ArrayLike | None = None,
        duration: float = 0.5,
        method: Method = "minjerk",
        body_yaw: float | None = None,
    ) -> bool:
        """Moves smoothly from where the robot is to a target and waits for the end.

        Args:
            head: 4x4 pose, or None to leave the head.
            antennas: Right and left angle, or None to leave them.
            duration: Seconds, above 0 and at most 60.
            method: The course: linear, minjerk, ease_in_out or cartoon.
            body_yaw: Angle of the body; None leaves it to the automatic body yaw.

        Returns:
            True when the robot got there. False, at once, when the app is told to stop: the daemon then takes
            the robot home.

        Raises:
            ValueError: As `set_target`; or a duration or method that does not exist.
            MoveError: Refused, or another move took over.
            TimeoutError: The daemon did not report the end within `duration` + 1 s.
            ConnectionError: The daemon has gone.
        """
        seconds = arguments.duration(duration)
        move = {**arguments.target(head, antennas, body_yaw), "duration": seconds, "method": arguments.method(method)}
        timestamp = datetime.now(timezone.utc).isoformat()
        return self._move({"type": "task", "req": move, "timestamp": timestamp}, seconds + GRACE_S)

    def wake_up(self) -> bool:
        """Switches the motors on, raises the head and waits for the end; returns and raises as `goto_target`."""
        return self._move({"type": "wake_up"}, POSTURE_S)

    def goto_sleep(self) -> bool:
        """Lays the head down, switches the motors off and waits; returns and raises as `goto_target`."""
        return self._move({"type": "goto_sleep"}, POSTURE_S)

    def set_automatic_body_yaw(self, enabled: bool) -> None:
        """Lets the body turn along with the head where no `body_yaw` is given, or not."""
        self._connection.send({"type": "set_automatic_body_yaw", "enabled": bool(enabled)})

    # Looking

    def get_current_head_pose(self) -> NDArray[np.float64]:
        """The head as measured: a 4x4 pose, metres."""
        self.check()
        return self._state.head_pose.copy()

    def get_current_joint_positions(self) -> tuple[list[float], list[float]]:
        """The joints as measured, radians: body_yaw and stewart_1 to stewart_6; then the right and left antenna."""
        self.check()
        return list(self._state.head_joints), list(self._state.antennas)

    def get_present_antenna_joint_positions(self) -> list[float]:
        """The right and left antenna as measured, radians."""
        return self.get_current_joint_positions()[1]

    @property
    def daemon_status(self) -> Message:
        """What the daemon says of itself, as `GET /api/daemon/status` answers; at most a second old."""
        self.check()
        return dict(self._state.status)

    # Motors

    def enable_motors(self, ids: Collection[str] | None = None) -> None:
        """Switches motors on, all or the named joints; they hold where they are."""
        self._connection.send({"type": "set_torque", "on": True, "ids": arguments.joints(ids)})

    def disable_motors(self, ids: Collection[str] | None = None) -> None:
        """Switches motors off, all or the named joints; the head may sink."""
        self._connection.send({"type": "set_torque", "on": False, "ids": arguments.joints(ids)})

    def enable_gravity_compensation(self) -> None:
        """Lets hands move the head while the motors carry its weight."""
        self._connection.send({"type": "set_gravity_compensation", "enabled": True})

    def disable_gravity_compensation(self) -> None:
        """Ends the gravity compensation; the motors hold again."""
        self._connection.send({"type": "set_gravity_compensation", "enabled": False})

    # Hearing and speaking: mono samples from -1 to 1, `sample_rate` of them a second

    @property
    def sample_rate(self) -> int:
        """Samples a second, of the microphone as of the speaker."""
        return SAMPLE_RATE

    @property
    def media(self) -> Media:
        """The same under the names and with the shapes of other robots' media objects."""
        return Media(self._audio)

    def start_recording(self) -> None:
        """Starts to listen; see `Audio.start_recording`. What moves is recorded by `start_motion_recording`."""
        self._audio.start_recording()

    def stop_recording(self) -> None:
        """Ends to listen."""
        self._audio.stop_recording()

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """What was heard since the last call, shape (n,), or None when there is none yet; see `Audio`."""
        return self._audio.get_audio_sample()

    def push_audio_sample(self, samples: ArrayLike) -> None:
        """Plays samples, shape (n,), after those pushed before; see `Audio.push_audio_sample`."""
        self._audio.push_audio_sample(samples)

    def play_sound(self, sound: str | os.PathLike[str]) -> None:
        """Plays a sound of the robot's own, as `wake_up`, or a WAV file; see `Audio.play_sound`."""
        self._audio.play_sound(sound)

    # Recording motion

    def start_motion_recording(self) -> None:
        """Starts to keep every target that `set_target` sends."""
        self._connection.send({"type": "start_recording"})
        self._recording = True

    def stop_motion_recording(self) -> list[Message]:
        """Ends the recording.

        Returns:
            A record for each target: `time` in seconds since the epoch, and those of `head` (16 numbers, row by row),
            `antennas` and `body_yaw` that were given. Empty when the app is told to stop meanwhile.

        Raises:
            TimeoutError: The daemon did not send the recording within 5 s.
            ConnectionError: The daemon has gone.
        """
        self._recording = False
        self._state.recording = None
        self._connection.send({"type": "stop_recording"})
        missing = f"no recording came within {RECORDING_S:g} s: start_motion_recording() first, or see the daemon's log"
        self._connection.wait(lambda: self._state.recording is not None, RECORDING_S, missing)
        return self._state.recording or []

    def _move(self, message: Message, timeout: float) -> bool:
        """Sends a move and waits until the daemon reports its end."""
        self.check()
        if self._connection.stopping:
            return False
        task = str(uuid.uuid4())
        ended = self._state.expect(task)
        self._connection.send({**message, "uuid": task})
        missing = f"the daemon did not report the end of {message['type']} within {timeout:g} s: see its log"
        try:
            finished = self._connection.wait(ended, timeout, missing)
        finally:
            error = self._state.forget(task)
        if error is not None:
            raise MoveError(error)
        return finished
