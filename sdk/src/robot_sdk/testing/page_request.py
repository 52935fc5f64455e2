"""A request to an app's page that waits in a thread of its own, so that the test can advance the time meanwhile."""

from __future__ import annotations

import http.client
import json
from concurrent.futures import Future
from contextlib import closing
from threading import Thread

TIMEOUT_S = 180.0
"""Real seconds after which it fails: more than a loaded machine takes for the virtual limit of the test."""


def request_page(port: int, asked: int, method: str, path: str, body: object) -> Future[tuple[int, str]]:
    """Sends a request.

    Args:
        port: Where the app listens.
        asked: The port that the app wanted to listen on. The request names it in `Host`, which apps check.
        method: For example "GET".
        path: For example "/energy".
        body: Sent as JSON; None for none.

    Returns:
        Status and text of the answer; OSError when the connection failed, http.client.HTTPException when the answer is
        not HTTP.
    """
    answer: Future[tuple[int, str]] = Future()

    def send() -> None:
        headers = {"Host": f"localhost:{asked}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as connection:
                connection.request(method, path, None if body is None else json.dumps(body), headers)
                response = connection.getresponse()
                received = response.status, response.read().decode("utf8", "replace")
        except Exception as error:
            answer.set_exception(error)
        else:
            answer.set_result(received)

    # No pool of threads: Python would wait for its threads when it ends.
    Thread(target=send, daemon=True).start()
    return answer
