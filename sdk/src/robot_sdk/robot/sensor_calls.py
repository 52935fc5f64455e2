"""What the robot measures and feels, as an app reads it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from robot_sdk.connection.connection import Connection, Message
from robot_sdk.robot import arguments
from robot_sdk.robot.state import InertialReading, RobotState, Side


class SensorCalls:
    """The calls of `Robot` for its measured state and for touches."""

    _connection: Connection
    _state: RobotState

    def get_current_head_pose(self) -> NDArray[np.float64]:
        """The measured pose of the head.

        Returns:
            A 4x4 matrix, metres; at most 0.1 s old while `connected`.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                x, y, z = robot.get_current_head_pose()[:3, 3]  # metres
        """
        self._connection.check()
        return self._state.head_pose.copy()

    def get_current_joint_positions(self) -> tuple[list[float], list[float]]:
        """The measured angles of all joints.

        Returns:
            Radians: body_yaw and stewart_1 to stewart_6; then the right and left antenna.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                (body_yaw, *legs), (right, left) = robot.get_current_joint_positions()  # radians
        """
        self._connection.check()
        return list(self._state.head_joints), list(self._state.antennas)

    def get_present_antenna_joint_positions(self) -> list[float]:
        """The measured angles of the right and left antenna.

        Returns:
            Radians: right, left.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                right, left = robot.get_present_antenna_joint_positions()  # radians
        """
        return self.get_current_joint_positions()[1]

    @property
    def imu(self) -> InertialReading | None:
        """What the inertial sensor in a wireless robot's head measures.

        Returns:
            A dictionary with `accelerometer` (m/s², 9.81 upwards at rest) and `gyroscope` (rad/s), both in the head's
            frame, `quaternion` (w, x, y, z; the head in the world) and `temperature` (°C); at most 0.1 s old while
            `connected`. None for a robot without the sensor.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                if robot.imu is not None:
                    print(robot.imu["accelerometer"])  # m/s²
        """
        self._connection.check()
        imu = self._state.imu
        return None if imu is None else imu.copy()

    @property
    def daemon_status(self) -> Message:
        """The daemon's status, with the fields of `GET /api/daemon/status`; at most a second old while `connected`.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                print(robot.daemon_status["simulation_enabled"])
        """
        self._connection.check()
        return dict(self._state.status)

    def antenna_touched(self, side: Side) -> bool:
        """Whether an antenna was touched since the last call with the same `side`.

        The daemon recognises a touch by the antenna's deviation from its target and by the motor's effort, within 0.2 s
        and long before an overload switches the motor off. The antenna's own motion is no touch.

        Args:
            side: left or right.

        Returns:
            True once per touch.

        Raises:
            ValueError: `side` is neither left nor right.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                if robot.antenna_touched("left"):
                    robot.play_sound("chime")
        """
        self._connection.check()
        return self._state.take_touch(arguments.side(side))

    def on_antenna_touch(self, callback: Callable[[Side], object]) -> Callable[[], None]:
        """Calls back at each touch of an antenna; see `antenna_touched`.

        Args:
            callback: Called with left or right, in a thread of its own; it may move the robot.

        Returns:
            A function that ends the calls.

        Example:
            with Robot() as robot:
                remove = robot.on_antenna_touch(lambda side: print(f"touched {side}"))
                robot.goto_target(antennas=[0.5, -0.5], duration=1.0)  # radians, seconds
                remove()
        """
        return self._state.touches.add(callback)
