"""Converts audio samples of apps and files into those that the robot plays."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

SAMPLE_RATE = 16_000
"""Samples per second of the robot's microphone and speaker."""

MAX_SOUND_S = 60
# Music may exceed full scale a little; samples of this size must be 16-bit integers.
MAX_LOUDNESS = 10.0
FULL_SCALE = 32_768


def mono(samples: ArrayLike) -> NDArray[np.int16]:
    """Samples as 16-bit integers of one channel.

    Raises:
        ValueError: A wrong shape or type, numbers that are not finite, or floats beyond 10.
    """
    array = np.asarray(samples)
    if array.ndim not in (1, 2) or not (np.issubdtype(array.dtype, np.floating) or array.dtype == np.int16):
        raise ValueError(
            f"samples are {array.dtype} in the shape {array.shape}: they must be floats from -1 to 1 or int16, "
            "in the shape (n,) or (n, channels)"
        )
    if array.dtype == np.int16:
        array = array / np.float32(FULL_SCALE)
    if not np.isfinite(array).all():
        raise ValueError("samples have numbers that are not finite")
    loudest = float(np.abs(array).max(initial=0.0))
    if loudest > MAX_LOUDNESS:
        raise ValueError(f"samples reach {loudest:g}: floats go from -1 to 1; divide 16-bit samples by {FULL_SCALE}")
    if array.ndim == 2:
        # The shorter axis is that of the channels.
        array = array.mean(axis=int(np.argmin(array.shape)))
    pcm: NDArray[np.int16] = np.clip(np.rint(array * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1).astype("<i2")
    return pcm


def read_wav(path: str | os.PathLike[str]) -> NDArray[np.int16]:
    """The samples of a WAV file, mono, at `SAMPLE_RATE`.

    Raises:
        FileNotFoundError: The file does not exist.
        ValueError: Not a WAV file of integer samples, or one longer than 60 s.
    """
    # Imported here, so that only apps that play files wait for it.
    import wave

    try:
        with wave.open(os.fspath(path), "rb") as file:
            rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
            seconds = file.getnframes() / rate
            if seconds > MAX_SOUND_S:
                raise ValueError(
                    f"{path} is {seconds:.0f} s long: push more than {MAX_SOUND_S} s with push_audio_sample()"
                )
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise ValueError(
            f"{path} is not a WAV file that can be played ({error}): "
            f"convert it with ffmpeg -i {path} -c:a pcm_s16le new.wav"
        ) from None
    except FileNotFoundError:
        raise FileNotFoundError(
            f'there is no {Path(path).absolute()}: a file of the app is Path(__file__).parent / "{Path(path).name}"'
        ) from None
    return mono(_resampled(_floats(data, width).reshape(-1, channels).mean(axis=1), rate))


def _floats(data: bytes, width: int) -> NDArray[np.float64]:
    """Little-endian integers of `width` bytes as floats from -1 to 1; in this format single bytes are unsigned."""
    if width == 1:
        return np.frombuffer(data, dtype=np.uint8) / 128.0 - 1.0
    # Copies them into the upper bytes of 32-bit integers.
    padded = np.zeros((len(data) // width, 4), dtype=np.uint8)
    padded[:, 4 - width :] = np.frombuffer(data, dtype=np.uint8).reshape(-1, width)
    return padded.reshape(-1).view("<i4") / 2.0**31


def _resampled(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    """The samples at `SAMPLE_RATE`; averages first, so that frequencies above its range do not appear as others."""
    if rate == SAMPLE_RATE or len(samples) == 0:
        return samples
    reach = round(rate / SAMPLE_RATE)
    if reach > 1:
        samples = np.convolve(samples, np.full(reach, 1.0 / reach), mode="same")
    times = np.arange(round(len(samples) * SAMPLE_RATE / rate)) / SAMPLE_RATE
    return np.interp(times, np.arange(len(samples)) / rate, samples)
