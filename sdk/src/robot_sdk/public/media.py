"""Gives the public SDK the microphone, the speaker and the camera of the daemon.

The SDK itself opens them with GStreamer, next to a media server that owns the devices. Here they belong to the daemon,
and everybody hears and sees the same: apps of both SDKs, the dashboard, a recording.
"""

from __future__ import annotations

import logging
import sys
from types import ModuleType
from typing import Any

from robot_sdk.public.camera import DaemonCamera
from robot_sdk.public.local_audio import LocalAudio

# Where the SDK has its class of local sound, which it asks for with isinstance().
AUDIO_MODULE = "reachy_mini.media.audio_gstreamer"

log = logging.getLogger(__name__)


def adapt(module: ModuleType) -> None:
    """Lets robots of the SDK use the daemon's sound, unless the app asks for no media.

    Args:
        module: The SDK's module with the class of the robot.
    """
    robot_class = getattr(module, "ReachyMini", None)
    configure = getattr(robot_class, "_configure_mediamanager", None)
    if robot_class is None or configure is None:
        log.warning("This version of the public SDK is not known: its sound does not reach the robot.")
        return
    stand_in = ModuleType(AUDIO_MODULE)
    stand_in.GStreamerAudio = LocalAudio  # type: ignore[attr-defined]
    sys.modules[AUDIO_MODULE] = stand_in

    def configure_with_daemon(self: Any, media_backend: str, log_level: str) -> Any:
        if media_backend.lower() == "no_media":
            return configure(self, media_backend, log_level)
        backends = module.MediaBackend
        manager = module.MediaManager(backend=backends.NO_MEDIA, log_level=log_level)
        manager.backend = backends.LOCAL if hasattr(backends, "LOCAL") else backends.DEFAULT
        url = f"ws://{self.client.host}:{self.client.port}/ws/sdk"
        # The daemon names a camera if it has one.
        name = getattr(self.client.get_status(), "camera_specs_name", "")
        if name and hasattr(module, "get_camera_specs_by_name"):
            manager.camera = DaemonCamera(url, module.get_camera_specs_by_name(name), log_level)
        manager.audio = LocalAudio(log_level, url)
        return manager

    robot_class._configure_mediamanager = configure_with_daemon
