"""The SDK's connection to the robot of a test."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from robot_sdk_virtual_time.scheduler import WaitingThread

if TYPE_CHECKING:
    from robot_sdk_virtual_time.connection_to_test import ConnectionToTest


class VirtualSocket:
    """The connection of the SDK to the robot of the test, with the methods of `websockets` that the SDK uses."""

    def __init__(self, connection: ConnectionToTest) -> None:
        self._connection = connection
        self._messages: deque[str] = deque()
        self._is_closed = False

    def deliver(self, message: str) -> None:
        """Called by the controlling thread: nobody runs."""
        self._messages.append(message)

    def recv(self, timeout: float | None = None) -> str:
        """The next message. Raises TimeoutError, or ConnectionClosedOK after `close`."""
        from websockets.exceptions import ConnectionClosedOK

        scheduler = self._connection.scheduler
        if not self._messages and not self._is_closed:
            scheduler.park(WaitingThread(scheduler.deadline(timeout), lambda: bool(self._messages) or self._is_closed))
        if self._is_closed:
            raise ConnectionClosedOK(None, None)
        if not self._messages:
            raise TimeoutError
        return self._messages.popleft()

    def send(self, message: str | bytes) -> None:
        """Sends a text; sound is dropped."""
        if isinstance(message, str):
            self._connection.send(message)

    def close(self) -> None:
        """Ends `recv`."""
        self._is_closed = True

    def __enter__(self) -> VirtualSocket:
        """Connects."""
        self._connection.sockets.append(self)
        self._connection.send('{"connect": true}')
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the connection."""
        self.close()
        self._connection.sockets.remove(self)
