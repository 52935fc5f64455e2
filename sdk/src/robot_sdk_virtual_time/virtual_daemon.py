"""The daemon's REST interface in the app's process: the robot of the test answers its requests."""

from __future__ import annotations

import _socket
import contextlib
import socket
import threading
import zlib
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from robot_sdk_virtual_time.scheduler import WaitingThread

if TYPE_CHECKING:
    from robot_sdk_virtual_time.connection_to_test import ConnectionToTest

PORT = 8000
"""Where apps of both SDKs look for the daemon."""


class VirtualDaemon:
    """Listens on a port of this machine, in threads that take part in virtual time."""

    def __init__(self, connection: ConnectionToTest) -> None:
        """It listens from the first call of `port` on."""
        self._connection = connection
        self._listener: socket.socket | None = None

    def port(self) -> int:
        """The port to connect to instead of `PORT`.

        Raises:
            ConnectionRefusedError: The test has disconnected the app.
        """
        self._connection.check_reachable()
        if self._listener is None:
            self._listener = socket.socket()
            # The original method: the replaced one would list this port among those of the app.
            _socket.socket.bind(self._listener, ("127.0.0.1", 0))
            self._listener.listen()
            threading.Thread(target=self._serve, args=(self._listener,), name="test daemon", daemon=True).start()
        port: int = self._listener.getsockname()[1]
        return port

    def _serve(self, listener: socket.socket) -> None:
        from http.server import BaseHTTPRequestHandler

        connection = self._connection

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, kind, content = connection.request(self.command, self.path, body.decode("utf8", "replace"))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

            def log_message(self, *_arguments: object) -> None:
                pass

        def handle(end: socket.socket, address: Any) -> None:
            # Raised when the app has closed the connection.
            with end, contextlib.suppress(OSError):
                Handler(end, address, None)  # type: ignore[arg-type]

        while True:
            end, address = listener.accept()
            threading.Thread(target=handle, args=(end, address), name="test daemon", daemon=True).start()


class PendingRequests:
    """Requests of the app to the daemon that wait for the test's answers."""

    def __init__(self) -> None:
        self._number = 0
        self._answers: dict[int, tuple[int, str, bytes]] = {}
        self._new: list[dict[str, object]] = []

    def add(self, method: str, path: str, body: str) -> int:
        """Adds a request. Returns its number."""
        self._number += 1
        self._new.append({"id": self._number, "method": method, "path": path, "body": body})
        return self._number

    def take_new(self) -> list[dict[str, object]]:
        """The requests since the last call."""
        new, self._new = self._new, []
        return new

    def deliver(self, answers: list[dict[str, Any]]) -> None:
        """Takes answers: `id`, `status`, `type`, `body` (zlib, base64). Called by the controlling thread.

        No other thread runs meanwhile.
        """
        for answer in answers:
            body = zlib.decompress(b64decode(answer["body"]))
            self._answers[int(answer["id"])] = (int(answer["status"]), str(answer["type"]), body)

    def waiter(self, number: int) -> WaitingThread:
        """What to park with the scheduler until the answer to a request is there."""
        return WaitingThread(None, lambda: number in self._answers)

    def answer(self, number: int) -> tuple[int, str, bytes]:
        """Takes status, media type and body of an answer.

        Raises:
            KeyError: The answer is not there yet, or was taken.
        """
        return self._answers.pop(number)
