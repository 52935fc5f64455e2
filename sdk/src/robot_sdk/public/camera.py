"""The camera of the simulated robot, with the methods of the public SDK's class."""

from __future__ import annotations

import io
import logging
import time
from importlib import import_module
from typing import Any

import numpy as np

from robot_sdk.public.picture import Image, Matrix, draw

# Pictures a second.
RATE = 30


class SimulatedCamera:
    """Draws what the head of a robot looks at."""

    def __init__(self, robot: Any, specs: Any, log_level: str = "INFO") -> None:
        """Draws nothing yet.

        Args:
            robot: The SDK's robot.
            specs: The SDK's description of the camera.
            log_level: A level of `logging`.
        """
        self.logger = logging.getLogger(__name__)
        self.logger.setLevel(log_level)
        self.camera_specs = specs
        self._robot = robot
        self._next = 0.0
        self._told = False

    @property
    def resolution(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.camera_specs.default_resolution.value[:2]
        return int(width), int(height)

    @property
    def framerate(self) -> int:
        """Pictures a second."""
        return RATE

    @property
    def K(self) -> Matrix:  # noqa: N802 - the name that apps use
        """The camera's matrix."""
        return np.asarray(self.camera_specs.K, dtype=np.float64)

    @property
    def D(self) -> Matrix:  # noqa: N802 - the name that apps use
        """Its distortion: none."""
        return np.asarray(self.camera_specs.D, dtype=np.float64)

    def set_resolution(self, _resolution: object) -> None:
        """Keeps the only resolution that there is, as the SDK's own simulated camera does."""

    def open(self) -> None:
        """Does nothing: pictures are drawn when they are read."""

    def read(self) -> Image | None:
        """The next picture: blue, green, red, shape (height, width, 3). Waits until it is due, 30 times a second."""
        now = time.monotonic()
        time.sleep(max(0.0, min(self._next - now, 1 / RATE)))
        self._next = max(now, self._next) + 1 / RATE
        pose = self._robot.get_current_head_pose() @ self._robot.T_head_cam
        return draw(np.asarray(pose)[:3, :3], self.K, self.resolution)

    def read_jpeg(self) -> bytes | None:
        """The next picture as JPEG, where OpenCV or Pillow is installed; else None."""
        picture = self.read()
        assert picture is not None
        try:
            return bytes(import_module("cv2").imencode(".jpg", picture)[1])
        except ImportError:
            pass
        try:
            buffer = io.BytesIO()
            import_module("PIL.Image").fromarray(picture[..., ::-1]).save(buffer, "JPEG")
            return buffer.getvalue()
        except ImportError:
            if not self._told:
                self.logger.warning("No picture as JPEG: install opencv-python or Pillow.")
            self._told = True
            return None

    def close(self) -> None:
        """Does nothing."""
