"""Camera, microphone and speaker of the public SDK: the longer rows of sdk_surface.py."""

import json
import math
import urllib.error
import urllib.request

import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose
from surface_table import until

# An orange ball on the table of the simulated robot, and the proportions of blue, green and red in its colour.
BALL = {"name": "ball 1", "shape": {"kind": "ball", "radius": 0.04}, "mass": 0.2, "position": [0.6, 0.1, 0.04]}
BALL_COLOUR = np.array([0x3A, 0x60, 0xE2]) / (0x3A + 0x60 + 0xE2)
MIDDLE = (640, 360)


class Devices:
    """The devices of a connected robot, whose daemon listens on `port`."""

    def __init__(self, mini: ReachyMini, port: int) -> None:
        self.mini = mini
        self.port = port

    def picture(self) -> np.ndarray:
        """What the camera sees, BGR; versions that do not name their camera have none here."""
        if getattr(self.mini.media, "camera", None) is None:
            raise AttributeError("'MediaManager' object has no attribute 'camera'")
        return self.mini.media.get_frame()

    def put_ball(self) -> None:
        """Puts the ball on the table, unless it is there already."""
        body = json.dumps(BALL).encode()
        headers = {"Content-Type": "application/json"}
        url = f"http://localhost:{self.port}/api/simulation/objects"
        try:
            urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=10).close()
        except urllib.error.HTTPError as refused:
            refused.close()

    def find_ball(self) -> tuple[float, float] | None:
        """Where the ball is in the picture, pixels; None when it cannot be seen."""
        frame = self.picture().astype(float)
        share = frame / np.maximum(frame.sum(axis=2, keepdims=True), 1)
        rows, columns = np.nonzero(np.abs(share - BALL_COLOUR).max(axis=2) < 0.02)
        return None if len(rows) < 100 else (float(columns.mean()), float(rows.mean()))

    def look_at_ball(self) -> str:
        """Looks at the pixel where the ball is, and expects it in the middle afterwards."""
        self.picture()
        self.put_ball()
        self.mini.goto_target(create_head_pose(), body_yaw=0.0, duration=0.5)
        until("the ball is not in the picture", lambda: self.find_ball() is not None)
        x, y = self.find_ball() or (math.nan, math.nan)
        self.mini.look_at_image(int(x), int(y), duration=0.5)
        until("the ball is not in the middle", lambda: math.dist(self.find_ball() or (0, 0), MIDDLE) < 60)
        return f"the ball came from {x:.0f}, {y:.0f} to the middle"

    def release_and_acquire(self) -> None:
        """Gives the devices back and takes them again."""
        self.mini.release_media()
        released = self.mini.media_released
        self.mini.acquire_media()
        if not released or self.mini.media_released:
            raise AssertionError(f"released {released}, then {self.mini.media_released}")

    def loudest_sample(self) -> str:
        """Listens for at most ten seconds, until somebody speaks in the recording that the microphone plays."""
        media = self.mini.media
        heard = [0.0]

        def is_loud() -> bool:
            sample = media.get_audio_sample()
            if sample is not None:
                if sample.shape[1] != media.get_input_channels() or sample.dtype != np.float32:
                    raise AssertionError(f"samples are {sample.dtype}, {sample.shape}")
                heard[0] = max(heard[0], float(np.abs(sample).max()))
            return heard[0] > 0.02

        until("nobody spoke", is_loud, 10)
        return f"loudest sample {heard[0]:.2f}, {media.get_input_audio_samplerate()} a second"

    def sway(self) -> str:
        """Plays a tone with the head's movements switched on."""
        mini = self.mini
        rate = mini.media.get_output_audio_samplerate()
        tone = (0.5 * np.sin(2 * np.pi * 220 * np.arange(2 * rate) / rate)).astype(np.float32)
        mini.goto_target(create_head_pose(), duration=0.3)
        mini.enable_wobbling()
        before = mini.get_current_head_pose()
        mini.media.push_audio_sample(tone.reshape(-1, 1))
        until("the head did not move", lambda: np.abs(mini.get_current_head_pose() - before).max() > 0.01, 5)
        mini.disable_wobbling()
        return "heard, and the head moves with it"
