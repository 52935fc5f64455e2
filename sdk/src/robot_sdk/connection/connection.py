"""A WebSocket connection to the daemon. One thread receives and reconnects; any thread may send and wait."""

import json
import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection as WebSocket

from robot_sdk.connection.address import explain_failure, is_drop, is_refusal
from robot_sdk.errors import DaemonLostError, StopRequestedError
from robot_sdk.version import VERSION

Message: TypeAlias = dict[str, Any]

OUTAGE_S = 5.0
"""Seconds without the daemon after which the connection counts as lost; a shorter outage is bridged."""

# The daemon sends 50 messages per second; a slow network loses a few of them, not a hundred.
SILENCE_S = 2.0
RETRY_S = 0.1
# A stop event cannot wake a waiting thread, so waits check it at this interval.
POLL_S = 0.01
# A busy machine may keep this process from running for seconds, in which nothing is received: a single wait that lasts
# longer counts as this long.
LONGEST_PASS_S = 0.1
CLOSE_S = 0.5
MAX_MESSAGE_BYTES = 64 * 2**20

CLOSED = "this Robot is closed: create another one, or use it inside of its `with` block"

logger = logging.getLogger("robot_sdk")
# The library logs an error when a connection breaks at a certain moment; what matters is in `failure`.
library_logger = logging.getLogger("robot_sdk.websockets")
library_logger.addHandler(logging.NullHandler())
library_logger.propagate = False


