"""Listen, transcribe, think, speak: the conversation, in a thread of its own beside the motion."""

import logging
import threading
import time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from robot_sdk import Robot

from template_app.audio import FRAME_S, Ear, loudness, resampled, tones
from template_app.llm import Message, Server, ServerError
from template_app.motion import Motion
from template_app.settings import Settings, Store
from template_app.tools import dispatch, make_tools

logger = logging.getLogger(__name__)

Samples: TypeAlias = NDArray[np.float32]

NO_KEY = "There is no key yet, so I repeat what I hear: set a server and its key on the settings page."

# What the model is reminded of, in turns of the conversation.
REMEMBERED_TURNS = 8
# A model that only ever calls tools is cut off.
MOST_ROUNDS = 4
# What is sent to the speaker in advance: little, so that a stop is heard at once.
AHEAD_S = 0.3
CHUNK_S = 0.1


class Conversation:
    """Somebody speaks, the robot answers; what goes on is told by `status`."""

    def __init__(self, robot: Robot, motion: Motion, store: Store, stop_event: threading.Event) -> None:
        """Begins with `run`."""
        self._robot = robot
        self._motion = motion
        self._store = store
        self._stop_event = stop_event
        self._tools = make_tools(robot, motion)
        self._turns: list[list[Message]] = []
        self._heard = self._said = self._trouble = ""

    def status(self) -> dict[str, str]:
        """For the page: what the robot is about, what it heard and said last, and what is in the way."""
        trouble = self._trouble or ("" if self._store.settings.ready else NO_KEY)
        return {"state": self._motion.mood, "heard": self._heard, "said": self._said, "trouble": trouble}

    def run(self) -> None:
        """Converses until told to stop; without a microphone the robot only moves."""
        if not self._store.settings.ready:
            logger.warning(NO_KEY)
        try:
            while not self._stop_event.is_set():
                said = self._listen()
                if said is not None:
                    self._answer(said)
        except Exception as error:
            if not self._stop_event.is_set():  # else the daemon has gone, or the app ends
                logger.exception("The conversation is over, the motion goes on")
                self._trouble = f"The conversation is over: {error}. Start the app again."
        finally:
            self._motion.mood = "idle"

    def _listen(self) -> Samples | None:
        """What somebody says; None when told to stop. The microphone is off while the robot speaks itself."""
        ear = Ear(self._robot.sample_rate)
        self._robot.start_recording()
        try:
            while not self._stop_event.is_set():
                samples = self._robot.get_audio_sample()
                if samples is None:
                    self._stop_event.wait(FRAME_S)
                    continue
                said = ear.hear(samples)
                self._motion.mood = "listening" if ear.hearing else "idle"
                if said is not None:
                    return said
            return None
        finally:
            if not self._stop_event.is_set():
                self._robot.stop_recording()

    def _answer(self, said: Samples) -> None:
        settings = self._store.settings
        rate = self._robot.sample_rate
        if not settings.ready:
            logger.info("heard %.1f s, and repeat it", len(said) / rate)
            self._play(said)
            return
        server = Server(settings)
        self._motion.mood = "thinking"
        try:
            self._heard = server.transcribe(said, rate)
            if not self._heard:
                return
            logger.info("heard: %s", self._heard)
            self._said = self._think(server, settings, self._heard)
            logger.info("say: %s", self._said)
            self._trouble = ""
        except ServerError as error:
            self._complain(error)
            self._play(tones("oh no", rate))
            return
        self._play(self._voice(server, self._said))

    def _think(self, server: Server, settings: Settings, heard: str) -> str:
        """The model's answer, after it has used its tools."""
        turn: list[Message] = [{"role": "user", "content": heard}]
        before = [message for each in self._turns[-REMEMBERED_TURNS:] for message in each]
        start: list[Message] = [{"role": "system", "content": settings.instructions}, *before]
        schemas = [tool.schema for tool in self._tools.values()]
        for rounds_left in reversed(range(MOST_ROUNDS)):
            # Without tools to call, the last round has to be words.
            message = server.chat([*start, *turn], schemas if rounds_left else [])
            turn.append(message)
            if not message.get("tool_calls"):
                break
            for call in message["tool_calls"]:
                result = dispatch(self._tools, call)
                logger.info("tool %s: %s", (call.get("function") or {}).get("name"), result["content"])
                turn.append(result)
        self._turns.append(turn)
        return str(turn[-1].get("content") or "")

    def _voice(self, server: Server, text: str) -> Samples:
        """A text as sound; in tones when the server has no voice."""
        rate = self._robot.sample_rate
        if not text:
            return np.zeros(0, np.float32)
        try:
            samples, its_rate = server.speak(text)
        except ServerError as error:
            self._complain(error)
            return tones(text, rate)
        return resampled(samples, its_rate, rate)

    def _complain(self, error: ServerError) -> None:
        logger.warning("%s", error)
        self._trouble = str(error)

    def _play(self, samples: Samples) -> None:
        """Plays to the end, or until told to stop, the head moving with the voice."""
        rate = self._robot.sample_rate
        envelope = loudness(samples, rate)
        chunk, ahead = round(CHUNK_S * rate), round(AHEAD_S * rate)
        self._motion.mood = "speaking"
        began, pushed, played = time.monotonic(), 0, 0
        while played < len(samples) and not self._stop_event.is_set():
            while pushed < min(played + ahead, len(samples)):
                self._robot.push_audio_sample(samples[pushed : pushed + chunk])
                pushed += chunk
            self._motion.loudness = float(envelope[int(played / rate / FRAME_S)])
            self._stop_event.wait(FRAME_S)
            played = int((time.monotonic() - began) * rate)
        self._motion.loudness = 0
        self._motion.mood = "idle"
