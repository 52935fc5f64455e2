"""The robot, as an app uses it."""

from __future__ import annotations

import os
import threading
from datetime import datetime, timezone
from types import TracebackType

from numpy.typing import ArrayLike

from robot_sdk.audio.audio import Audio
from robot_sdk.camera.camera import Camera
from robot_sdk.connection.address import socket_url
from robot_sdk.connection.callbacks import Callbacks
from robot_sdk.connection.connection import Connection, Message
from robot_sdk.errors import MoveError
from robot_sdk.robot import arguments
from robot_sdk.robot.arguments import Method
from robot_sdk.robot.connection_calls import ConnectionCalls
from robot_sdk.robot.media_calls import MediaCalls
from robot_sdk.robot.motion_recording import MotionRecording
from robot_sdk.robot.motor_calls import MotorCalls
from robot_sdk.robot.moves import Moves
from robot_sdk.robot.sensor_calls import SensorCalls
from robot_sdk.robot.state import RobotState
from robot_sdk.version import warn_of_other_version

__all__ = ["MoveError", "Robot"]

# Seconds by which the report of a move's end may be later than twice its duration.
GRACE_S = 5.0
# wake_up takes 20 ms per millimetre and degree to the default pose, goto_sleep three seconds.
POSTURE_S = 10.0


