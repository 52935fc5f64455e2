from collections.abc import Iterator

import numpy as np
import pytest
from template_app.audio import from_wav, to_wav
from template_app.llm import Server, ServerError
from template_app.settings import Settings

from model_server import ModelServer, says

SILENCE = np.zeros(160, np.float32)
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer({}).running() as running:
        yield running


def server(model: ModelServer, key: str = "secret") -> Server:
    return Server(Settings(server_url=f"{model.url}/v1", api_key=key, chat_model="wit"), timeout=5)


def test_chat_sends_the_conversation_and_returns_words_or_tool_calls(model: ModelServer) -> None:
    model.answers["/v1/chat/completions"] = [says("Hi!"), says(None, ("look", '{"direction": "left"}'))]
    tool = {"type": "function", "function": {"name": "look"}}
    assert server(model).chat(HELLO, []) == {"role": "assistant", "content": "Hi!"}
    message = server(model).chat(HELLO, [tool])
    assert message["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"direction": "left"}'}
    assert model.bodies("/v1/chat/completions") == [
        {"model": "wit", "messages": HELLO},
        {"model": "wit", "messages": HELLO, "tools": [tool]},
    ]
    assert model.requests[0][1]["Authorization"] == "Bearer secret"


def test_without_a_key_none_is_sent(model: ModelServer) -> None:
    model.answers["/v1/chat/completions"] = [says("Hi!")]
    server(model, key="").chat(HELLO, [])
    assert model.requests[0][1]["Authorization"] is None


def test_transcribe_sends_a_wav_file_in_a_form(model: ModelServer) -> None:
    model.answers["/v1/audio/transcriptions"] = [(200, b'{"text": " Hello there. "}')]
    assert server(model).transcribe(SILENCE, 16000) == "Hello there."
    _, headers, body = model.requests[0]
    boundary = headers["Content-Type"].partition("boundary=")[2].encode()
    _, model_part, file_part, end = body.split(b"--" + boundary)
    assert model_part.endswith(b'name="model"\r\n\r\nwhisper-1\r\n')
    assert from_wav(file_part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n"))[1] == 16000
    assert end == b"--\r\n"


def test_speak_returns_samples(model: ModelServer) -> None:
    wave = np.sin(np.arange(240, dtype=np.float32))
    model.answers["/v1/audio/speech"] = [(200, to_wav(wave, 24000))]
    samples, rate = server(model).speak("Hello")
    assert rate == 24000
    assert np.abs(samples - wave).max() < 1e-3
    assert model.bodies("/v1/audio/speech") == [
        {"model": "tts-1", "voice": "alloy", "input": "Hello", "response_format": "wav"}
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((401, b'{"error": {"message": "Incorrect API key"}}'), "401: Incorrect API key"),
        ((500, b"<html>"), "500: Internal Server Error"),
        ((200, b"<html>"), "is it a chat-completions server"),
        ((200, b'{"choices": []}'), "is it a chat-completions server"),
        ((200, b'{"choices": [{"message": "Hi"}]}'), "is it a chat-completions server"),
    ],
)
def test_what_goes_wrong_is_told(model: ModelServer, answer: tuple[int, bytes], words: str) -> None:
    model.answers["/v1/chat/completions"] = [answer]
    with pytest.raises(ServerError, match=words):
        server(model).chat(HELLO, [])


def test_other_answers_that_make_no_sense_are_told(model: ModelServer) -> None:
    model.answers["/v1/audio/transcriptions"] = [(200, b"[]")]
    model.answers["/v1/audio/speech"] = [(200, b"ID3 is no WAV")]
    with pytest.raises(ServerError, match="no text"):
        server(model).transcribe(SILENCE, 16000)
    with pytest.raises(ServerError, match="cannot be played"):
        server(model).speak("Hello")


def test_the_key_follows_no_redirect(model: ModelServer) -> None:
    with ModelServer({"/v1/chat/completions": [says("Give me keys")]}).running() as other:
        for status in (301, 302, 303, 307, 308):
            model.answers["/v1/chat/completions"] = [(status, f"{other.url}/v1/chat/completions".encode())]
            with pytest.raises(ServerError, match=str(status)):
                server(model).chat(HELLO, [])
        assert other.requests == []


def test_a_server_that_is_not_there_is_told() -> None:
    with ModelServer({}).running() as gone:
        pass
    with pytest.raises(ServerError, match=r"does not answer .*check the server's address"):
        server(gone).chat(HELLO, [])
