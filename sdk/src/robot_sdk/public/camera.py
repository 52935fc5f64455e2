"""The daemon's camera, with the methods of the public SDK's class."""

from __future__ import annotations

import copy
import logging
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_sdk.camera.camera import Camera, Image

Matrix = NDArray[np.float64]


class DaemonCamera:
    """Shows what the head of a robot sees: the same pictures as for apps of our own SDK."""

    def __init__(self, robot_url: str, specs: Any, log_level: str = "INFO") -> None:
        """Asks the daemon for the camera's resolution and matrix.

        Args:
            robot_url: Address of the daemon's SDK socket.
            specs: The SDK's description of a camera of this name; used for what the daemon does not say.
            log_level: A level of `logging`.
        """
        self.logger = logging.getLogger(__name__)
        self.logger.setLevel(log_level)
        self._camera = Camera(robot_url, os.environ.get("ROBOT_DAEMON_TOKEN"))
        self.camera_specs = copy.copy(specs)
        self._resolution = tuple(int(size) for size in specs.default_resolution.value[:2])
        self._rate = 30
        described = self._camera.get_specs()
        if described is not None:
            # Those of the SDK are for pictures of another size.
            self.camera_specs.K = np.array(described["K"], dtype=np.float64)
            self.camera_specs.D = np.array(described["D"], dtype=np.float64)
            resolution = described["default_resolution"]
            self._resolution = (int(resolution["width"]), int(resolution["height"]))
            self._rate = int(resolution["fps"])

    @property
    def resolution(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self._resolution
        return width, height

    @property
    def framerate(self) -> int:
        """The most pictures a second that the daemon makes."""
        return self._rate

    @property
    def K(self) -> Matrix:  # noqa: N802 - the name that apps use
        """The camera's matrix."""
        return np.asarray(self.camera_specs.K, dtype=np.float64)

    @property
    def D(self) -> Matrix:  # noqa: N802 - the name that apps use
        """Its distortion."""
        return np.asarray(self.camera_specs.D, dtype=np.float64)

    def set_resolution(self, _resolution: object) -> None:
        """Keeps the only resolution that there is, as the SDK's own simulated camera does."""

    def open(self) -> None:
        """Does nothing: pictures are made when they are read."""

    def read(self) -> Image | None:
        """The next picture: blue, green, red, shape (height, width, 3).

        Waits until the daemon has made it: it makes at most `framerate` pictures a second, fewer on a slow machine.
        """
        return self._camera.get_frame()

    def read_jpeg(self) -> bytes | None:
        """The next picture as JPEG."""
        return self._camera.get_jpeg()

    def close(self) -> None:
        """Does nothing: no connection is kept between pictures."""
