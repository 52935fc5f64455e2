"""A daemon that a test controls, for faults that the real daemon does not produce on demand."""

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any

import numpy as np
from numpy.typing import NDArray
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

Message = dict[str, Any]

DEADLINE_S = 60.0
"""Seconds that a test waits for what should come soon. A machine that is busy with other things takes its time."""

JOINTS: Message = {
    "type": "joint_positions",
    "head_joint_positions": [0.0, 0.5, -0.6, 0.6, -0.6, 0.6, -0.5],
    "antennas_joint_positions": [-0.17, 0.17],
}
POSE: Message = {
    "type": "head_pose",
    "head_pose": [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.01], [0, 0, 0, 1]],
}
STATUS: Message = {
    "type": "daemon_status",
    "state": "running",
    "wireless_version": False,
    "simulation_enabled": True,
    "error": None,
}
STATE: list[Message] = [JOINTS, POSE, STATUS]
AUDIO: Message = {
    "type": "status",
    "room": 32_000,
    "speaker": {"fault": None},
    "microphone": {"fault": None},
    "sounds": ["wake_up", "sleep", "chime"],
}


def npy(array: NDArray[Any]) -> bytes:
    """A file of NumPy."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


class HeldRoute:
    """A route that answers when the test says so."""

    def __init__(self) -> None:
        self.requested = threading.Event()
        self.released = threading.Event()


class ScriptedDaemon:
    """Serves one client at a time. Sends `repeated` 50 times per second while `sending` is set."""

    def __init__(self, port: int = 0) -> None:
        self.repeated: list[Message | str] = list(STATE)
        self.sending = threading.Event()
        self.sending.set()
        self.token: str | None = None
        self.is_available = True
        # Connections to drop: during their handshake, and after it, before the first message.
        self.drops_handshakes = 0
        self.drops_openings = 0
        # Connections so far, and connections refused because the daemon was not available.
        self.connections = 0
        self.refusals = 0
        self.answers_tasks = True
        self.task_error: str | None = None
        # A client is connected, and has not been sent its first state.
        self.awaited = threading.Event()
        self.accepts_audio = threading.Event()
        self.accepts_audio.set()
        self.audio_requested = threading.Event()
        self.headers: dict[str, str] = {}
        # Answers of routes: status and body.
        self.routes: dict[str, tuple[int, bytes]] = {}
        # Routes among them that do not answer yet.
        self.held_routes: dict[str, HeldRoute] = {}
        self.audio = AUDIO
        self.audio_received = b""
        self.audio_client: ServerConnection | None = None
        self._received: list[Message] = []
        self._news = threading.Condition()
        self._client: ServerConnection | None = None
        self._server = serve(
            self._serve, "127.0.0.1", port, process_request=self._check_request, open_timeout=DEADLINE_S
        )
        self.port: int = self._server.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def _serve_until_shutdown(self) -> None:
        # A test that ends at once may close the socket before this thread has begun to listen.
        with suppress(OSError):
            self._server.serve_forever()

    @contextmanager
    def running(self) -> Iterator["ScriptedDaemon"]:
        thread = threading.Thread(target=self._serve_until_shutdown, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.accepts_audio.set()
            self._server.shutdown()
            thread.join()

    def received(self, kind: str, count: int = 1, timeout: float = DEADLINE_S) -> Message:
        """Waits for the `count`-th message of a kind."""
        with self._news:
            arrived = self._news.wait_for(lambda: len(self.all(kind)) >= count, timeout)
            assert arrived, f"{len(self.all(kind))} of {count} {kind}; got {self.kinds()}"
            return self.all(kind)[count - 1]

    def all(self, kind: str) -> list[Message]:
        with self._news:
            return [message for message in self._received if message["type"] == kind]

    def kinds(self) -> list[str]:
        with self._news:
            return [message["type"] for message in self._received]

    def send(self, *messages: Message | str) -> None:
        assert self._client is not None
        for message in messages:
            self._client.send(message if isinstance(message, str) else json.dumps(message))

    def send_audio(self, message: Message | bytes) -> None:
        """Sends a message on the audio socket."""
        assert self.audio_client is not None
        self.audio_client.send(message if isinstance(message, bytes) else json.dumps(message))

    def wait_for_audio(self, size: int, timeout: float = DEADLINE_S) -> bytes:
        """Waits until the client has sent this many bytes of audio, headers included."""
        with self._news:
            arrived = self._news.wait_for(lambda: len(self.audio_received) >= size, timeout)
            assert arrived, f"{len(self.audio_received)} of {size} bytes"
            return self.audio_received

    def disappear(self) -> None:
        """Cuts the connections and refuses new ones until `is_available` is True."""
        with self._news:
            self.is_available = False
            self._news.notify_all()
        self.cut_connections()

    def wait_for_refusals(self, count: int, timeout: float = DEADLINE_S) -> None:
        """Waits until this many connections were refused."""
        with self._news:
            assert self._news.wait_for(lambda: self.refusals >= count, timeout), f"{self.refusals} of {count} refusals"

    def cut_connections(self) -> None:
        """Closes the TCP connections without a closing handshake, as a killed daemon does."""
        assert self._client is not None
        self._client.close_socket()
        if self.audio_client is not None:
            self.audio_client.close_socket()

    def _check_request(self, _connection: ServerConnection, request: Request) -> Response | None:
        self.headers = dict(request.headers.raw_items())
        if self.drops_handshakes > 0:
            self.drops_handshakes -= 1
            _connection.close_socket()
        if not self.is_available:
            with self._news:
                self.refusals += 1
                self._news.notify_all()
            return _connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "starting")
        held = self.held_routes.get(request.path)
        if held is not None:
            held.requested.set()
            held.released.wait(DEADLINE_S)
        if request.path in self.routes and self._has_token():
            status, body = self.routes[request.path]
            return Response(status, HTTPStatus(status).phrase, Headers([("Content-Length", str(len(body)))]), body)
        if request.path not in ("/ws/sdk", "/ws/audio"):
            return _connection.respond(HTTPStatus.NOT_FOUND, "no such route")
        if not self._has_token():
            return _connection.respond(HTTPStatus.UNAUTHORIZED, "token required")
        if request.path == "/ws/audio":
            self.audio_requested.set()
            self.accepts_audio.wait()
        return None

    def _has_token(self) -> bool:
        return self.token is None or self.headers.get("Authorization") == f"Bearer {self.token}"

    def _serve(self, client: ServerConnection) -> None:
        assert client.request is not None
        if client.request.path == "/ws/audio":
            self._serve_audio(client)
            return
        if self.drops_openings > 0:
            self.drops_openings -= 1
            client.close_socket()
            return
        self._client = client
        self.connections += 1
        ended = threading.Event()
        sender = threading.Thread(target=self._repeat, args=(client, ended), daemon=True)
        sender.start()
        try:
            for text in client:
                self._handle(client, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            ended.set()
            sender.join()

    def _serve_audio(self, client: ServerConnection) -> None:
        self.audio_client = client
        try:
            client.send(json.dumps(self.audio))
            for data in client:
                if isinstance(data, bytes):
                    with self._news:
                        self.audio_received += data
                        self._news.notify_all()
                else:
                    self._handle(client, json.loads(data))
        except ConnectionClosed:
            pass

    def _repeat(self, client: ServerConnection, ended: threading.Event) -> None:
        is_new = True
        try:
            while not ended.wait(0.02):
                if self.sending.is_set():
                    for message in self.repeated:
                        client.send(message if isinstance(message, str) else json.dumps(message))
                    is_new = False
                elif is_new:
                    self.awaited.set()
        except (ConnectionClosed, OSError):
            pass

    def _handle(self, client: ServerConnection, message: Message) -> None:
        with self._news:
            self._received.append(message)
            self._news.notify_all()
        if self.answers_tasks and "uuid" in message:
            duration = message.get("req", {}).get("duration", 0.0)
            with self._news:
                if self._news.wait_for(lambda: not self.is_available, duration):
                    return
            progress = {"type": "task_progress", "uuid": message["uuid"], "finished": True, "error": self.task_error}
            client.send(json.dumps(progress))


if __name__ == "__main__":
    with ScriptedDaemon().running() as daemon:
        print(daemon.url, flush=True)
        threading.Event().wait()
