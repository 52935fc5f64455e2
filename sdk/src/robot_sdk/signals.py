"""Turns the daemon's request to stop, which is a signal, into the app's stop event."""

import _thread
import contextlib
import signal
import threading
from types import FrameType


def stop_on_signals(stop_event: threading.Event) -> None:
    """Makes the first SIGINT or SIGTERM set `stop_event`; each further one raises KeyboardInterrupt.

    Works where the process inherited an ignored SIGINT, as from a shell's `&`. The handlers stay until the process
    ends, so that a late signal cannot spoil its exit code. Outside the main thread, where Python allows no handlers, it
    does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    asked = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        # The handler interrupts the main thread anywhere, also where it holds the lock inside stop_event.wait():
        # set() would wait for that lock for ever here, and starting a threading.Thread takes locks as well.
        with contextlib.suppress(RuntimeError):  # the interpreter is ending already
            _thread.start_new_thread(stop_event.set, ())

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
