"""A request to an app's page that waits in a thread of its own, so that the test can advance the time meanwhile."""

from __future__ import annotations

import http.client
import json
import threading

WAIT_S = 0.02
"""Real seconds that `wait_briefly` waits: the answer comes over a real socket."""
TIMEOUT_S = 180.0
"""Real seconds after which it fails: more than a loaded machine takes for the virtual limit of the test."""


class PageRequest:
    """One request and its answer."""

    def __init__(self, port: int, asked: int, method: str, path: str, body: object) -> None:
        """Sends the request.

        Args:
            port: Where the app listens.
            asked: The port that the app wanted to listen on. The request names it in `Host`, which apps check.
            method: For example "GET".
            path: For example "/energy".
            body: Sent as JSON; None for none.
        """
        self._answer: tuple[int, str] | None = None
        self._error: Exception | None = None
        self._done = threading.Event()
        self._port, self._asked = port, asked
        threading.Thread(target=self._send, args=(method, path, body), daemon=True).start()

    def wait_briefly(self) -> bool:
        """Waits up to `WAIT_S` real seconds. Returns whether there is an answer, or an error."""
        return self._done.wait(WAIT_S)

    def result(self) -> tuple[int, str]:
        """Status and text of the answer. Call only when `wait_briefly` has returned True.

        Raises:
            OSError: The connection failed.
            http.client.HTTPException: The answer is not HTTP.
        """
        if self._error is not None:
            raise self._error
        assert self._answer is not None
        return self._answer

    def _send(self, method: str, path: str, body: object) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        try:
            headers = {"Host": f"localhost:{self._asked}"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            self._answer = (response.status, response.read().decode("utf8", "replace"))
        except (OSError, http.client.HTTPException) as error:
            self._error = error
        finally:
            connection.close()
            self._done.set()
