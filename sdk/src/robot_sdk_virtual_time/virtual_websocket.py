"""The SDK's connection to the robot of a test."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterator

from robot_sdk_virtual_time.exchange import AUDIO, ROBOT, Exchange
from robot_sdk_virtual_time.scheduler import WaitingThread

AUDIO_CONNECT = "#connect"
"""How the test learns that the audio socket is opened; it gets the headers of the other one."""


class VirtualWebSocket:
    """A connection of an SDK to the robot of the test, with the methods of `websockets` that the SDKs use."""

    def __init__(self, exchange: Exchange, name: str, headers: dict[str, str]) -> None:
        """Connects.

        Args:
            exchange: With the test.
            name: `ROBOT` or `AUDIO`.
            headers: Of the client's request, with names in lower case; they tell the robot which SDK it is.
        """
        self.name = name
        self._exchange = exchange
        self._messages: deque[str | bytes] = deque()
        self._is_closed = False
        self._is_dropped = False
        exchange.sockets.append(self)
        exchange.send(name, json.dumps({"connect": headers}) if name == ROBOT else AUDIO_CONNECT)

    def deliver(self, messages: list[str]) -> None:
        """Takes JSON, and samples in base64. Called by the controlling thread: nobody runs."""
        self._messages += [text if text.startswith("{") else b64decode(text) for text in messages]

    def drop(self) -> None:
        """The connection is lost. Called by the controlling thread: nobody runs."""
        self._is_dropped = True

    def recv(self, timeout: float | None = None) -> str | bytes:
        """The next message.

        Raises:
            TimeoutError: None came.
            ConnectionClosedOK: `close` was called.
            ConnectionClosedError: `drop` was called.
        """

        def has_news() -> bool:
            return bool(self._messages) or self._is_closed or self._is_dropped

        scheduler = self._exchange.scheduler
        if not has_news():
            scheduler.park(WaitingThread(scheduler.deadline(timeout), has_news))
        self._check()
        if not self._messages:
            raise TimeoutError
        return self._messages.popleft()

    def send(self, message: str | bytes) -> None:
        """Sends a text or samples. Raises ConnectionClosed after `drop` and `close`."""
        self._check()
        self._exchange.send(self.name, message if isinstance(message, str) else b64encode(message).decode())

    def close(self, *_reason: object) -> None:
        """Ends `recv`, and what the app plays."""
        if self.name == AUDIO and not self._is_closed and not self._is_dropped:
            self._exchange.send(self.name, "#close")
        self._is_closed = True
        if self in self._exchange.sockets:
            self._exchange.sockets.remove(self)

    def __iter__(self) -> Iterator[str | bytes]:
        """The messages, until the connection is closed. Raises ConnectionClosedError after `drop`."""
        from websockets.exceptions import ConnectionClosedOK

        try:
            while True:
                yield self.recv()
        except ConnectionClosedOK:
            return

    def _check(self) -> None:
        from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK

        if self._is_dropped:
            raise ConnectionClosedError(None, None)
        if self._is_closed:
            raise ConnectionClosedOK(None, None)

    def __enter__(self) -> VirtualWebSocket:
        """This connection."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the connection."""
        self.close()
