"""Requests to the three providers: transcription, language model and speech, each with OpenAI-style endpoints.

The endpoints are those of https://platform.openai.com/docs/api-reference; many servers have them, local ones too.
"""

import json
import time
import uuid
from http.client import HTTPException
from typing import Any, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from template_app.audio import from_wav, to_wav
from template_app.settings import Provider

Message: TypeAlias = dict[str, Any]

TIMEOUT_S = 30.0
MAX_ANSWER_BYTES = 20 * 2**20
BLOCK_BYTES = 64 * 2**10


class ProviderError(Exception):
    """A provider did not do what it was asked; the text says why, for people."""


class _NoRedirect(HTTPRedirectHandler):
    """Sends the key only to the server that was named, and not to the target of a redirect."""

    def redirect_request(self, *_args: object) -> None:
        """Makes a redirect an HTTPError."""


class _Client:
    """Sends requests to one provider."""

    name = "provider"

    def __init__(self, provider: Provider, timeout: float = TIMEOUT_S) -> None:
        """Sends nothing yet.

        Args:
            provider: Address, key and model.
            timeout: Seconds for a whole request.
        """
        self._provider = provider
        self._timeout = timeout
        self._opener = build_opener(_NoRedirect)

    def _post_json(self, path: str, body: Message) -> bytes:
        return self._post(path, json.dumps(body).encode(), "application/json")

    def _post(self, path: str, body: bytes, kind: str) -> bytes:
        address = f"{self._provider.url}/{path}"
        headers = {"Content-Type": kind}
        if self._provider.key:
            headers["Authorization"] = f"Bearer {self._provider.key}"
        try:
            return self._read(Request(address, body, headers))
        except HTTPError as error:
            raise self._error(f"{address} answers with {error.code}: {_reason(error)}") from None
        except (URLError, OSError, ValueError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise self._error(f"{address} does not answer ({reason!s}): check the address") from None

    def _read(self, request: Request) -> bytes:
        """The answer, within the timeout and the size limit also when it comes byte by byte."""
        deadline = time.monotonic() + self._timeout
        answer = bytearray()
        with self._opener.open(request, timeout=self._timeout) as response:
            while block := response.read1(BLOCK_BYTES):
                answer += block
                if len(answer) > MAX_ANSWER_BYTES:
                    raise ValueError("the answer is too long")
                if time.monotonic() > deadline:
                    raise TimeoutError("the answer takes too long")
            if response.length:
                raise ValueError("the answer is cut off")
        return bytes(answer)

    def _error(self, text: str) -> ProviderError:
        return ProviderError(f"{self.name}: {text}")


class Transcription(_Client):
    """Turns speech into text."""

    name = "transcription"

    def transcribe(self, samples: NDArray[np.float32], rate: int) -> str:
        """The text of an utterance. Raises ProviderError."""
        boundary = uuid.uuid4().hex
        part = f'--{boundary}\r\nContent-Disposition: form-data; name="'
        model = f'{part}model"\r\n\r\n{self._provider.model}\r\n'
        head = f'{part}file"; filename="speech.wav"\r\nContent-Type: audio/wav\r\n\r\n'
        body = model.encode() + head.encode() + to_wav(samples, rate) + f"\r\n--{boundary}--\r\n".encode()
        answer = self._post("audio/transcriptions", body, f"multipart/form-data; boundary={boundary}")
        try:
            return str(json.loads(answer)["text"]).strip()
        except (ValueError, LookupError, TypeError):
            raise self._error("the answer has no text") from None


class LanguageModel(_Client):
    """Answers a conversation."""

    name = "language model"

    def chat(self, messages: list[Message], tools: list[Message]) -> Message:
        """The assistant's next message, which may have `tool_calls`. Raises ProviderError."""
        body: Message = {"model": self._provider.model, "messages": messages}
        if tools:
            body["tools"] = tools
        answer = self._post_json("chat/completions", body)
        try:
            message = json.loads(answer)["choices"][0]["message"]
            return {"role": "assistant", "content": message.get("content"), **_tool_calls(message)}
        except (ValueError, LookupError, TypeError, AttributeError):
            raise self._error("the answer has no message: is it a chat-completions server?") from None


class Speech(_Client):
    """Turns text into speech."""

    name = "speech"

    def speak(self, text: str, voice: str) -> tuple[NDArray[np.float32], int]:
        """A text as samples from -1 to 1, and their number per second. Raises ProviderError."""
        body = {"model": self._provider.model, "voice": voice, "input": text, "response_format": "wav"}
        answer = self._post_json("audio/speech", body)
        try:
            return from_wav(answer)
        except ValueError as error:
            raise self._error(f"the answer cannot be played: {error}") from None


def _tool_calls(message: Message) -> Message:
    calls = message.get("tool_calls")
    calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return {"tool_calls": calls} if calls else {}


def _reason(error: HTTPError) -> str:
    """The text of an error's body; most servers put it in `error.message`."""
    try:
        return str(json.loads(error.read(10_000))["error"]["message"])
    except (ValueError, LookupError, TypeError, OSError, HTTPException):
        return str(error.reason)
