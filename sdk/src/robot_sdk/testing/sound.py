"""What the robot's speaker has played in a test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_sdk.audio.samples import FULL_SCALE, SAMPLE_RATE

FRAME = SAMPLE_RATE // 50
"""Samples of the pieces in which the speaker plays; a pause between two sounds is longer."""


class Sound:
    """Samples from -1 to 1, 16,000 per second, at a volume of 100; zeros while nothing is played.

    Example:
        robot_app.advance(2.0)
        assert robot_app.sound.duration == pytest.approx(0.5, abs=0.05)  # seconds
        assert robot_app.sound.pitch == pytest.approx(440, abs=5)  # Hz
    """

    def __init__(self, samples: NDArray[np.float32] | None = None, start: float = 0.0) -> None:
        """A sound that begins `start` seconds after the start of the app."""
        self.start = start
        self._pieces = [np.zeros(0, np.float32) if samples is None else samples]
        self._length = len(self._pieces[0])

    @property
    def samples(self) -> NDArray[np.float32]:
        """Everything that was played since `start`, with the pauses."""
        self._pieces = [np.concatenate(self._pieces)]
        return self._pieces[0]

    def between(self, start: float, end: float) -> Sound:
        """What was played from one time to another, in seconds since the start of the app."""
        first, last = (max(0, round((time - self.start) * SAMPLE_RATE)) for time in (start, end))
        return Sound(self.samples[first:last], max(start, self.start))

    @property
    def began(self) -> float:
        """Seconds since the start of the app at which the first sound began.

        Raises:
            ValueError: Nothing was played.
        """
        return self.start + float(self._sounding()[0]) / SAMPLE_RATE

    @property
    def duration(self) -> float:
        """Seconds from the beginning of the first sound to the end of the last one; 0 when nothing was played."""
        sounding = np.flatnonzero(self.samples)
        return 0.0 if len(sounding) == 0 else float(sounding[-1] - sounding[0] + 1) / SAMPLE_RATE

    @property
    def loudness(self) -> float:
        """The largest absolute value of a sample, from 0 to 1."""
        return float(np.abs(self.samples).max(initial=0.0))

    @property
    def pitch(self) -> float:
        """The frequency of the strongest tone, Hz.

        Raises:
            ValueError: Nothing was played.
        """
        sounding = self._sounding()
        played = self.samples[sounding[0] : sounding[-1] + 1]
        # The window without its two zeros: a sound of one or two samples keeps them.
        windowed = played * np.hanning(len(played) + 2)[1:-1]
        # Four seconds at least, so that the frequencies of the spectrum are at most 0.25 Hz apart.
        length = max(len(played), 4 * SAMPLE_RATE)
        return float(np.argmax(np.abs(np.fft.rfft(windowed, length)))) * SAMPLE_RATE / length

    def __repr__(self) -> str:
        """What a failed assertion shows."""
        if self.duration == 0:
            return "Sound(silence)"
        return f"Sound({self.began:.2f} s: {self.duration:.2f} s of {self.pitch:.0f} Hz, loudness {self.loudness:.2f})"

    def add(self, time: float, data: bytes) -> None:
        """Adds what is played at a time, seconds since the start of the app: 16-bit little-endian samples."""
        samples = np.frombuffer(data, "<i2").astype(np.float32) / np.float32(FULL_SCALE)
        pause = round((time - self.start) * SAMPLE_RATE) - self._length
        # A shorter pause is the timing of the pieces: they belong to one sound.
        if pause > FRAME or self._length == 0:
            self._pieces.append(np.zeros(max(0, pause), np.float32))
            self._length += max(0, pause)
        self._pieces.append(samples)
        self._length += len(samples)

    def _sounding(self) -> NDArray[np.intp]:
        """The indices of the samples that are not 0. Raises ValueError when there are none."""
        sounding = np.flatnonzero(self.samples)
        if len(sounding) == 0:
            raise ValueError("nothing was played: has the test advanced far enough? See robot_app.log")
        return sounding
