"""An app of the public SDK: says what it sees, hears and speaks."""

import os
import site
import time
from pathlib import Path

import numpy as np

import robot_sdk

# As Python does at its start with the folder that robot-sdk is installed in.
site.addsitedir(str(Path(robot_sdk.__file__).parents[1]))

from reachy_mini.reachy_mini import ReachyMini

port = int(os.environ["PORT"])
assert ReachyMini(port, "no_media").media.audio is None
media = ReachyMini(port).media
print(media.backend.value, flush=True)
picture = media.camera.read()
print(picture.shape, picture.dtype, media.camera.resolution, flush=True)
print(picture[0, 0].tolist(), media.camera.K[0, 0], media.camera.D.tolist(), flush=True)
audio = media.audio
assert audio.get_audio_sample() is None
audio.start_recording()
deadline = time.monotonic() + 60
heard = None
while heard is None and time.monotonic() < deadline:
    heard = audio.get_audio_sample()
assert heard is not None, "nothing was heard"
print(heard.shape, heard.dtype, heard[:, 0].tolist(), flush=True)
offsets: list[tuple[float, ...]] = []
audio.enable_wobbling(offsets.append)
audio.push_audio_sample(np.full((800, 2), 0.5, dtype=np.float32))
while not offsets and time.monotonic() < deadline:
    time.sleep(0.01)
print(offsets[0], flush=True)
audio.stop_playing()
print(offsets[-1], flush=True)
audio.stop_recording()
audio.cleanup()