class Connection:
    """Connects in a thread. Bridges outages of up to `OUTAGE_S`; after a longer one it sets the stop event."""

    def __init__(
        self,
        url: str,
        token: str | None,
        receive: Callable[[Message | bytes], None],
        stop_event: threading.Event | None,
        timeout: float,
        on_change: Callable[[bool], None],
        *,
        silence: float | None = SILENCE_S,
        is_reachable: bool = False,
    ) -> None:
        """Starts to connect.

        Args:
            url: Address of a socket, for example `ws://HOST:PORT/ws/sdk`.
            token: The daemon's token, or None.
            receive: Called with each message, JSON or binary, in the receiving thread while no wait checks its
                condition.
            stop_event: Ends waits when it is set. Is set when the daemon is lost.
            timeout: Seconds for opening the connection, as `wait` counts them.
            on_change: Called in the receiving thread with False when an outage begins, and with True when it ends.
            silence: Seconds without a message after which an outage begins; None for a socket that may be silent.
            is_reachable: Whether the daemon is known to be there, so that a failure to connect is an outage.
        """
        self._url = url
        self._token = token
        self._receive = receive
        self._stop_event = stop_event
        self._timeout = timeout
        self._silence = silence
        self._is_reachable = is_reachable
        self._on_change = on_change
        self._changed = threading.Condition()
        self._socket: WebSocket | None = None
        self._was_dropped = False
        self._established = False
        self._closing = threading.Event()
        self._outage_began: float | None = None
        self._failure: str | None = None
        self.lost_after_stop = False
        """Whether the daemon was lost only after the stop event was set."""
        self.session = 0
        """Number of times that the connection was opened."""
        self.last_message = time.monotonic()
        """When the session received its last message, or was opened if it received none; of `time.monotonic`."""
        self._thread = threading.Thread(target=self._run, name="robot-sdk-receiver", daemon=True)
        self._thread.start()

    @property
    def stopping(self) -> bool:
        """Whether the stop event is set."""
        return self._stop_event is not None and self._stop_event.is_set()

    @property
    def connected(self) -> bool:
        """Whether the connection is open; False during an outage."""
        return self._socket is not None and self._failure is None and not self._closing.is_set()

    @property
    def failure(self) -> str | None:
        """Why the daemon was lost; None while it is not, and when it was lost only after the stop event was set."""
        return None if self.lost_after_stop else self._failure

    def establish(self, ready: Callable[[], bool]) -> None:
        """Waits until `ready` returns True. From then on the loss of the daemon sets the stop event.

        Raises:
            DaemonLostError: There is no daemon, or it does not answer.
            StopRequestedError: The stop event is set.
        """
        try:
            if not self.wait(ready, self._timeout, ""):
                raise StopRequestedError(f"stopped while connecting to {self._url}")
        except TimeoutError:
            fault = "sends no robot state" if self.session > 0 else "does not answer"
            raise DaemonLostError(
                f"{self._url} {fault} within {self._timeout:g} s: see the daemon's log, and check ROBOT_DAEMON_URL"
            ) from None
        with self._changed:
            self._established = True
        self.check()

    def send(self, message: Message | bytes) -> int:
        """Sends one message, JSON or binary. Waits while there is an outage.

        Returns:
            The `session` that the message was sent in; 0 when the stop event is set during an outage, so that it was
            not sent.

        Raises:
            DaemonLostError: The daemon is lost, or the connection is closed.
        """
        while True:
            session = self.send_now(message)
            if session > 0 or not self.wait(lambda: self.connected, OUTAGE_S, "the outage did not end"):
                return session

    def send_now(self, message: Message | bytes) -> int:
        """Sends one message as `send` does, but returns 0, without sending it, during an outage.

        Raises:
            DaemonLostError: The daemon is lost, or the connection is closed.
        """
        self.check()
        with self._changed:
            socket, session = self._socket, self.session
        if socket is None:
            return 0
        try:
            socket.send(message if isinstance(message, bytes) else json.dumps(message, allow_nan=False))
        except (ConnectionClosed, OSError):
            with self._changed:
                if self._socket is socket:
                    self._socket = None
            return 0
        return session

    def wait(self, done: Callable[[], bool], timeout: float, missing: str) -> bool:
        """Waits until `done` returns True, or until the stop event is set.

        Args:
            done: The condition.
            timeout: Seconds; the time of outages and of stalls of this process does not count.
            missing: Message of the TimeoutError.

        Returns:
            True when `done` returned True, False when the stop event is set.

        Raises:
            DaemonLostError: The daemon is lost, or the connection is closed.
            TimeoutError: The condition was not met in time.
        """
        left = timeout
        with self._changed:
            while not done():
                self.check()
                if self.stopping:
                    return False
                if left < 0:
                    raise TimeoutError(missing)
                began = time.monotonic()
                self._changed.wait(POLL_S)
                if self._socket is not None or not self._established:
                    left -= min(time.monotonic() - began, LONGEST_PASS_S)
            return True

    def check(self) -> None:
        """Raises DaemonLostError when the daemon is lost or `close` was called."""
        if self._failure is not None:
            raise DaemonLostError(self._failure)
        if self._closing.is_set():
            raise DaemonLostError(CLOSED)

    def close(self) -> None:
        """Closes the connection. Never raises; takes at most a second with a daemon that hangs."""
        self._closing.set()
        socket = self._socket
        if socket is not None:
            socket.close()
            self._thread.join(2 * CLOSE_S)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._receive_messages()
            except Exception as error:
                if self._closing.is_set() or not self._try_again(error):
                    return

    def _receive_messages(self) -> None:
        """Opens a connection and receives until `close` is called. Raises when the connection ends before that."""
        # The daemon recognises the app of its slot by the process id.
        headers = {"X-Robot-Client-Pid": str(os.getpid())}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        with connect(
            self._url,
            additional_headers=headers,
            user_agent_header=f"robot-sdk/{VERSION}",
            compression=None,
            proxy=None,
            # Longer than `establish` waits: the library counts stalls of this process too.
            open_timeout=2 * self._timeout if self._outage_began is None else max(self._seconds_left(), POLL_S),
            close_timeout=CLOSE_S,
            ping_interval=None,
            max_size=MAX_MESSAGE_BYTES,
            logger=library_logger,
        ) as socket:
            self._opened(socket)
            while not self._closing.is_set():
                self._handle(self._next_message(socket))

    def _next_message(self, socket: WebSocket) -> str | bytes:
        silent = 0.0
        while True:
            try:
                text = socket.recv(timeout=None if self._silence is None else LONGEST_PASS_S)
            except TimeoutError:
                silent += LONGEST_PASS_S
                # Until the connection is established, `establish` limits the silence.
                if self._established and silent >= (self._silence or 0.0):
                    raise
            else:
                self.last_message = time.monotonic()
                return text

    def _opened(self, socket: WebSocket) -> None:
        with self._changed:
            is_back, self._outage_began = self._outage_began is not None, None
            self.last_message = time.monotonic()
            self._socket = socket
            self.session += 1
            self._changed.notify_all()
        if is_back:
            self._on_change(True)

    def _try_again(self, error: Exception) -> bool:
        """Begins or continues an outage. Returns False when the daemon is lost."""
        with self._changed:
            self._socket = None
            self._changed.notify_all()
        is_new = self._outage_began is None
        if is_new:
            # Silence is counted without stalls of this process; they must not use up the outage before it begins.
            silent = self._silence or 0.0 if isinstance(error, TimeoutError) else 0.0
            self._outage_began = max(self.last_message, time.monotonic() - silent)
        # A daemon that drops a new connection was there, and may come back: an outage can begin at any moment.
        self._was_dropped = self._was_dropped or is_drop(error)
        may_retry = self._established or ((self._is_reachable or self._was_dropped) and not is_refusal(error))
        if not may_retry or self._seconds_left() <= 0:
            self._fail(error)
            return False
        if is_new:
            self._on_change(False)
        return not self._closing.wait(RETRY_S)

    def _seconds_left(self) -> float:
        return (self._outage_began or 0.0) + OUTAGE_S - time.monotonic()

    def _handle(self, text: str | bytes) -> None:
        """Passes one message on. Skips one that it cannot read; the daemon's next state replaces it."""
        try:
            message = text if isinstance(text, bytes) else json.loads(text)
            with self._changed:
                self._receive(message)
                self._changed.notify_all()
        except (KeyError, TypeError, ValueError) as error:
            logger.debug("skipped a message of the daemon: %r in %.200r", error, text)

    def _fail(self, error: Exception) -> None:
        with self._changed:
            if self._closing.is_set():
                return
            self.lost_after_stop = self.stopping
            self._failure = explain_failure(self._url, error, bool(self._token), self._established, OUTAGE_S)
            if self._established and self._stop_event is not None:
                self._stop_event.set()
            self._changed.notify_all()
