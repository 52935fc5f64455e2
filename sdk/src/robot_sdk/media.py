"""`robot.media`: hearing and speaking under the names that apps of the public peer use, with its shapes."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.audio import Audio
from robot_sdk.samples import SAMPLE_RATE


class Media:
    """The same ear and voice as those of `Robot`, which documents them; samples have a column for the channel."""

    def __init__(self, audio: Audio) -> None:
        self._audio = audio

    def start_recording(self) -> None:
        """Starts to listen."""
        self._audio.start_recording()

    def stop_recording(self) -> None:
        """Ends to listen."""
        self._audio.stop_recording()

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """What was heard since the last call, shape (n, 1), or None; as `Audio.get_audio_sample`."""
        samples = self._audio.get_audio_sample()
        return None if samples is None else samples[:, np.newaxis]

    def start_playing(self) -> None:
        """Nothing to do: the speaker plays whenever it is given something."""

    def stop_playing(self) -> None:
        """Falls silent at once, whatever was still to be played."""
        self._audio.drop()

    def push_audio_sample(self, data: ArrayLike) -> None:
        """Plays samples; as `Audio.push_audio_sample`."""
        self._audio.push_audio_sample(data)

    def play_sound(self, sound_file: str | os.PathLike[str]) -> None:
        """Plays a sound; as `Audio.play_sound`."""
        self._audio.play_sound(sound_file)

    def get_input_audio_samplerate(self) -> int:
        """Samples a second of the microphone."""
        return SAMPLE_RATE

    def get_output_audio_samplerate(self) -> int:
        """Samples a second of the speaker."""
        return SAMPLE_RATE

    def get_input_channels(self) -> int:
        """Channels of the microphone."""
        return 1

    def get_output_channels(self) -> int:
        """Channels of the speaker."""
        return 1
