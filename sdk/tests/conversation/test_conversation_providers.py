from collections.abc import Iterator

import numpy as np
import pytest
from model_server import ModelServer, says
from template_app.audio import from_wav, to_wav
from template_app.providers import LanguageModel, ProviderError, Speech, Transcription
from template_app.settings import Provider

from conftest import answering
from scripted_daemon import DEADLINE_S

SILENCE = np.zeros(160, np.float32)
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer({}).running() as running:
        yield running


def provider(model: ModelServer, key: str = "secret", name: str = "wit") -> Provider:
    return Provider(f"{model.url}/v1", key, name)


def language(model: ModelServer, key: str = "secret") -> LanguageModel:
    return LanguageModel(provider(model, key), timeout=DEADLINE_S)


def test_chat_sends_the_conversation_and_returns_words_or_tool_calls(model: ModelServer) -> None:
    model.answers["/v1/chat/completions"] = [says("Hi!"), says(None, ("look", '{"direction": "left"}'))]
    tool = {"type": "function", "function": {"name": "look"}}
    assert language(model).chat(HELLO, []) == {"role": "assistant", "content": "Hi!"}
    message = language(model).chat(HELLO, [tool])
    assert message["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"direction": "left"}'}
    assert model.bodies("/v1/chat/completions") == [
        {"model": "wit", "messages": HELLO},
        {"model": "wit", "messages": HELLO, "tools": [tool]},
    ]
    assert model.requests[0][1]["Authorization"] == "Bearer secret"


def test_without_a_key_none_is_sent(model: ModelServer) -> None:
    model.answers["/v1/chat/completions"] = [says("Hi!")]
    language(model, key="").chat(HELLO, [])
    assert model.requests[0][1]["Authorization"] is None


def test_transcribe_sends_a_wav_file_in_a_form(model: ModelServer) -> None:
    model.answers["/v1/audio/transcriptions"] = [(200, b'{"text": " Hello there. "}')]
    assert (
        Transcription(provider(model, name="whisper-1"), timeout=DEADLINE_S).transcribe(SILENCE, 16000)
        == "Hello there."
    )
    _, headers, body = model.requests[0]
    boundary = headers["Content-Type"].partition("boundary=")[2].encode()
    _, model_part, file_part, end = body.split(b"--" + boundary)
    assert model_part.endswith(b'name="model"\r\n\r\nwhisper-1\r\n')
    assert from_wav(file_part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n"))[1] == 16000
    assert end == b"--\r\n"


def test_speak_returns_samples(model: ModelServer) -> None:
    wave = np.sin(np.arange(240, dtype=np.float32))
    model.answers["/v1/audio/speech"] = [(200, to_wav(wave, 24000))]
    samples, rate = Speech(provider(model, name="tts-1"), timeout=DEADLINE_S).speak("Hello", "alloy")
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
def test_an_error_of_the_language_model_says_what_is_wrong(
    model: ModelServer, answer: tuple[int, bytes], words: str
) -> None:
    model.answers["/v1/chat/completions"] = [answer]
    with pytest.raises(ProviderError, match=words):
        language(model).chat(HELLO, [])


def test_invalid_answers_of_other_providers_say_what_is_wrong(model: ModelServer) -> None:
    model.answers["/v1/audio/transcriptions"] = [(200, b"[]")]
    model.answers["/v1/audio/speech"] = [(200, b"ID3 is no WAV")]
    with pytest.raises(ProviderError, match="^transcription: .*no text"):
        Transcription(provider(model, name="whisper-1"), timeout=DEADLINE_S).transcribe(SILENCE, 16000)
    with pytest.raises(ProviderError, match="^speech: .*cannot be played"):
        Speech(provider(model, name="tts-1"), timeout=DEADLINE_S).speak("Hello", "alloy")


def test_the_key_is_not_sent_to_the_target_of_a_redirect(model: ModelServer) -> None:
    with ModelServer({"/v1/chat/completions": [says("Give me keys")]}).running() as other:
        for status in (301, 302, 303, 307, 308):
            model.answers["/v1/chat/completions"] = [(status, f"{other.url}/v1/chat/completions".encode())]
            with pytest.raises(ProviderError, match=str(status)):
                language(model).chat(HELLO, [])
        assert other.requests == []


def test_a_server_that_is_not_there_says_so() -> None:
    with ModelServer({}).running() as gone:
        pass
    with pytest.raises(ProviderError, match=r"does not answer .*check the address"):
        language(gone).chat(HELLO, [])


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Transfer-Encoding: chunked", b"1000\r\n{"),
        ("Transfer-Encoding: chunked", b"5\r\n{"),
        ("Transfer-Encoding: chunked", b"none"),
        ("Content-Length: 1000", b"{"),
        ("Content-Length: many", b"{"),
        ("Connection: close", b""),
    ],
)
def test_an_answer_that_is_cut_off_is_an_error_of_the_provider(head: str, body: bytes) -> None:
    cut = f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body
    with answering(cut) as url, pytest.raises(ProviderError, match="^language model: "):
        LanguageModel(Provider(f"{url}/v1", "", "wit"), timeout=DEADLINE_S).chat(HELLO, [])


def test_an_answer_that_never_ends_is_an_error_of_the_provider() -> None:
    for timeout in (0.3, 3, 30):
        # A busy machine may need longer for the beginning of the answer.
        error = error_of_an_answer_that_never_ends(timeout)
        if "timed out" not in error:
            break
    assert "too long" in error


def error_of_an_answer_that_never_ends(timeout: float) -> str:
    with answering(b"HTTP/1.1 200 OK\r\n\r\n", endless=b" ") as url, pytest.raises(ProviderError) as raised:
        LanguageModel(Provider(f"{url}/v1", "", "wit"), timeout).chat(HELLO, [])
    return str(raised.value)
