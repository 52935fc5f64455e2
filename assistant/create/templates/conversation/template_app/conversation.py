"""Listen, transcribe, think, speak: the conversation, in two threads beside the motion."""

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from robot_sdk import Robot

from template_app.audio import FRAME_S, FULL_LOUDNESS, loudness, resampled, tones
from template_app.motion import Motion
from template_app.providers import LanguageModel, Message, ProviderError, Speech, Transcription
from template_app.settings import Settings, Store
from template_app.speech_detector import SpeechDetector
from template_app.tools import dispatch, make_tools

logger = logging.getLogger(__name__)

Samples: TypeAlias = NDArray[np.float32]

NO_KEY = "There is no key yet, so the robot repeats what it hears: set a server and its key on the settings page."

# Turns of the conversation that the model gets.
REMEMBERED_TURNS = 8
# Requests of one turn; a model that only calls tools is cut off.
MAX_REQUESTS = 4
# What is sent to the speaker in advance: little, so that an interruption or a stop is heard immediately.
AHEAD_S = 0.3
CHUNK_S = 0.1
# The microphone hears what was played during this time.
ECHO_S = 0.4
# Pause before the microphone is tried again after an error.
RETRY_S = 1.0


class Conversation:
    """Answers a person who speaks. `status` shows what happens."""

    def __init__(self, robot: Robot, motion: Motion, store: Store, stop_event: threading.Event) -> None:
        """Begins with `start`."""
        self._robot = robot
        self._motion = motion
        self._store = store
        self._stop_event = stop_event
        self._tools = make_tools(robot, motion)
        self._turns: deque[list[Message]] = deque(maxlen=REMEMBERED_TURNS)
        # The newest utterance replaces one that waits.
        self._utterances: queue.Queue[Samples] = queue.Queue(1)
        self._interrupted = threading.Event()
        self._playing = 0.0
        self._heard = self._said = ""
        self._provider_errors: dict[str, str] = {}
        self._unexpected_errors: dict[str, str] = {}

    def start(self) -> None:
        """Starts both threads, which end with the stop event; a stop does not wait for a request."""
        if not self._store.settings.is_ready:
            logger.warning(NO_KEY)
        for work in (self._listen, self._answer_next):
            threading.Thread(target=self._repeat, args=(work,), name=work.__name__.strip("_"), daemon=True).start()

    def status(self) -> dict[str, str]:
        """For the page: what the robot does, what it heard and said last, and what does not work."""
        # Errors of providers do not matter while the robot uses none.
        of_providers = list(self._provider_errors.values()) if self._store.settings.is_ready else [NO_KEY]
        trouble = " ".join([*of_providers, *self._unexpected_errors.values()])
        return {"state": self._motion.mood, "heard": self._heard, "said": self._said, "trouble": trouble}

    def _repeat(self, work: Callable[[], None]) -> None:
        """Repeats a part of the conversation until the stop event is set, also after errors."""
        while not self._stop_event.is_set():
            try:
                work()
            except Exception as error:
                if self._stop_event.is_set():
                    return
                logger.exception("a part of the conversation failed; the conversation continues")
                self._unexpected_errors[work.__name__] = f"Something went wrong: {error}."
                self._motion.mood = "idle"
                self._stop_event.wait(RETRY_S)

    # Listening

    def _listen(self) -> None:
        """Finds utterances in what the microphone hears, also while the robot thinks and speaks."""
        detector = SpeechDetector()
        self._robot.start_recording()
        while not self._stop_event.is_set():
            samples = self._robot.get_audio_sample()
            if samples is None:
                self._stop_event.wait(FRAME_S)
                continue
            utterance = detector.add(samples, self._playing)
            self._unexpected_errors.pop("_listen", None)
            if detector.is_speaking and self._motion.mood == "speaking":
                self._interrupted.set()
            if self._motion.mood in ("idle", "listening"):
                self._motion.mood = "listening" if detector.is_speaking else "idle"
            if utterance is not None:
                self._put(utterance)

    def _put(self, utterance: Samples) -> None:
        while True:
            try:
                self._utterances.put_nowait(utterance)
                return
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._utterances.get_nowait()

    # Answering

    def _answer_next(self) -> None:
        try:
            utterance = self._utterances.get(timeout=FRAME_S)
        except queue.Empty:
            return
        try:
            self._answer(utterance)
        finally:
            self._motion.mood = "idle"

    def _answer(self, utterance: Samples) -> None:
        settings, rate = self._store.settings, self._robot.sample_rate
        if not settings.is_ready:
            logger.info("repeating %.1f s", len(utterance) / rate)
            self._provider_errors.clear()
            self._play(utterance)
            self._unexpected_errors.pop("_answer_next", None)
            return
        self._motion.mood = "thinking"
        try:
            heard = Transcription(settings.provider("transcription")).transcribe(utterance, rate)
            self._provider_errors.pop("transcription", None)
            if not heard:
                return
            self._heard = heard
            logger.info("heard: %s", heard)
            self._said = self._think(settings, heard)
            self._provider_errors.pop("language model", None)
            self._unexpected_errors.pop("_answer_next", None)
            logger.info("say: %s", self._said)
        except ProviderError as error:
            self._report(error)
            self._play(tones("oh no", rate))
            return
        self._play(self._voice(settings, self._said))

    def _think(self, settings: Settings, heard: str) -> str:
        """The model's answer, after its tool calls."""
        model = LanguageModel(settings.provider("language"))
        turn: list[Message] = [{"role": "user", "content": heard}]
        before = [message for each in self._turns for message in each]
        start: list[Message] = [{"role": "system", "content": settings.instructions}, *before]
        schemas = [tool.schema for tool in self._tools.values()]
        for requests_left in reversed(range(MAX_REQUESTS)):
            # The last request has no tools, so that its answer is text.
            message = model.chat([*start, *turn], schemas if requests_left else [])
            if not requests_left:
                # Some models call tools nevertheless. A call without a result makes the next turn's request invalid.
                message = {"role": "assistant", "content": message.get("content") or ""}
            turn.append(message)
            if not message.get("tool_calls"):
                break
            for call in message["tool_calls"]:
                result = dispatch(self._tools, call)
                logger.info("tool %s: %s", (call.get("function") or {}).get("name"), result["content"])
                turn.append(result)
        self._turns.append(turn)
        return str(turn[-1].get("content") or "")

    def _voice(self, settings: Settings, text: str) -> Samples:
        """A text as sound; as chirps when there is no voice."""
        rate = self._robot.sample_rate
        if not text:
            return np.zeros(0, np.float32)
        try:
            samples, its_rate = Speech(settings.provider("speech")).speak(text, settings.voice)
        except ProviderError as error:
            self._report(error)
            return tones(text, rate)
        self._provider_errors.pop("speech", None)
        return resampled(samples, its_rate, rate)

    def _report(self, error: ProviderError) -> None:
        logger.warning("%s", error)
        self._provider_errors[str(error).partition(":")[0]] = str(error)

    def _play(self, samples: Samples) -> None:
        """Plays to the end, until a person interrupts or the stop event is set. The head moves with the voice."""
        rate = self._robot.sample_rate
        envelope = loudness(samples, rate)
        chunk, ahead = round(CHUNK_S * rate), round(AHEAD_S * rate)
        self._interrupted.clear()
        self._motion.mood = "speaking"
        began, pushed, played = time.monotonic(), 0, 0
        try:
            while played < len(samples) and not self._stop_event.is_set():
                if self._interrupted.is_set():
                    logger.info("interrupted")
                    self._robot.media.stop_playing()
                    return
                while pushed < min(played + ahead, len(samples)):
                    self._robot.push_audio_sample(samples[pushed : pushed + chunk])
                    pushed += chunk
                frame = int(played / rate / FRAME_S)
                self._motion.loudness = float(envelope[frame])
                # The loudest of the last moments, because the sound takes time to the microphone.
                recent = envelope[max(frame - round(ECHO_S / FRAME_S), 0) : frame + 1]
                self._playing = FULL_LOUDNESS * float(recent.max())
                self._stop_event.wait(FRAME_S)
                played = int((time.monotonic() - began) * rate)
        finally:
            self._motion.loudness = self._playing = 0.0
            self._motion.mood = "idle"