class Robot(SensorCalls, MotorCalls, MediaCalls, ConnectionCalls):
    """A connection to a robot through its daemon. Use it in a `with` block, or call `close`.

    Poses are 4x4 matrices in the robot's frame (x forward, y left, z up; metres; the identity is the neutral head).
    Angles are radians. Antennas are ordered right, left.

    An outage of the daemon of up to 5 s is bridged: `set_target` skips targets meanwhile, waiting calls keep
    waiting, and `connected` is False. After a longer one the stop event is set, and all calls raise ConnectionError.

    Example:
        with Robot() as robot:
            robot.wake_up()
            robot.goto_target(head=create_head_pose(yaw=20), duration=1.0)  # degrees, seconds
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
            url: Address of the daemon; default `ROBOT_DAEMON_URL`, else http://127.0.0.1:8000.
            token: The daemon's token; default `ROBOT_DAEMON_TOKEN`.
            automatic_body_yaw: Whether the body turns along with the head.
            timeout: Seconds for connecting, above 0.
            stop_event: Ends calls that wait when it is set; set when the daemon is lost. `RobotApp` passes its own.

        Raises:
            ConnectionError: There is no daemon; the message says what to do.
            ValueError: `url` is not an address, or `timeout` is not above 0.

        Example:
            with Robot("http://127.0.0.1:8000", timeout=2.0) as robot:  # seconds
                print(robot.daemon_status["state"])
        """
        arguments.positive(timeout, "timeout")
        self._state = RobotState()
        self._recording = MotionRecording()
        self._connection_changes: Callbacks[bool] = Callbacks("on_connection_change")
        self._automatic_body_yaw = automatic_body_yaw
        token = token or os.environ.get("ROBOT_DAEMON_TOKEN")
        address = socket_url(url)
        self._audio = Audio(address, token, stop_event, timeout)
        self._camera = Camera(address, token)
        self._connection = Connection(
            address, token, self._state.receive, stop_event, timeout, self._connection_changed
        )
        self._moves = Moves(self._connection, self._state)
        try:
            self._connection.establish(self._state.is_known)
            warn_of_other_version(self._state.status.get("version"))
            self.set_automatic_body_yaw(automatic_body_yaw)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Robot:
        """Begins a block that closes the connection at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connection."""
        self.close()

    def close(self) -> None:
        """Closes the connection. The robot stays in its pose; sound that is still to be played is dropped.

        Example:
            robot = Robot()
            robot.set_target(body_yaw=0.2)  # radians
            robot.close()
        """
        self._audio.close()
        self._connection.close()

    # Motion

    def set_target(
        self,
        head: ArrayLike | None = None,
        antennas: ArrayLike | None = None,
        body_yaw: float | None = None,
    ) -> None:
        """Sets the target that the robot follows immediately; for loops that set one every 10 to 50 ms.

        Values that are None stay as they are. The daemon limits steps that are too large, and refuses targets while a
        move of `goto_target` runs. During an outage the target is skipped.

        Args:
            head: 4x4 pose, for example of `create_head_pose`; metres.
            antennas: Right and left angle, radians, from -6.28 to 6.28.
            body_yaw: Angle of the body, radians, from -6.28 to 6.28; None leaves it to the automatic body yaw.

        Raises:
            ValueError: No value, a wrong shape, numbers that are not finite, or wrong units.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                for step in range(50):
                    robot.set_target(antennas=[0.01 * step, -0.01 * step])  # radians: right, left
                    time.sleep(0.02)
        """
        target = arguments.target(head, antennas, body_yaw)
        self._connection.send_now({"type": "set_full_target", **target})
        self._recording.add(target)

    def goto_target(
        self,
        head: ArrayLike | None = None,
        antennas: ArrayLike | None = None,
        duration: float = 0.5,
        method: Method = "minjerk",
        body_yaw: float | None = None,
        *,
        relative: bool = False,
    ) -> bool:
        """Moves smoothly from the current pose to a target and waits for the end.

        A move that an outage interrupts continues when the daemon is back.

        Args:
            head: 4x4 pose, for example of `create_head_pose`; metres. None keeps the head.
            antennas: Right and left angle, radians, from -6.28 to 6.28. None keeps them.
            duration: Seconds, above 0 and at most 60.
            method: Interpolation: linear, minjerk, ease_in_out or cartoon.
            body_yaw: Angle of the body, radians, from -6.28 to 6.28; None leaves it to the automatic body yaw.
            relative: Whether the target is an offset from where the robot was sent last: the head is shifted and turned
                in the robot's frame, angles are added.

        Returns:
            True when the robot reached the target; False immediately when the stop event is set. After the app's exit
            the daemon returns the robot to its default pose.

        Raises:
            ValueError: As `set_target`; or a duration or method that is not allowed.
            MoveError: The move was refused, or another move replaced it.
            TimeoutError: The daemon did not report the end within twice `duration` + 5 s: on a busy machine the robot
                moves more slowly.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                head = create_head_pose(z=10, yaw=20, mm=True)  # millimetres, degrees
                robot.goto_target(head=head, antennas=[0.4, -0.4], duration=1.0)  # radians, seconds
                robot.goto_target(head=create_head_pose(yaw=-5), relative=True)  # 5 degrees back
        """
        seconds = arguments.duration(duration)
        move = {**arguments.target(head, antennas, body_yaw), "method": arguments.method(method)}
        if relative:
            move["relative"] = True

        def message(left: float) -> Message:
            timestamp = datetime.now(timezone.utc).isoformat()
            return {"type": "task", "req": {**move, "duration": left}, "timestamp": timestamp}

        return self._moves.run(message, seconds, GRACE_S)

    def wake_up(self) -> bool:
        """Switches the motors on, raises the head and waits for the end.

        A move that an outage interrupts starts again when the daemon is back, and has its full time again.

        Returns:
            True when the robot is awake; False immediately when the stop event is set.

        Raises:
            MoveError: The move was refused, or another move replaced it.
            TimeoutError: The daemon did not report the end within 10 s.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.wake_up()
        """
        return self._moves.run(lambda _left: {"type": "wake_up"}, 0, POSTURE_S)

    def goto_sleep(self) -> bool:
        """Lowers the head, switches the motors off and waits for the end.

        A move that an outage interrupts starts again when the daemon is back, and has its full time again.

        Returns:
            True when the robot is asleep; False immediately when the stop event is set.

        Raises:
            MoveError: The move was refused, or another move replaced it.
            TimeoutError: The daemon did not report the end within 10 s.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.goto_sleep()
        """
        return self._moves.run(lambda _left: {"type": "goto_sleep"}, 0, POSTURE_S)

    def set_automatic_body_yaw(self, enabled: bool) -> None:
        """Sets whether the body turns along with the head while no `body_yaw` is given.

        Args:
            enabled: True by default.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.set_automatic_body_yaw(False)
        """
        self._automatic_body_yaw = bool(enabled)
        self._connection.send({"type": "set_automatic_body_yaw", "enabled": bool(enabled)})

    # Recording of motion

    def start_motion_recording(self) -> None:
        """Starts to record the targets of `set_target`.

        Example:
            with Robot() as robot:
                robot.start_motion_recording()
                robot.set_target(antennas=[0.2, -0.2])  # radians
                records = robot.stop_motion_recording()
        """
        self._recording.start()

    def stop_motion_recording(self) -> list[Message]:
        """Ends the recording of motion.

        Returns:
            A record per target: `time` in seconds since the Unix epoch, and those of `head` (16 numbers, row by row),
            `antennas` and `body_yaw` that were given. At most the first 60,000 targets, 10 minutes at 100 per second.

        Example:
            with Robot() as robot:
                robot.start_motion_recording()
                robot.set_target(body_yaw=0.1)  # radians
                for record in robot.stop_motion_recording():
                    print(record["time"], record["body_yaw"])
        """
        return self._recording.stop()
