"""The conversation template finds speech, and only speech, at any level of noise."""

from pathlib import Path

import numpy as np
import pytest
from synthetic_speech import RATE, Samples, noise, speech
from template_app.audio import from_wav
from template_app.speech_detector import SpeechDetector

RECORDING = Path(__file__).parents[3] / "fixtures" / "recordings" / "speech.wav"
KINDS = ["white", "pink", "brown", "hum"]
LEVELS = [0.001, 0.01, 0.05, 0.2]


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def utterances(detector: SpeechDetector, stream: Samples, chunk: int = 320, playing: float = 0.0) -> list[float]:
    """How long each utterance in the stream is, in seconds."""
    found = [detector.add(stream[at : at + chunk], playing) for at in range(0, len(stream), chunk)]
    return [len(each) / RATE for each in found if each is not None]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_steady_noise_is_no_speech(kind: str, level: float) -> None:
    detector = SpeechDetector()
    assert utterances(detector, noise(kind, 30, level)) == []
    assert not detector.is_speaking


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", [0.001, 0.005, 0.02])
def test_speech_is_found_in_noise_turn_after_turn(kind: str, level: float) -> None:
    stream = np.concatenate([silence(1), speech(1.5, 0.1), silence(2), speech(1, 0.1, seed=3), silence(2)])
    lengths = utterances(SpeechDetector(), stream + noise(kind, len(stream) / RATE, level)[: len(stream)])
    # With what went before, and the silence that shows the end.
    assert lengths == pytest.approx([1.5 + 0.3 + 0.7, 1 + 0.3 + 0.7], abs=0.4)


@pytest.mark.parametrize("chunk", [1, 100, 512, 1000, 100_000])
def test_the_size_of_the_pieces_does_not_matter(chunk: int) -> None:
    stream = np.concatenate([silence(0.5), speech(1, 0.1), silence(1.5)])
    assert utterances(SpeechDetector(), stream, chunk) == utterances(SpeechDetector(), stream)


def test_the_recording_of_the_scenarios_is_this_speech() -> None:
    samples, rate = from_wav(RECORDING.read_bytes())
    stream = np.concatenate([silence(1.5), speech(1.5, 0.1), silence(1.5)])
    assert rate == RATE
    assert np.abs(samples - stream).max() < 0.001
    assert len(utterances(SpeechDetector(), samples)) == 1


def test_a_short_pause_does_not_end_an_utterance() -> None:
    stream = np.concatenate([silence(1), speech(1, 0.1), silence(0.35), speech(1, 0.1, seed=3), silence(2)])
    assert len(utterances(SpeechDetector(), stream)) == 1


def test_a_click_and_a_knock_are_no_utterance() -> None:
    knock = np.concatenate([noise("white", 0.05, 0.5), silence(2)])
    assert utterances(SpeechDetector(), np.concatenate([silence(1), *[knock] * 10])) == []


def test_endless_speech_is_cut() -> None:
    lengths = utterances(SpeechDetector(), np.concatenate([silence(0.5), speech(35, 0.1), silence(1)]))
    assert len(lengths) == 3
    assert max(lengths) <= 15.1


@pytest.mark.parametrize("echo", [0.05, 0.3, 0.8])
def test_the_robots_own_voice_is_no_interruption(echo: float) -> None:
    detector = SpeechDetector()
    utterances(detector, noise("pink", 1, 0.003))
    own = speech(8, 0.1, seed=5, pitch=200)
    assert utterances(detector, echo * own + noise("pink", 8, 0.003)[: len(own)], playing=0.15) == []
    assert not detector.is_speaking


@pytest.mark.parametrize("echo", [0.05, 0.3])
def test_somebody_who_speaks_over_the_robot_interrupts_it(echo: float) -> None:
    detector = SpeechDetector()
    own = speech(6, 0.1, seed=5, pitch=200)
    utterances(detector, echo * own[: 3 * RATE], playing=0.15)
    assert not detector.is_speaking
    both = echo * own[3 * RATE :] + speech(3, 0.3, seed=7)
    utterances(detector, both[: round(1.5 * RATE)].astype(np.float32), playing=0.15)
    assert detector.is_speaking
