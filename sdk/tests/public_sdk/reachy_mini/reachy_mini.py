"""The parts of the public SDK that decide about media, as far as the adapter relies on them.

`npm run ecosystem` runs the adapter with the real SDK; this stands in for it where the package index is not used.
"""

from enum import Enum
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray


class MediaBackend(Enum):
    NO_MEDIA = "no_media"
    LOCAL = "local"


def get_camera_specs_by_name(name: str) -> Any:
    resolution = SimpleNamespace(value=(1280, 720, 60))
    matrix = np.array([[1280, 0, 640], [0, 1280, 360], [0, 0, 1.0]])
    return SimpleNamespace(name=name, default_resolution=resolution, K=matrix, D=np.zeros(5))


class MediaManager:
    def __init__(self, backend: MediaBackend, log_level: str) -> None:
        self.backend = backend
        self.camera: Any = None
        self.audio: Any = None


class ReachyMini:
    def __init__(self, port: int, media_backend: str = "default") -> None:
        status = SimpleNamespace(camera_specs_name="mujoco")
        self.client = SimpleNamespace(host="127.0.0.1", port=port, get_status=lambda: status)
        # The camera looks forward: its x axis points right, y down, z forward.
        self.T_head_cam = np.array([[0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])
        self.media = self._configure_mediamanager(media_backend, "INFO")

    def get_current_head_pose(self) -> NDArray[np.float64]:
        return np.eye(4)

    def _configure_mediamanager(self, media_backend: str, log_level: str) -> MediaManager:
        return MediaManager(backend=MediaBackend.NO_MEDIA, log_level=log_level)
