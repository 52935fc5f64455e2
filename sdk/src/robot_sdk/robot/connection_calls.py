"""The connection of a robot, as an app watches it."""

from __future__ import annotations

from collections.abc import Callable

from robot_sdk.audio.audio import Audio
from robot_sdk.connection.callbacks import Callbacks
from robot_sdk.connection.connection import OUTAGE_S, Connection, logger


class ConnectionCalls:
    """The calls of `Robot` for its connection to the daemon."""

    _audio: Audio
    _automatic_body_yaw: bool
    _connection: Connection
    _connection_changes: Callbacks[bool]

    @property
    def connected(self) -> bool:
        """Whether the daemon is reachable; False during an outage, when the daemon is lost, and after `close`.

        Example:
            with Robot() as robot:
                print("connected" if robot.connected else "waiting for the daemon")
        """
        return self._connection.connected

    def on_connection_change(self, callback: Callable[[bool], object]) -> Callable[[], None]:
        """Calls back at each beginning (False) and end (True) of an outage.

        Args:
            callback: Called with the new value of `connected`, in a thread of its own.

        Returns:
            A function that ends the calls.

        Example:
            with Robot() as robot:
                remove = robot.on_connection_change(lambda connected: print(f"{connected=}"))
                robot.goto_target(body_yaw=0.1, duration=0.5)  # radians, seconds
                remove()
        """
        return self._connection_changes.add(callback)

    @property
    def failure(self) -> str | None:
        """Why the daemon was lost; None while it is not lost, and when it was lost only after the stop event was set.

        Example:
            with Robot() as robot:
                print(robot.failure or "the daemon is there")
        """
        return self._connection.failure or self._audio.failure

    @property
    def lost_after_stop(self) -> bool:
        """Whether the daemon was lost after the stop event was set, which is no failure.

        Example:
            with Robot() as robot:
                print(robot.lost_after_stop)
        """
        return self._connection.lost_after_stop or self._audio.lost_after_stop

    def check(self) -> None:
        """Raises an error when the daemon is lost; does nothing during an outage.

        Raises:
            ConnectionError: The daemon is lost, or `close` was called.

        Example:
            with Robot() as robot:
                robot.check()
        """
        self._connection.check()

    def _connection_changed(self, connected: bool) -> None:
        if not connected:
            logger.warning("the connection to the daemon is interrupted; trying to reconnect for %g s", OUTAGE_S)
        else:
            logger.warning("connected to the daemon again")
            # A restarted daemon has its default for this setting.
            self._connection.send_now({"type": "set_automatic_body_yaw", "enabled": self._automatic_body_yaw})
        self._connection_changes.call(connected)
