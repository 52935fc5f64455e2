"""Turns the daemon's stop request, which is a signal, into the app's stop event."""

import atexit
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType

STOP_SIGNALS: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
if sys.platform == "win32":
    STOP_SIGNALS = (*STOP_SIGNALS, signal.SIGBREAK)
# Sent by the handler beside the signal's number, which Python itself sends; no signal has this number.
STOP_MARK = b"\xff"


def stop_on_signals(stop_event: threading.Event) -> None:
    """Makes the first SIGINT or SIGTERM set `stop_event`; each further one raises KeyboardInterrupt.

    Also works when the process inherited an ignored SIGINT, for example from a shell's `&`; when the app installs
    signal handlers of its own; and when it sets a wake-up descriptor, as asyncio does. The handlers stay until the
    process ends, so that a late signal cannot change its exit code. Does nothing outside of the main thread, where
    Python allows no handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    global _relay
    if _relay is None:
        _relay = _SignalRelay()
        _relay.install()
    _relay.stop_event = stop_event
    relay, asked = _relay, False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        relay.report_stop()

    for number in STOP_SIGNALS:
        signal.signal(number, interrupt)
    # Python takes its handlers away when it ends: a stop at that moment would kill the process, which is an error.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


class _SignalRelay:
    """Receives the numbers of signals through Python's wake-up descriptor, and passes them to the app's descriptor.

    A handler must not set the event: it interrupts the main thread anywhere, also while it holds the event's lock, and
    it does not run when the signal came just before the main thread blocks. Python writes to the descriptor directly.
    """

    def __init__(self) -> None:
        self.stop_event: threading.Event | None = None
        self._receiver, self._sender = socket.socketpair()
        self._sender.setblocking(False)
        self._app_descriptor = -1
        self._set_wakeup_fd: Callable[..., int] = signal.set_wakeup_fd

    def install(self) -> None:
        """Sets the wake-up descriptor, and replaces `signal.set_wakeup_fd` so that it stays set."""
        self._app_descriptor = self._set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        signal.set_wakeup_fd = self.set_app_descriptor
        threading.Thread(target=self._run, name="robot-sdk-signals", daemon=True).start()
        if sys.platform != "win32":
            _restore_signals_in_children(self._set_wakeup_fd)

    def set_app_descriptor(self, fd: int, *, warn_on_full_buffer: bool = True) -> int:
        """Takes the place of `signal.set_wakeup_fd`: the app's descriptor gets the signals from the relay."""
        with _BlockedSignals():
            # The original refuses a bad descriptor or thread.
            self._set_wakeup_fd(fd, warn_on_full_buffer=warn_on_full_buffer)
            self._set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        previous, self._app_descriptor = self._app_descriptor, fd
        return previous

    def report_stop(self) -> None:
        """Reports a stop signal from its handler, in case that code outside of Python replaced the descriptor."""
        with contextlib.suppress(OSError):  # when the buffer is full of signals that are still to be read
            self._sender.send(STOP_MARK)

    def _run(self) -> None:
        while True:
            received = self._receiver.recv(64)
            numbers = received.replace(STOP_MARK, b"")
            if self.stop_event is not None and (
                STOP_MARK in received or any(number in STOP_SIGNALS for number in numbers)
            ):
                self.stop_event.set()
            if self._app_descriptor >= 0 and numbers:
                _write(self._app_descriptor, numbers)


_relay: _SignalRelay | None = None


def _write(descriptor: int, data: bytes) -> None:
    try:
        if sys.platform == "win32":
            target = socket.socket(fileno=descriptor)
            try:
                target.send(data)
            finally:
                target.detach()
        else:
            os.write(descriptor, data)
    except OSError:
        pass  # full or closed, as when Python writes to it


class _BlockedSignals:
    """A block during which signals wait, where the operating system can do that."""

    def __enter__(self) -> None:
        if sys.platform != "win32":
            self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)

    def __exit__(self, *_error: object) -> None:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)


def _restore_signals_in_children(set_wakeup_fd: Callable[..., int]) -> None:
    """Gives forked children, for example of multiprocessing, the default signal handling.

    Ending a child must not stop the app. Signals wait during the fork, because a child would write an early one into
    the relay of its parent.
    """
    forking = threading.local()

    def before() -> None:
        forking.signals = _BlockedSignals()
        forking.signals.__enter__()

    def after_in_parent() -> None:
        forking.signals.__exit__()

    def after_in_child() -> None:
        set_wakeup_fd(-1)
        signal.set_wakeup_fd = set_wakeup_fd
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        forking.signals.__exit__()

    if sys.platform != "win32":
        os.register_at_fork(before=before, after_in_parent=after_in_parent, after_in_child=after_in_child)
