"""The daemon's REST interface in the app's process: the robot of the test answers its requests."""

from __future__ import annotations

import _socket
import contextlib
import socket
import threading
from typing import Any

from robot_sdk_virtual_time.exchange import Exchange

PORT = 8000
"""Where apps of both SDKs look for the daemon."""


class VirtualDaemon:
    """Listens on a port of this machine, in threads that take part in virtual time."""

    def __init__(self, exchange: Exchange) -> None:
        """It listens from the first call of `port` on."""
        self._exchange = exchange
        self._listener: socket.socket | None = None

    def port(self) -> int:
        """The port to connect to instead of `PORT`.

        Raises:
            ConnectionRefusedError: The test has disconnected the app.
        """
        self._exchange.check_reachable()
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

        exchange = self._exchange

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, kind, content = exchange.request(self.command, self.path, body.decode("utf8", "replace"))
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
