import struct

import numpy as np
import pytest
from numpy.typing import NDArray
from template_app.audio import from_wav, loudness, resampled, to_wav, tones

RATE = 16000
Samples = NDArray[np.float32]


def voice(seconds: float) -> Samples:
    times = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * 180 * times)).astype(np.float32)


def test_wav_files_round_trip() -> None:
    samples, rate = from_wav(to_wav(voice(0.1), RATE))
    assert rate == RATE
    assert np.abs(samples - voice(0.1)).max() < 1e-3
    loud, _ = from_wav(to_wav(np.array([-2, 2], np.float32), RATE))
    assert loud == pytest.approx([-1, 1], abs=1e-3)


def test_streamed_wav_files_are_read() -> None:
    content = bytearray(to_wav(voice(0.1), 24000))
    content[4:8] = content[40:44] = struct.pack("<I", 0xFFFFFFFF)
    assert len(from_wav(bytes(content))[0]) == len(voice(0.1))


def test_channels_are_mixed_into_one() -> None:
    content = bytearray(to_wav(np.array([0.5, -0.5, 0.25, 0.25], np.float32), RATE))
    content[22:24] = struct.pack("<H", 2)
    assert from_wav(bytes(content))[0] == pytest.approx([0, 0.25], abs=1e-3)


def test_other_files_are_refused() -> None:
    eight_bits = bytearray(to_wav(voice(0.1), RATE))
    eight_bits[34:36] = struct.pack("<H", 8)
    for content in (b"", b"RIFF", b"ID3" * 100, bytes(eight_bits), to_wav(voice(0.1), RATE)[:30]):
        with pytest.raises(ValueError, match="WAV file"):
            from_wav(content)


def test_resampling_keeps_the_pitch_and_the_length() -> None:
    samples = resampled(resampled(voice(1), RATE, 24000), 24000, RATE)
    assert len(samples) == RATE
    assert np.abs(samples - voice(1))[100:-100].max() < 0.01
    assert len(resampled(np.zeros(0, np.float32), 24000, RATE)) == 0


def test_tones_are_a_chirp_a_word() -> None:
    assert len(tones("one two", RATE)) == 2 * len(tones("one", RATE))
    assert len(tones("", RATE)) == 0
    assert 0.1 < np.abs(tones("hello", RATE)).max() <= 0.3


def test_loudness_goes_from_0_to_1() -> None:
    levels = loudness(np.concatenate([np.zeros(RATE, np.float32), voice(1), np.ones(7, np.float32)]), RATE)
    assert len(levels) == 101
    assert levels[0] == 0
    assert levels.max() <= 1
    assert levels[75] > 0.9
