"""A WebSocket to the daemon: one thread receives, any thread sends and waits."""

import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Response
from websockets.sync.client import connect
from websockets.sync.connection import Connection as WebSocket

Message: TypeAlias = dict[str, Any]

DEFAULT_URL = "http://127.0.0.1:8000"
# The daemon speaks 50 times a second; a slow network loses a few of these, not a hundred.
SILENCE_S = 2.0
# How soon a wait notices a stop event, which cannot wake it by itself.
POLL_S = 0.01
CLOSE_S = 0.5
# As much of what a server says to its refusal as belongs into a sentence.
SHOWN_BYTES = 300
MAX_MESSAGE_BYTES = 64 * 2**20

HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^\s/:@?#]+)(:[0-9]{1,5})?")

logger = logging.getLogger("robot_sdk")


def socket_url(url: str | None) -> str:
    """The address of the SDK's socket at a daemon; `ROBOT_DAEMON_URL` or the local daemon when None.

    Raises:
        ValueError: Not an address that starts with http://, https://, ws:// or wss://.
    """
    base = url or os.environ.get("ROBOT_DAEMON_URL") or DEFAULT_URL
    scheme, separator, rest = base.partition("://")
    schemes = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
    host = rest.rstrip("/").removesuffix("/ws/sdk")
    if not separator or scheme not in schemes or not HOST_AND_PORT.fullmatch(host):
        origin = "url" if url else "ROBOT_DAEMON_URL"
        raise ValueError(f"{origin} is {base!r}, no address of a daemon: use one like {DEFAULT_URL}")
    return f"{schemes[scheme]}://{host}/ws/sdk"


