"""A model server with OpenAI-style endpoints that gives prepared answers, for the conversation template."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message as Headers
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]


@dataclass
class ModelServer:
    """Answers by path, each time the next one; the last one stays."""

    answers: dict[str, list[Answer]]
    url: str = ""
    requests: list[tuple[str, Headers, bytes]] = field(default_factory=list)

    def bodies(self, path: str) -> list[Any]:
        """The JSON bodies that came to a path."""
        return [json.loads(body) for at, _, body in self.requests if at == path]

    @contextmanager
    def running(self) -> Iterator["ModelServer"]:
        """Serves on a free port of this machine."""
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                model.requests.append((self.path, self.headers, body))
                waiting = model.answers.get(self.path, [(404, b"not found")])
                status, answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", answer.decode())
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def says(content: str | None, *calls: tuple[str, str]) -> Answer:
    """A chat completion with words, tool calls (name and arguments), or both."""
    tool_calls = [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content, **({"tool_calls": tool_calls} if calls else {})}
    return 200, json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
