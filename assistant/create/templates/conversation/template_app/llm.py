"""Three requests to a server with OpenAI-style endpoints: chat, transcription, speech.

The endpoints are those of https://platform.openai.com/docs/api-reference; many servers offer them, local ones too.
"""

import json
import uuid
from typing import Any, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from template_app.audio import from_wav, to_wav
from template_app.settings import Settings

Message: TypeAlias = dict[str, Any]

TIMEOUT_S = 30.0
MAX_ANSWER_BYTES = 20 * 2**20


class ServerError(Exception):
    """The server did not do what it was asked; the text says why, for people."""


class _NoRedirect(HTTPRedirectHandler):
    """The key is for the server that was named, and for nobody that it points to."""

    def redirect_request(self, *_args: object) -> None:
        """Follows none: it becomes an HTTPError."""


class Server:
    """The server of some settings."""

    def __init__(self, settings: Settings, timeout: float = TIMEOUT_S) -> None:
        """Nothing is sent yet.

        Args:
            settings: Address, key and models.
            timeout: Seconds that each answer may take to begin, and each part of it to come.
        """
        self._settings = settings
        self._timeout = timeout
        self._opener = build_opener(_NoRedirect)

    def chat(self, messages: list[Message], tools: list[Message]) -> Message:
        """The assistant's next message, which may hold `tool_calls`. Raises ServerError."""
        body: Message = {"model": self._settings.chat_model, "messages": messages}
        if tools:
            body["tools"] = tools
        answer = self._post_json("chat/completions", body)
        try:
            message = json.loads(answer)["choices"][0]["message"]
            return {"role": "assistant", "content": message.get("content"), **_tool_calls(message)}
        except (ValueError, LookupError, TypeError, AttributeError):
            raise ServerError("the server's answer holds no message: is it a chat-completions server?") from None

    def transcribe(self, samples: NDArray[np.float32], rate: int) -> str:
        """What somebody said, as text. Raises ServerError."""
        boundary = uuid.uuid4().hex
        part = f'--{boundary}\r\nContent-Disposition: form-data; name="'
        model = f'{part}model"\r\n\r\n{self._settings.hearing_model}\r\n'
        head = f'{part}file"; filename="speech.wav"\r\nContent-Type: audio/wav\r\n\r\n'
        body = model.encode() + head.encode() + to_wav(samples, rate) + f"\r\n--{boundary}--\r\n".encode()
        answer = self._post("audio/transcriptions", body, f"multipart/form-data; boundary={boundary}")
        try:
            return str(json.loads(answer)["text"]).strip()
        except (ValueError, LookupError, TypeError):
            raise ServerError("the server's transcription holds no text") from None

    def speak(self, text: str) -> tuple[NDArray[np.float32], int]:
        """A text as sound: samples from -1 to 1, and how many a second. Raises ServerError."""
        body = {"model": self._settings.speech_model, "voice": self._settings.voice, "input": text}
        answer = self._post_json("audio/speech", {**body, "response_format": "wav"})
        try:
            return from_wav(answer)
        except ValueError as error:
            raise ServerError(f"the server's speech cannot be played: {error}") from None

    def _post_json(self, path: str, body: Message) -> bytes:
        return self._post(path, json.dumps(body).encode(), "application/json")

    def _post(self, path: str, body: bytes, kind: str) -> bytes:
        address = f"{self._settings.server_url}/{path}"
        headers = {"Content-Type": kind}
        if self._settings.api_key:
            headers["Authorization"] = f"Bearer {self._settings.api_key}"
        try:
            with self._opener.open(Request(address, body, headers), timeout=self._timeout) as response:
                answer: bytes = response.read(MAX_ANSWER_BYTES)
                return answer
        except HTTPError as error:
            raise ServerError(f"{address} answers with {error.code}: {_reason(error)}") from None
        except (URLError, OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ServerError(f"{address} does not answer ({reason}): check the server's address") from None


def _tool_calls(message: Message) -> Message:
    return {"tool_calls": message["tool_calls"]} if message.get("tool_calls") else {}


def _reason(error: HTTPError) -> str:
    """What the body of an error says; most servers put it in `error.message`."""
    try:
        return str(json.loads(error.read(10_000))["error"]["message"])
    except (ValueError, LookupError, TypeError, OSError):
        return str(error.reason)
