"""Sound: WAV files, resampling, tones and loudness. Samples are floats from -1 to 1."""

import io
import math
import wave

import numpy as np
from numpy.typing import NDArray

FRAME_S = 0.02
# Root mean square that counts as full loudness.
FULL_LOUDNESS = 0.2


def to_wav(samples: NDArray[np.float32], rate: int) -> bytes:
    """A WAV file of one channel with 16 bits per sample. `rate`: samples per second."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def from_wav(content: bytes) -> tuple[NDArray[np.float32], int]:
    """The samples of a WAV file with 16 bits per sample, its channels mixed into one, and its samples per second.

    Raises:
        ValueError: It is not such a file.
    """
    try:
        with wave.open(io.BytesIO(content)) as reader:
            width, channels, rate = reader.getsampwidth(), reader.getnchannels(), reader.getframerate()
            # The header of a streamed file has no valid length, so the content's length counts.
            data = reader.readframes(min(reader.getnframes(), len(content)))
    except (wave.Error, EOFError) as error:
        raise ValueError(f"it is not a WAV file ({error})") from None
    if width != 2 or rate <= 0:
        raise ValueError(f"it is a WAV file with {8 * width} bits per sample, not 16")
    whole = len(data) // (2 * channels) * (2 * channels)
    samples = np.frombuffer(data[:whole], "<i2").reshape(-1, channels).mean(axis=1) / 32768
    return samples.astype(np.float32), rate


def resampled(samples: NDArray[np.float32], rate: int, wanted: int) -> NDArray[np.float32]:
    """The same sound with `wanted` samples per second, by linear interpolation: good enough for speech."""
    if rate == wanted or len(samples) == 0:
        return samples
    times = np.arange(round(len(samples) * wanted / rate)) / wanted
    return np.interp(times, np.arange(len(samples)) / rate, samples).astype(np.float32)


def tones(text: str, rate: int) -> NDArray[np.float32]:
    """A text as chirps, for a robot without a voice: one per word, higher for longer words."""
    chirps = [_chirp(300 + 60 * min(len(word), 10), rate) for word in text.split()[:20]]
    return np.concatenate([np.zeros(0, np.float32), *chirps])


def loudness(samples: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """The loudness of each 20 ms of a sound, from 0 to 1."""
    frame = round(FRAME_S * rate)
    padded = np.pad(samples, (0, -len(samples) % frame)).reshape(-1, frame)
    levels: NDArray[np.float64] = np.sqrt(np.mean(np.square(padded, dtype=np.float64), axis=1))
    return np.minimum(levels / FULL_LOUDNESS, 1)


def _chirp(pitch: float, rate: int) -> NDArray[np.float32]:
    seconds = np.arange(round(0.12 * rate)) / rate
    shape = np.sin(math.pi * seconds / seconds[-1]) ** 2
    glide = pitch * (seconds + 2 * seconds**2)
    chirp: NDArray[np.float32] = (0.2 * shape * np.sin(2 * math.pi * glide)).astype(np.float32)
    return chirp
