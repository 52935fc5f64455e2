"""Pictures of the robot's camera, over HTTP.

Routes: `daemon/http/routes/camera.ts`.
"""

from __future__ import annotations

import io
import json
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from robot_sdk.connection.rate_limited_logger import RateLimitedLogger

if TYPE_CHECKING:
    from http.client import HTTPConnection

# Blue, green, red from 0 to 255, shape (height, width, 3).
Image = NDArray[np.uint8]

# Seconds for the first picture of a robot that has just been started.
TIMEOUT_S = 10.0
# More threads than this rarely look at the same time; a connection beyond it is closed after its request.
MAX_IDLE_CONNECTIONS = 4


class Camera:
    """Connects on first use, and keeps its connection.

    Its functions may be called from several threads, which do not wait for each other: each has a connection of its own
    during a request.
    """

    def __init__(self, robot_url: str, token: str | None) -> None:
        """Does not connect yet.

        Args:
            robot_url: Address of the daemon's SDK socket.
            token: The daemon's token, or None.
        """
        self._address = urlsplit(robot_url)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._lock = threading.Lock()
        # Connections that no request uses.
        self._idle: list[HTTPConnection] = []
        self._log = RateLimitedLogger()

    def get_frame(self) -> Image | None:
        """The next picture; None when there is none, which is logged."""
        body = self._get("/api/camera/frame?format=npy")
        if body is None:
            return None
        frame: Image = np.load(io.BytesIO(body), allow_pickle=False)
        return frame

    def get_jpeg(self) -> bytes | None:
        """The next picture as JPEG; None when there is none, which is logged."""
        return self._get("/api/camera/frame")

    def get_specs(self) -> dict[str, Any] | None:
        """Resolution, matrix and distortion, as `GET /api/camera/specs` has them; None without a camera."""
        body = self._get("/api/camera/specs")
        return None if body is None else dict(json.loads(body))

    def close(self) -> None:
        """Closes the connections; one that a request still uses is closed after it."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _get(self, path: str) -> bytes | None:
        idle = self._idle
        connection = self._take_from(idle)
        if connection is not None:
            try:
                return self._request(connection, path, idle)
            except OSError:
                # The daemon closes connections that were idle. A new one shows whether it is there.
                pass
        try:
            return self._request(self._new_connection(), path, idle)
        except OSError as error:
            self._log(str(error) or type(error).__name__, "no picture")
            return None

    def _request(self, connection: HTTPConnection, path: str, idle: list[HTTPConnection]) -> bytes | None:
        from http.client import HTTPException

        is_complete = False
        try:
            connection.request("GET", path, headers=self._headers)
            response = connection.getresponse()
            body = response.read()
            is_complete = True
        except HTTPException as error:
            raise ConnectionError(f"the daemon's answer is incomplete ({type(error).__name__})") from error
        finally:
            if not (is_complete and self._give_back(connection, idle)):
                connection.close()
        if response.status == 200:
            return body
        self._log(_problem_detail(body) or f"HTTP {response.status}", "no picture")
        return None

    def _take_from(self, idle: list[HTTPConnection]) -> HTTPConnection | None:
        with self._lock:
            return idle.pop() if idle else None

    def _give_back(self, connection: HTTPConnection, idle: list[HTTPConnection]) -> bool:
        """Keeps a connection for the next request, unless the camera was closed meanwhile."""
        with self._lock:
            if idle is not self._idle or len(idle) >= MAX_IDLE_CONNECTIONS:
                return False
            idle.append(connection)
            return True

    def _new_connection(self) -> HTTPConnection:
        # Imported here, because most apps do without and start faster.
        from http.client import HTTPConnection, HTTPSConnection

        kind = HTTPSConnection if self._address.scheme == "wss" else HTTPConnection
        return kind(self._address.hostname or "", self._address.port, timeout=TIMEOUT_S)


def _problem_detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return ""
