"""The public SDK's local sound, over the daemon's audio socket."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_sdk.audio.audio import Audio
from robot_sdk.audio.samples import MAX_LOUDNESS, SAMPLE_RATE
from robot_sdk.public.wobbler import Wobbler

# As on the robot: what is recorded has two equal channels.
CHANNELS = 2
# Seconds for connecting.
TIMEOUT_S = 5.0
# An app may push a whole answer at once; of more than this, the oldest is dropped.
MAX_WAITING_S = 120
# Samples of one message.
PIECE = SAMPLE_RATE // 10


class LocalAudio:
    """Has the methods of `GStreamerAudio` of the public SDK. None waits for the speaker or raises for a lost daemon."""

    SAMPLE_RATE = SAMPLE_RATE
    CHANNELS = CHANNELS

    def __init__(self, log_level: str = "INFO", robot_url: str = "ws://localhost:8000/ws/sdk") -> None:
        """Does not connect yet.

        Args:
            log_level: A level of `logging`.
            robot_url: Address of the daemon's SDK socket.
        """
        self.logger = logging.getLogger(__name__)
        self.logger.setLevel(log_level)
        self._audio = Audio(robot_url, os.environ.get("ROBOT_DAEMON_TOKEN"), None, TIMEOUT_S)
        self._recording = False
        self._waiting: deque[NDArray[np.float32]] = deque()
        self._waiting_samples = 0
        self._changed = threading.Condition()
        self._speaker: threading.Thread | None = None
        self._closed = False
        self._reported: set[str] = set()
        self.wobbler: Wobbler | None = None

    # Microphone

    def start_recording(self) -> None:
        """Starts to hear."""
        self._recording = self._try(self._audio.start_recording)

    def stop_recording(self) -> None:
        """Ends hearing; does nothing while nothing is recorded."""
        if self._recording:
            self._recording = False
            self._try(self._audio.stop_recording)

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """What was heard since the last call, shape (n, 2); None when that is nothing."""
        if not self._recording:
            return None
        heard: list[NDArray[np.float32] | None] = [None]
        self._try(lambda: heard.__setitem__(0, self._audio.get_audio_sample()))
        samples = heard[0]
        return None if samples is None else np.column_stack((samples,) * CHANNELS)

    def get_DoA(self) -> tuple[float, bool] | None:  # noqa: N802 - the name that apps call
        """None: the direction of a sound needs several microphones."""
        return None

    # Speaker

    def start_playing(self) -> None:
        """Does nothing but to prepare the head's movements: the speaker plays whenever it has samples."""
        if self.wobbler is not None:
            self.wobbler.start()

    def push_audio_sample(self, data: NDArray[Any]) -> None:
        """Plays samples after those that wait; returns at once.

        Args:
            data: Floats from -1 to 1, shape (n,) or (n, channels).
        """
        samples = np.nan_to_num(np.asarray(data, dtype=np.float32)).clip(-MAX_LOUDNESS, MAX_LOUDNESS)
        if samples.ndim == 2:
            samples = samples.mean(axis=1, dtype=np.float32)
        with self._changed:
            self._waiting.extend(samples[start : start + PIECE] for start in range(0, len(samples), PIECE))
            self._waiting_samples += len(samples)
            while self._waiting_samples > MAX_WAITING_S * SAMPLE_RATE:
                self._take()
                self._report_once(f"more than {MAX_WAITING_S} s wait to be played: the oldest are dropped")
            if self._speaker is None and not self._closed:
                self._speaker = threading.Thread(target=self._play, name="robot speaker", daemon=True)
                self._speaker.start()
            self._changed.notify()

    def play_sound(self, sound_file: str) -> None:
        """Plays a WAV file, or a sound of the SDK or the robot by its name.

        Raises:
            FileNotFoundError: There is no such file.
        """
        path = Path(sound_file)
        if not path.exists():
            path = _assets() / sound_file
        known = path.stem in ("wake_up", "go_sleep") and not Path(sound_file).exists()
        if not path.exists() and not known:
            raise FileNotFoundError(f"There is no sound {sound_file}, neither as a path nor in {_assets()}.")
        if path.exists() and path.suffix.lower() != ".wav":
            hint = "only WAV files are; convert it with ffmpeg -i FILE sound.wav"
            self._report_once(f"{path.name} is not played: {hint}")
            return
        sound = path if path.exists() else Path({"go_sleep": "sleep"}.get(path.stem, path.stem))
        self._try(lambda: self._audio.play_sound(sound))

    def clear_player(self) -> None:
        """Drops what waits to be played, at once."""
        with self._changed:
            self._drop_all()
        if self.wobbler is not None:
            self.wobbler.reset()
        self._try(self._audio.drop)

    def clear_output_buffer(self) -> None:
        """As `clear_player`."""
        self.clear_player()

    def stop_playing(self) -> None:
        """As `clear_player`."""
        self.clear_player()

    def set_max_output_buffers(self, max_buffers: int) -> None:
        """Does nothing: what waits is limited here."""

    # The head moves while the robot speaks.

    def enable_wobbling(self, callback: Callable[[tuple[float, ...]], None]) -> None:
        """Moves the head with what is played.

        Args:
            callback: Gets offsets of the head: x, y, z in metres, roll, pitch, yaw in radians.
        """
        self.disable_wobbling()
        try:
            self.wobbler = Wobbler(callback, SAMPLE_RATE)
        except ImportError:
            self._report_once("the head does not move with speech: this version of the public SDK cannot")

    def disable_wobbling(self) -> None:
        """Ends that."""
        wobbler, self.wobbler = self.wobbler, None
        if wobbler is not None:
            wobbler.close()

    # Files of the SDK's media server

    def upload_sound(self, sound_file: str) -> str:
        """The same path: the file is on this machine."""
        return sound_file

    def list_sounds(self) -> list[str]:
        """An empty list, as for the SDK's local sound."""
        return []

    def delete_sound(self, _filename: str) -> bool:
        """False, as for the SDK's local sound."""
        return False

    def apply_audio_config(self, *_config: object, **_options: object) -> bool:
        """False: there is no sound chip to set up."""
        return False

    def get_input_audio_samplerate(self) -> int:
        """Samples per second of the microphone."""
        return SAMPLE_RATE

    def get_output_audio_samplerate(self) -> int:
        """Samples per second of the speaker."""
        return SAMPLE_RATE

    def get_input_channels(self) -> int:
        """Channels of what is recorded."""
        return CHANNELS

    def get_output_channels(self) -> int:
        """Channels of what is played."""
        return CHANNELS

    def cleanup(self) -> None:
        """Ends everything."""
        self.disable_wobbling()
        with self._changed:
            self._closed = True
            self._drop_all()
            self._changed.notify()
        self._audio.close()

    def _play(self) -> None:
        """Sends what waits; the daemon's own queue sets the pace."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or len(self._waiting) > 0)
                if self._closed:
                    return
                piece = self._take()
            self._move_head(piece)
            self._try(lambda piece=piece: self._audio.push_audio_sample(piece))  # type: ignore[misc]

    def _take(self) -> NDArray[np.float32]:
        piece = self._waiting.popleft()
        self._waiting_samples -= len(piece)
        return piece

    def _drop_all(self) -> None:
        self._waiting.clear()
        self._waiting_samples = 0

    def _move_head(self, piece: NDArray[np.float32]) -> None:
        """Moves the head with a piece of sound. An error ends these movements, not the sound."""
        wobbler = self.wobbler  # another thread may end the movements at any moment
        if wobbler is None:
            return
        try:
            wobbler.feed(piece)
        except Exception as error:  # of the public SDK, whose versions differ
            self._report_once(f"the head does not move with speech: {error!r}")
            if self.wobbler is wobbler:
                self.wobbler = None
            self._try(wobbler.close)

    def _try(self, work: Callable[[], object]) -> bool:
        """Whether it worked. An app goes on without sound: the SDK tells it when the daemon is lost."""
        try:
            work()
        except (OSError, ValueError, RuntimeError) as error:  # a lost daemon and a timeout are OSErrors
            if not self._closed:
                self._report_once(f"no sound: {error}")
            return False
        return True

    def _report_once(self, what: str) -> None:
        """Logs it once."""
        if what not in self._reported:
            self._reported.add(what)
            self.logger.warning(what)


def _assets() -> Path:
    """The folder of the SDK's sounds."""
    from importlib.util import find_spec

    found = find_spec("reachy_mini")
    root = "." if found is None or found.origin is None else found.origin
    return Path(root).parent / "assets"
