import struct

import numpy as np
import pytest
from numpy.typing import NDArray
from template_app.audio import Ear, from_wav, loudness, resampled, to_wav, tones

RATE = 16000
Samples = NDArray[np.float32]

random = np.random.default_rng(1)


def noise(seconds: float, level: float) -> Samples:
    return (level * random.standard_normal(round(seconds * RATE))).astype(np.float32)


def voice(seconds: float) -> Samples:
    times = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * 180 * times)).astype(np.float32)


def heard(*parts: Samples, chunk: int = 320) -> list[float]:
    """How long each thing is that the ear cuts out, in seconds."""
    ear, stream = Ear(RATE), np.concatenate(parts)
    said = [ear.hear(stream[at : at + chunk]) for at in range(0, len(stream), chunk)]
    return [len(each) / RATE for each in said if each is not None]


@pytest.mark.parametrize("chunk", [1, 100, 320, 1000, 20000])
def test_the_ear_cuts_out_what_is_said(chunk: int) -> None:
    background = 0.003
    parts = (noise(1, background), voice(1), noise(1.5, background), voice(0.6), noise(1.5, background))
    lengths = heard(*parts, chunk=chunk)
    # With what went just before, and the silence by which the end is known.
    assert lengths == pytest.approx([1 + 0.3 + 0.7, 0.6 + 0.3 + 0.7], abs=0.15)


def test_the_ear_takes_a_pause_for_no_end() -> None:
    assert len(heard(noise(1, 0.002), voice(0.5), noise(0.4, 0.002), voice(0.5), noise(1.5, 0.002))) == 1


def test_the_ear_takes_no_silence_noise_or_click_for_speech() -> None:
    assert heard(np.zeros(5 * RATE, np.float32)) == []
    assert heard(noise(5, 0.005)) == []
    assert heard(noise(1, 0.002), voice(0.04), noise(2, 0.002)) == []
    assert heard(noise(1, 0.002), voice(0.15), noise(2, 0.002)) == []


def test_the_ear_gets_used_to_a_fan_and_ends_what_does_not_end() -> None:
    lengths = heard(noise(60, 0.1))
    assert len(lengths) <= 2
    assert max(lengths, default=0) <= 15.5


def test_wav_files_round_trip() -> None:
    samples, rate = from_wav(to_wav(voice(0.1), RATE))
    assert rate == RATE
    assert np.abs(samples - voice(0.1)).max() < 1e-3
    loud, _ = from_wav(to_wav(np.array([-2, 2], np.float32), RATE))
    assert loud == pytest.approx([-1, 1], abs=1e-3)


def test_wav_files_of_servers_that_stream_are_read() -> None:
    content = bytearray(to_wav(voice(0.1), 24000))
    content[4:8] = content[40:44] = struct.pack("<I", 0xFFFFFFFF)
    assert len(from_wav(bytes(content))[0]) == len(voice(0.1))


def test_channels_become_one() -> None:
    content = bytearray(to_wav(np.array([0.5, -0.5, 0.25, 0.25], np.float32), RATE))
    content[22:24] = struct.pack("<H", 2)
    assert from_wav(bytes(content))[0] == pytest.approx([0, 0.25], abs=1e-3)


def test_what_is_no_wav_file_is_refused() -> None:
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
