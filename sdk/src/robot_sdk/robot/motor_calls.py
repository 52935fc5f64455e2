"""Motors on and off, as an app switches them."""

from __future__ import annotations

from collections.abc import Collection

from robot_sdk.connection.connection import Connection
from robot_sdk.robot import arguments


class MotorCalls:
    """The calls of `Robot` for its motors."""

    _connection: Connection

    def enable_motors(self, ids: Collection[str] | None = None) -> None:
        """Switches motors on; they hold their current angles.

        Args:
            ids: Joints: body_yaw, stewart_1 to stewart_6, right_antenna, left_antenna. None means all.

        Raises:
            ValueError: A name is not that of a joint.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.enable_motors()
        """
        self._connection.send({"type": "set_torque", "on": True, "ids": arguments.joints(ids)})

    def disable_motors(self, ids: Collection[str] | None = None) -> None:
        """Switches motors off; the head may sink.

        Args:
            ids: Joints: body_yaw, stewart_1 to stewart_6, right_antenna, left_antenna. None means all.

        Raises:
            ValueError: A name is not that of a joint.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.disable_motors(ids=["right_antenna", "left_antenna"])
        """
        self._connection.send({"type": "set_torque", "on": False, "ids": arguments.joints(ids)})

    def enable_gravity_compensation(self) -> None:
        """Lets people move the head by hand while the motors carry its weight.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.enable_gravity_compensation()
        """
        self._connection.send({"type": "set_gravity_compensation", "enabled": True})

    def disable_gravity_compensation(self) -> None:
        """Ends the gravity compensation; the motors hold their angles again.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.disable_gravity_compensation()
        """
        self._connection.send({"type": "set_gravity_compensation", "enabled": False})
