"""Pictures of the robot's camera, over HTTP.

Routes: `daemon/http/routes/camera.ts`.
"""

from __future__ import annotations

import io
import json
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from robot_sdk.connection.rate_limited_logger import RateLimitedLogger

# Blue, green, red from 0 to 255, shape (height, width, 3).
Image = NDArray[np.uint8]

# Seconds for the first picture of a robot that has just been started, on a slow machine.
TIMEOUT_S = 30.0


class Camera:
    """Connects for each request: its functions may be called from several threads, which do not wait for each other."""

    def __init__(self, robot_url: str, token: str | None) -> None:
        """Does not connect.

        Args:
            robot_url: Address of the daemon's SDK socket.
            token: The daemon's token, or None.
        """
        self._address = urlsplit(robot_url)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
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

    def _get(self, path: str) -> bytes | None:
        try:
            status, body = self._request(path)
        except OSError as error:
            self._log(str(error) or type(error).__name__, "no picture")
            return None
        if status == 200:
            return body
        self._log(_problem_detail(body) or f"HTTP {status}", "no picture")
        return None

    def _request(self, path: str) -> tuple[int, bytes]:
        # Imported here, because most apps do without and start faster.
        from http.client import HTTPConnection, HTTPException, HTTPSConnection

        kind = HTTPSConnection if self._address.scheme == "wss" else HTTPConnection
        with closing(kind(self._address.hostname or "", self._address.port, timeout=TIMEOUT_S)) as connection:
            try:
                connection.request("GET", path, headers=self._headers)
                response = connection.getresponse()
                return response.status, response.read()
            except HTTPException as error:
                raise ConnectionError(f"the daemon's answer is incomplete ({type(error).__name__})") from error


def _problem_detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return ""
