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
        self._is_dropped = False

    def deliver(self, message: str) -> None:
        """Called by the controlling thread: nobody runs."""
        self._messages.append(message)

    def drop(self) -> None:
        """The connection is lost. Called by the controlling thread: nobody runs."""
        self._is_dropped = True

    def recv(self, timeout: float | None = None) -> str:
        """The next message.

        Raises:
            TimeoutError: None came.
            ConnectionClosedOK: `close` was called.
            ConnectionClosedError: `drop` was called.
        """
        from websockets.exceptions import ConnectionClosedOK

        def has_news() -> bool:
            return bool(self._messages) or self._is_closed or self._is_dropped

        scheduler = self._connection.scheduler
        if not has_news():
            scheduler.park(WaitingThread(scheduler.deadline(timeout), has_news))
        if self._is_closed:
            raise ConnectionClosedOK(None, None)
        self._check()
        if not self._messages:
            raise TimeoutError
        return self._messages.popleft()

    def send(self, message: str | bytes) -> None:
        """Sends a text; sound is dropped. Raises ConnectionClosedError after `drop`."""
        self._check()
        if isinstance(message, str):
            self._connection.send(message)

    def close(self) -> None:
        """Ends `recv`."""
        self._is_closed = True

    def _check(self) -> None:
        from websockets.exceptions import ConnectionClosedError

        if self._is_dropped:
            raise ConnectionClosedError(None, None)

    def __enter__(self) -> VirtualSocket:
        """Connects."""
        self._connection.sockets.append(self)
        self._connection.send('{"connect": true}')
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the connection."""
        self.close()
        self._connection.sockets.remove(self)
