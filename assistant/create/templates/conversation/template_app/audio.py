"""Sound: finding speech in what the microphone hears, WAV files, tones, loudness."""

import io
import math
import wave
from collections import deque

import numpy as np
from numpy.typing import NDArray

FRAME_S = 0.02

# Speech is this much louder than what went on before, and louder than any quiet room.
ABOVE_NOISE = 4.0
QUIETEST = 0.01
# The noise is followed slowly upwards, since speech is not noise, and quickly downwards.
NOISE_UP, NOISE_DOWN = 0.005, 0.2

BEGIN_S = 0.08
BEFORE_S = 0.3
SILENCE_S = 0.7
SHORTEST_S = 0.3
LONGEST_S = 15.0

# A loudness (root of the mean square) that counts as full.
LOUD = 0.2


class Ear:
    """Cuts what somebody says out of a stream of samples, by its loudness."""

    def __init__(self, rate: int) -> None:
        """Listens to `rate` samples a second."""
        self._rate = rate
        self._frame = round(FRAME_S * rate)
        self._rest = np.zeros(0, np.float32)
        self._noise = QUIETEST / ABOVE_NOISE
        self._before: deque[NDArray[np.float32]] = deque(maxlen=round(BEFORE_S / FRAME_S))
        self._speech: list[NDArray[np.float32]] = []
        self._loud_frames = 0
        self._quiet_frames = 0

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking."""
        return bool(self._speech)

    def hear(self, samples: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Takes the next samples, from -1 to 1; returns what was said when somebody has just ended."""
        self._rest = np.concatenate([self._rest, samples.astype(np.float32).ravel()])
        said = None
        while said is None and len(self._rest) >= self._frame:
            frame, self._rest = self._rest[: self._frame], self._rest[self._frame :]
            said = self._hear_frame(frame)
        return said

    def _hear_frame(self, frame: NDArray[np.float32]) -> NDArray[np.float32] | None:
        level = float(np.sqrt(np.mean(np.square(frame, dtype=np.float64))))
        loud = level > max(QUIETEST, ABOVE_NOISE * self._noise)
        self._noise += (NOISE_DOWN if level < self._noise else NOISE_UP) * (level - self._noise)
        self._loud_frames = self._loud_frames + 1 if loud else 0
        self._quiet_frames = 0 if loud else self._quiet_frames + 1
        if not self._speech:
            self._before.append(frame)
            if self._loud_frames * FRAME_S >= BEGIN_S:
                self._speech = list(self._before)
                self._before.clear()
            return None
        self._speech.append(frame)
        ended = self._quiet_frames * FRAME_S >= SILENCE_S or len(self._speech) * FRAME_S >= LONGEST_S
        return self._finish() if ended else None

    def _finish(self) -> NDArray[np.float32] | None:
        frames, self._speech = self._speech, []
        spoken = len(frames) - self._quiet_frames
        self._loud_frames = 0
        if (spoken * FRAME_S) - BEFORE_S < SHORTEST_S:
            return None
        return np.concatenate(frames)


def to_wav(samples: NDArray[np.float32], rate: int) -> bytes:
    """A WAV file of one channel with 16 bits a sample. Samples go from -1 to 1."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def from_wav(content: bytes) -> tuple[NDArray[np.float32], int]:
    """The samples of a WAV file with 16 bits a sample, its channels mixed into one, and how many there are a second.

    Raises:
        ValueError: It is no such file.
    """
    try:
        with wave.open(io.BytesIO(content)) as reader:
            width, channels, rate = reader.getsampwidth(), reader.getnchannels(), reader.getframerate()
            # A server that streams does not know the length in advance: what is there counts.
            data = reader.readframes(min(reader.getnframes(), len(content)))
    except (wave.Error, EOFError) as error:
        raise ValueError(f"it is no WAV file ({error})") from None
    if width != 2 or rate <= 0:
        raise ValueError(f"it is a WAV file with {8 * width} bits a sample, not 16")
    whole = len(data) // (2 * channels) * (2 * channels)
    samples = np.frombuffer(data[:whole], "<i2").reshape(-1, channels).mean(axis=1) / 32768
    return samples.astype(np.float32), rate


def resampled(samples: NDArray[np.float32], rate: int, wanted: int) -> NDArray[np.float32]:
    """The same sound with another number of samples a second, by straight lines between them: enough for speech."""
    if rate == wanted or len(samples) == 0:
        return samples
    times = np.arange(round(len(samples) * wanted / rate)) / wanted
    return np.interp(times, np.arange(len(samples)) / rate, samples).astype(np.float32)


def tones(text: str, rate: int) -> NDArray[np.float32]:
    """A text as a robot without a voice says it: a chirp a word, higher for longer words."""
    chirps = [_chirp(300 + 60 * min(len(word), 10), rate) for word in text.split()[:20]]
    return np.concatenate([np.zeros(0, np.float32), *chirps])


def _chirp(pitch: float, rate: int) -> NDArray[np.float32]:
    seconds = np.arange(round(0.12 * rate)) / rate
    shape = np.sin(math.pi * seconds / seconds[-1]) ** 2
    glide = pitch * (seconds + 2 * seconds**2)
    chirp: NDArray[np.float32] = (0.2 * shape * np.sin(2 * math.pi * glide)).astype(np.float32)
    return chirp


def loudness(samples: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """How loud each 20 ms of a sound are, from 0 to 1."""
    frame = round(FRAME_S * rate)
    padded = np.pad(samples, (0, -len(samples) % frame)).reshape(-1, frame)
    levels: NDArray[np.float64] = np.sqrt(np.mean(np.square(padded, dtype=np.float64), axis=1))
    return np.minimum(levels / LOUD, 1)