class Connection:
    """Connects in its own thread at once and stays connected until `close` or until the daemon goes."""

    def __init__(
        self,
        url: str,
        token: str | None,
        receive: Callable[[Message | bytes], None],
        stop_event: threading.Event | None,
        timeout: float,
        silence: float | None = SILENCE_S,
    ) -> None:
        """Starts to connect.

        Args:
            url: Where to, as `ws://HOST:PORT/ws/sdk`.
            token: The daemon's token, if it asks for one.
            receive: Called with every message, JSON or binary, in the receiving thread, while no wait looks at its
                results.
            stop_event: Ends waits when set; is set when the daemon goes.
            timeout: Seconds to open the connection in.
            silence: Seconds without a message after which the daemon counts as gone; None where it need not speak.
        """
        self._url = url
        self._has_token = bool(token)
        self._receive = receive
        self._silence = silence
        self._stop_event = stop_event
        self._news = threading.Condition()
        self._socket: WebSocket | None = None
        self.failure: str | None = None
        self._established = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, args=(token, timeout), name="robot-sdk-receiver", daemon=True)
        self._thread.start()

    @property
    def stopping(self) -> bool:
        """Whether the app was told to stop."""
        return self._stop_event is not None and self._stop_event.is_set()

    def establish(self, ready: Callable[[], bool], timeout: float) -> None:
        """Waits until `ready` holds; from then on a lost daemon sets the stop event.

        Raises:
            ConnectionError: No daemon, or one that does not answer; or told to stop meanwhile.
        """
        try:
            if not self.wait(ready, timeout, ""):
                raise ConnectionAbortedError(f"told to stop while connecting to {self._url}")
        except TimeoutError:
            fault = "does not answer" if self._socket is None else "sends no robot state"
            raise ConnectionError(
                f"{self._url} {fault} within {timeout:g} s: see the daemon's log, and check ROBOT_DAEMON_URL"
            ) from None
        with self._news:
            self._established = True
        self.check()

    def send(self, message: Message | bytes) -> None:
        """Sends one message: JSON or binary.

        Raises:
            ConnectionError: The daemon has gone, or the connection is closed.
        """
        self.check()
        assert self._socket is not None
        try:
            self._socket.send(message if isinstance(message, bytes) else json.dumps(message, allow_nan=False))
        except (ConnectionClosed, OSError) as error:
            self._fail(error)
            self.check()

    def wait(self, done: Callable[[], bool], timeout: float, missing: str) -> bool:
        """Waits until `done` holds: True; or until told to stop: False.

        Raises:
            ConnectionError: The daemon has gone.
            TimeoutError: Neither happened within `timeout` seconds; its text is `missing`.
        """
        deadline = time.monotonic() + timeout
        with self._news:
            while not done():
                self.check()
                if self.stopping:
                    return False
                if time.monotonic() > deadline:
                    raise TimeoutError(missing)
                self._news.wait(POLL_S)
            return True

    def check(self) -> None:
        """Raises ConnectionError when the daemon has gone or `close` was called."""
        if self.failure is not None:
            raise ConnectionError(self.failure)
        if self._closing:
            raise ConnectionError("this Robot is closed: make another one, or stay inside its `with` block")

    def close(self) -> None:
        """Ends the connection; never raises, and takes no longer than a second with a daemon that hangs."""
        self._closing = True
        if self._socket is not None:
            self._socket.close()
            self._thread.join(2 * CLOSE_S)

    def _run(self, token: str | None, timeout: float) -> None:
        # The daemon tells by the process id whether a client is the app of its slot.
        headers = {"X-Robot-Client-Pid": str(os.getpid())}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            with connect(
                self._url,
                additional_headers=headers,
                compression=None,
                proxy=None,
                open_timeout=timeout,
                close_timeout=CLOSE_S,
                ping_interval=None,
                max_size=MAX_MESSAGE_BYTES,
            ) as socket:
                self._socket = socket
                while not self._closing:
                    self._handle(socket.recv(timeout=self._silence))
        except Exception as error:
            self._fail(error)

    def _handle(self, text: str | bytes) -> None:
        """Hands one message on; skips what it cannot read, as the daemon's next state makes up for it."""
        try:
            message = text if isinstance(text, bytes) else json.loads(text)
            with self._news:
                self._receive(message)
                self._news.notify_all()
        except (KeyError, TypeError, ValueError) as error:
            logger.debug("skipped a message of the daemon: %r in %.200r", error, text)

    def _fail(self, error: Exception) -> None:
        with self._news:
            if self._closing or self.failure is not None:
                return
            self.failure = self._explain(error)
            if self._established and self._stop_event is not None:
                self._stop_event.set()
            self._news.notify_all()

    def _explain(self, error: Exception) -> str:
        start = "start one with `robot-daemon --sim`"
        if self._socket is not None:
            reason = f"silent for {SILENCE_S:g} s" if isinstance(error, TimeoutError) else error
            return f"lost the daemon at {self._url} ({reason}): {start}, then run this again"
        if isinstance(error, InvalidStatus) and error.response.status_code >= 400:
            return self._explain_refusal(error.response)
        if isinstance(error, OSError) and not isinstance(error, TimeoutError):
            return f"no daemon at {self._url}: {start}, or set ROBOT_DAEMON_URL ({error.strerror or error})"
        return f"{self._url} does not answer like a robot-daemon ({error}): check ROBOT_DAEMON_URL"

    def _explain_refusal(self, response: Response) -> str:
        if response.status_code == 401:
            fault = "refuses the token in ROBOT_DAEMON_TOKEN" if self._has_token else "asks for its token"
            where = "`robot-daemon link` on the robot shows it"
            return f"the daemon at {self._url} {fault}: {where}; set ROBOT_DAEMON_TOKEN"
        said = bytes(response.body or b"")[:SHOWN_BYTES].decode(errors="replace").strip()
        if response.status_code == 404:
            return f"{self._url} has no SDK socket ({said or 404}): check ROBOT_DAEMON_URL; no robot-daemon runs there"
        return f"the daemon at {self._url} refuses the connection with {response.status_code}: {said}"
