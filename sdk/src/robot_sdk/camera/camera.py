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


class Camera:
    """Connects on first use, and keeps its connection. Its functions may be called from several threads."""

    def __init__(self, robot_url: str, token: str | None) -> None:
        """Does not connect yet.

        Args:
            robot_url: Address of the daemon's SDK socket.
            token: The daemon's token, or None.
        """
        self._address = urlsplit(robot_url)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._lock = threading.Lock()
        self._connection: HTTPConnection | None = None
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
        """Closes the connection."""
        with self._lock:
            self._disconnect()

    def _get(self, path: str) -> bytes | None:
        with self._lock:
            # The daemon closes connections that were idle; the first attempt on an old one may fail for that.
            for is_last in (self._connection is None, True):
                try:
                    return self._request(path)
                except OSError as error:
                    self._disconnect()
                    if is_last:
                        self._log(str(error) or type(error).__name__, "no picture")
                        break
        return None

    def _request(self, path: str) -> bytes | None:
        from http.client import HTTPException

        connection = self._connected()
        try:
            connection.request("GET", path, headers=self._headers)
            response = connection.getresponse()
            body = response.read()
        except HTTPException as error:
            raise ConnectionError(f"the daemon's answer is incomplete ({type(error).__name__})") from error
        if response.status == 200:
            return body
        self._log(_detail_of(body) or f"HTTP {response.status}", "no picture")
        return None

    def _connected(self) -> HTTPConnection:
        if self._connection is None:
            # Imported here, because most apps do without and start faster.
            from http.client import HTTPConnection, HTTPSConnection

            kind = HTTPSConnection if self._address.scheme == "wss" else HTTPConnection
            self._connection = kind(self._address.hostname or "", self._address.port, timeout=TIMEOUT_S)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _detail_of(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return ""
