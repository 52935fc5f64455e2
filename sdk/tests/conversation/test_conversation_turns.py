"""Whole turns of the conversation template: a microphone that speaks, providers that fail, a robot that answers."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from model_server import ModelServer, says
from synthetic_speech import RATE, Samples, speech
from template_app.audio import to_wav
from template_app.conversation import MAX_REQUESTS, NO_KEY, REMEMBERED_TURNS, Conversation
from template_app.motion import Motion
from template_app.settings import PUBLIC_SERVER, Store

from robot_sdk import Robot
from scripted_daemon import DEADLINE_S, ScriptedDaemon

CHAT, HEAR, SPEAK = "/v1/chat/completions", "/v1/audio/transcriptions", "/v1/audio/speech"
HEARD = (200, json.dumps({"text": "Hello robot"}).encode())
ANSWER_S = 0.3


def answer(seconds: float = ANSWER_S) -> tuple[int, bytes]:
    return 200, to_wav(speech(seconds, 0.1, seed=9, pitch=200), RATE)


@pytest.fixture
def servers() -> Iterator[dict[str, ModelServer]]:
    with (
        ModelServer({CHAT: [says("Hello!")]}).running() as language,
        ModelServer({HEAR: [HEARD]}).running() as transcription,
        ModelServer({SPEAK: [answer()]}).running() as voice,
    ):
        yield {"language": language, "transcription": transcription, "speech": voice}


class Talk:
    """A conversation whose microphone a test controls."""

    def __init__(self, daemon: ScriptedDaemon, conversation: Conversation) -> None:
        self.daemon = daemon
        self.conversation = conversation

    def hear(self, samples: Samples) -> None:
        """Sends what the microphone hears, in pieces of 0.1 s."""
        for start in range(0, len(samples), RATE // 10):
            piece = np.round(samples[start : start + RATE // 10] * 32767).astype("<i2")
            self.daemon.send_audio(b"\x02\x00" + piece.tobytes())

    def say(self, seconds: float = 1) -> None:
        """Says something, and is silent."""
        self.hear(np.concatenate([np.zeros(RATE // 2), speech(seconds, 0.1), np.zeros(RATE)]).astype(np.float32))

    def wait_for(self, condition: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        deadline = time.monotonic() + DEADLINE_S
        while not condition(status := self.conversation.status()):
            assert time.monotonic() < deadline, status
            time.sleep(0.005)
        return status


@pytest.fixture
def talk(daemon: ScriptedDaemon, servers: dict[str, ModelServer], tmp_path: Path) -> Iterator[Talk]:
    environment = {f"CONVERSATION_{name.upper()}_URL": f"{server.url}/v1" for name, server in servers.items()}
    stop_event = threading.Event()
    with Robot(stop_event=stop_event) as robot:
        conversation = Conversation(robot, Motion(), Store(tmp_path / "settings.json", environment), stop_event)
        conversation.start()
        daemon.received("listen")
        yield Talk(daemon, conversation)
        stop_event.set()


def test_a_turn_goes_through_three_separate_providers(talk: Talk, servers: dict[str, ModelServer]) -> None:
    talk.say()
    talk.daemon.wait_for_audio(round(2 * ANSWER_S * RATE))
    status = talk.wait_for(lambda status: status["said"] == "Hello!" and status["state"] == "idle")
    assert status == {"state": "idle", "heard": "Hello robot", "said": "Hello!", "trouble": ""}
    assert [len(server.requests) for server in servers.values()] == [1, 1, 1]
    talk.say()
    talk.daemon.wait_for_audio(round(4 * ANSWER_S * RATE))
    assert [len(server.requests) for server in servers.values()] == [2, 2, 2]


@pytest.mark.parametrize(
    ("name", "path", "fault", "words"),
    [
        ("transcription", HEAR, (500, b""), "transcription: .* answers with 500"),
        ("transcription", HEAR, (200, b"[]"), "transcription: the answer has no text"),
        ("language", CHAT, (401, b'{"error": {"message": "Wrong key"}}'), "language model: .*401: Wrong key"),
        ("language", CHAT, (200, b"{"), "language model: the answer has no message"),
        ("speech", SPEAK, (200, b"RIFF"), "speech: the answer cannot be played"),
    ],
)
def test_an_error_of_a_provider_is_shown_and_survived(
    talk: Talk,
    servers: dict[str, ModelServer],
    name: str,
    path: str,
    fault: tuple[int, bytes],
    words: str,
) -> None:
    good = servers[name].answers[path][-1]
    servers[name].answers[path] = [fault, good]
    talk.say()
    status = talk.wait_for(lambda status: status["trouble"] != "" and status["state"] == "idle")
    assert re.search(words, status["trouble"])
    before = len(servers["speech"].requests)
    talk.say()
    talk.wait_for(lambda status: status["trouble"] == "" and len(servers["speech"].requests) > before)


def test_an_unexpected_error_is_shown_and_survived(talk: Talk, servers: dict[str, ModelServer]) -> None:
    think = talk.conversation._think

    def fail_once(*_arguments: object) -> str:
        talk.conversation._think = think  # type: ignore[method-assign]
        raise KeyError("a mistake in a tool")

    talk.conversation._think = fail_once  # type: ignore[method-assign,assignment]
    talk.say()
    assert "a mistake in a tool" in talk.wait_for(lambda status: status["trouble"] != "")["trouble"]
    talk.say()
    talk.wait_for(lambda status: status["said"] == "Hello!" and status["trouble"] == "")


def test_without_a_key_the_page_says_so_and_forgets_errors_of_providers(
    talk: Talk, servers: dict[str, ModelServer]
) -> None:
    servers["language"].answers[CHAT] = [(401, b'{"error": {"message": "Wrong key"}}')]
    talk.say()
    talk.wait_for(lambda status: "Wrong key" in status["trouble"] and status["state"] == "idle")
    store = talk.conversation._store
    store.change({"language_url": PUBLIC_SERVER})
    assert talk.conversation.status()["trouble"] == NO_KEY
    # The robot repeats it, for longer than a busy machine may keep these tests from looking.
    talk.say(7)
    talk.wait_for(lambda status: status["state"] == "speaking")
    store.change({"language_url": f"{servers['language'].url}/v1"})
    assert talk.conversation.status()["trouble"] == ""


def test_an_unexpected_error_is_shown_until_the_robot_has_repeated_the_next_utterance(talk: Talk) -> None:
    talk.conversation._store.change({"language_url": PUBLIC_SERVER})
    play = talk.conversation._play

    def fail_once(_samples: Samples) -> None:
        talk.conversation._play = play  # type: ignore[method-assign]
        raise KeyError("the speaker is gone")

    talk.conversation._play = fail_once  # type: ignore[method-assign,assignment]
    talk.say()
    status = talk.wait_for(lambda status: status["trouble"] != NO_KEY)
    assert status["trouble"].startswith(f"{NO_KEY} Something went wrong: 'the speaker is gone'")
    talk.say()
    talk.wait_for(lambda status: status["trouble"] == NO_KEY)


def test_a_model_that_always_calls_tools_is_cut_off(talk: Talk, servers: dict[str, ModelServer]) -> None:
    calls = says(None, ("look", '{"direction": "left"}'))
    servers["language"].answers[CHAT] = [calls]
    conversation, settings = talk.conversation, talk.conversation._store.settings
    assert conversation._think(settings, "Look around") == ""
    assert len(servers["language"].requests) == MAX_REQUESTS
    servers["language"].answers[CHAT] = [*[calls] * (MAX_REQUESTS - 1), says("Done.", ("dance", "{}"))]
    assert conversation._think(settings, "Look around") == "Done."
    last = servers["language"].bodies(CHAT)[-1]["messages"]
    answered = {message["tool_call_id"] for message in last if message["role"] == "tool"}
    assert {call["id"] for message in last for call in message.get("tool_calls", [])} == answered
    texts = [message for message in last if message["role"] == "assistant" and "tool_calls" not in message]
    assert [message["content"] for message in texts] == [""]


def test_the_conversation_keeps_only_the_turns_that_the_model_gets(talk: Talk, servers: dict[str, ModelServer]) -> None:
    conversation = talk.conversation
    for number in range(REMEMBERED_TURNS + 2):
        conversation._think(conversation._store.settings, f"Utterance {number}")
    assert len(conversation._turns) == REMEMBERED_TURNS
    messages = servers["language"].bodies(CHAT)[-1]["messages"]
    heard = [message["content"] for message in messages if message["role"] == "user"]
    assert heard == [f"Utterance {number}" for number in range(1, REMEMBERED_TURNS + 2)]


def test_speech_interrupts_the_robot(talk: Talk, servers: dict[str, ModelServer]) -> None:
    servers["speech"].answers[SPEAK] = [answer(20), answer()]
    talk.say()
    talk.wait_for(lambda status: status["state"] == "speaking")
    talk.hear(speech(2, 0.4, seed=3))
    assert talk.daemon.received("drop")["track"] == "speaker"
    talk.wait_for(lambda status: status["state"] != "speaking")
    talk.hear(np.zeros(2 * RATE, np.float32))
    talk.wait_for(lambda _status: len(servers["speech"].requests) == 2)
