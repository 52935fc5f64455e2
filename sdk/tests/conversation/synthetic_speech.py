"""Sounds for tests of the speech detector: a voice made of formants, and several kinds of noise."""

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
Samples = NDArray[np.float32]

# First three formants of vowels, Hz, and their bandwidths; G. E. Peterson and H. L. Barney, 1952.
VOWELS = ((730, 1090, 2440), (270, 2290, 3010), (530, 1840, 2480), (300, 870, 2240), (570, 840, 2410))
BANDWIDTHS = (80, 100, 140)
SYLLABLE_S = 0.2
CONSONANT_S = 0.05


def speech(seconds: float, level: float, seed: int = 1, pitch: float = 130) -> Samples:
    """A voice that speaks syllables; `level` is the root mean square."""
    random = np.random.default_rng(seed)
    parts: list[NDArray[np.float64]] = []
    phase = 0.0
    for index in range(int(seconds / (SYLLABLE_S + CONSONANT_S)) + 1):
        times = np.arange(round(SYLLABLE_S * RATE)) / RATE
        frequency = pitch + 25 * np.sin(2 * np.pi * 0.7 * (index * SYLLABLE_S + times)) + random.normal(0, 2)
        phases = phase + np.cumsum(frequency) / RATE
        phase = float(phases[-1])
        pulses = (np.diff(np.floor(phases), prepend=np.floor(phases[0])) > 0).astype(np.float64)
        vowel = np.convolve(pulses, np.exp(-np.arange(60) / 12), "same") + 0.01 * random.standard_normal(len(times))
        for formant, bandwidth in zip(VOWELS[index % len(VOWELS)], BANDWIDTHS, strict=True):
            vowel = _resonator(vowel, formant, bandwidth)
        vowel *= np.clip(np.minimum(times / 0.04, (times[-1] - times) / 0.05), 0, 1)
        consonant = 0.05 * np.diff(random.standard_normal(round(CONSONANT_S * RATE)), prepend=0)
        parts += [vowel / np.abs(vowel).max(), consonant]
    samples = np.concatenate(parts)[: round(seconds * RATE)]
    return _scaled(samples, level)


def noise(kind: str, seconds: float, level: float, seed: int = 2) -> Samples:
    """Noise of a kind: white, pink, brown or hum; `level` is the root mean square."""
    count = round(seconds * RATE)
    if kind == "hum":
        times = np.arange(count) / RATE
        samples = sum((np.sin(2 * np.pi * 50 * k * times) / k for k in range(1, 8)), np.zeros(count))
    else:
        spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
        power = {"white": 0.0, "pink": 0.5, "brown": 1.0}[kind]
        samples = np.fft.irfft(spectrum / np.arange(1, len(spectrum) + 1) ** power, count)
    return _scaled(samples, level)


def _scaled(samples: NDArray[np.float64], level: float) -> Samples:
    scaled: Samples = (level * samples / samples.std()).astype(np.float32)
    return scaled


def _resonator(samples: NDArray[np.float64], frequency: float, bandwidth: float) -> NDArray[np.float64]:
    """A second-order resonance, by its impulse response."""
    times = np.arange(round(0.05 * RATE)) / RATE
    response = np.exp(-np.pi * bandwidth * times) * np.sin(2 * np.pi * frequency * times)
    return np.convolve(samples, response)[: len(samples)]
