"""A daemon that does what a test says, for faults that the real one does not produce on demand."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

Message = dict[str, Any]

JOINTS: Message = {
    "type": "joint_positions",
    "head_joint_positions": [0.0, 0.5, -0.6, 0.6, -0.6, 0.6, -0.5],
    "antennas_joint_positions": [-0.17, 0.17],
}
POSE: Message = {
    "type": "head_pose",
    "head_pose": [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.01], [0, 0, 0, 1]],
}
STATUS: Message = {"type": "daemon_status", "state": "running", "wireless_version": False, "error": None}
STATE: list[Message] = [JOINTS, POSE, STATUS]
AUDIO: Message = {
    "type": "status",
    "room": 32_000,
    "speaker": {"fault": None},
    "microphone": {"fault": None},
    "sounds": ["wake_up", "sleep"],
}


class ScriptedDaemon:
    """One client at a time. `say` is repeated 50 times a second while `talking` is set."""

    def __init__(self) -> None:
        self.say: list[Message | str] = list(STATE)
        self.talking = threading.Event()
        self.talking.set()
        self.token: str | None = None
        self.answers_tasks = True
        self.task_error: str | None = None
        self.connected = threading.Event()
        self.headers: dict[str, str] = {}
        self.audio = AUDIO
        self.heard = b""
        self._ear: ServerConnection | None = None
        self._received: list[Message] = []
        self._news = threading.Condition()
        self._client: ServerConnection | None = None
        self._server = serve(self._talk, "127.0.0.1", 0, process_request=self._admit)
        self.port: int = self._server.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator["ScriptedDaemon"]:
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()

    def received(self, kind: str, count: int = 1, timeout: float = 10.0) -> Message:
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

    def say_audio(self, message: Message | bytes) -> None:
        """Says something on the audio socket."""
        assert self._ear is not None
        self._ear.send(message if isinstance(message, bytes) else json.dumps(message))

    def played(self, size: int, timeout: float = 10.0) -> bytes:
        """Waits until so many bytes were sent to be played, headers included."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.heard) >= size, timeout), f"{len(self.heard)} of {size} bytes"
            return self.heard

    def drop(self) -> None:
        """Cuts the connections as a killed daemon does."""
        assert self._client is not None
        self._client.close_socket()
        if self._ear is not None:
            self._ear.close_socket()

    def _admit(self, _connection: ServerConnection, request: Request) -> Response | None:
        self.headers = dict(request.headers.raw_items())
        if request.path not in ("/ws/sdk", "/ws/audio"):
            return _connection.respond(HTTPStatus.NOT_FOUND, "no such route")
        if self.token is not None and self.headers.get("Authorization") != f"Bearer {self.token}":
            return _connection.respond(HTTPStatus.UNAUTHORIZED, "token required")
        return None

    def _talk(self, client: ServerConnection) -> None:
        assert client.request is not None
        if client.request.path == "/ws/audio":
            self._listen(client)
            return
        self._client = client
        self.connected.set()
        ended = threading.Event()
        talker = threading.Thread(target=self._repeat, args=(client, ended), daemon=True)
        talker.start()
        try:
            for text in client:
                self._take(client, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            ended.set()
            talker.join()

    def _listen(self, client: ServerConnection) -> None:
        self._ear = client
        client.send(json.dumps(self.audio))
        for data in client:
            if isinstance(data, bytes):
                with self._news:
                    self.heard += data
                    self._news.notify_all()
            else:
                self._take(client, json.loads(data))

    def _repeat(self, client: ServerConnection, ended: threading.Event) -> None:
        try:
            while not ended.wait(0.02):
                if self.talking.is_set():
                    for message in self.say:
                        client.send(message if isinstance(message, str) else json.dumps(message))
        except (ConnectionClosed, OSError):
            pass

    def _take(self, client: ServerConnection, message: Message) -> None:
        with self._news:
            self._received.append(message)
            self._news.notify_all()
        if self.answers_tasks and "uuid" in message:
            time.sleep(message.get("req", {}).get("duration", 0.0))
            progress = {"type": "task_progress", "uuid": message["uuid"], "finished": True, "error": self.task_error}
            client.send(json.dumps(progress))
        if message["type"] == "stop_recording":
            records = [m["record"] for m in self._received if m["type"] == "append_record"]
            client.send(json.dumps({"type": "recorded_data", "data": records}))


if __name__ == "__main__":
    with ScriptedDaemon().running() as daemon:
        print(daemon.url, flush=True)
        threading.Event().wait()
