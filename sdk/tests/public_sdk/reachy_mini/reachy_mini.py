"""The parts of the public SDK that decide about media, as far as the adapter relies on them.

`npm run ecosystem` runs the adapter with the real SDK; this stands in for it where the package index is not used.
"""

from enum import Enum
from types import SimpleNamespace
from typing import Any


class MediaBackend(Enum):
    NO_MEDIA = "no_media"
    LOCAL = "local"


class MediaManager:
    def __init__(self, backend: MediaBackend, log_level: str) -> None:
        self.backend = backend
        self.camera: Any = None
        self.audio: Any = None


class ReachyMini:
    def __init__(self, port: int, media_backend: str = "default") -> None:
        self.client = SimpleNamespace(host="127.0.0.1", port=port)
        self.media = self._configure_mediamanager(media_backend, "INFO")

    def _configure_mediamanager(self, media_backend: str, log_level: str) -> MediaManager:
        return MediaManager(backend=MediaBackend.NO_MEDIA, log_level=log_level)
