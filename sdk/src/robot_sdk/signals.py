"""Turns the daemon's request to stop, which is a signal, into the app's stop event."""

import os
import signal
import threading
from types import FrameType

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stop_on_signals(stop_event: threading.Event) -> None:
    """Makes the first SIGINT or SIGTERM set `stop_event`; each further one raises KeyboardInterrupt.

    Works where the process inherited an ignored SIGINT, as from a shell's `&`. The handlers stay until the process
    ends, so that a late signal cannot spoil its exit code. Outside the main thread, where Python allows no handlers, it
    does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    # A handler must not set the event: it interrupts the main thread anywhere, also where it holds the event's lock,
    # and it does not run at all when the signal came just before the thread blocked. The pipe is written at once.
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader, stop_event), name="robot-sdk-signals", daemon=True).start()
    asked = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    for number in STOP_SIGNALS:
        signal.signal(number, interrupt)
    _spare_forked_children()


def _watch(reader: int, stop_event: threading.Event) -> None:
    """Waits for the number of a signal that asks to stop; the app's own handlers send theirs through the pipe too."""
    while os.read(reader, 1)[0] not in STOP_SIGNALS:
        pass
    stop_event.set()


def _spare_forked_children() -> None:
    """Gives forked children, as of multiprocessing, the ordinary signals back: ending one must not stop the app.

    The signals wait meanwhile, as a child would write one that comes too early into the pipe of its parent.
    """
    forking = threading.local()

    def before() -> None:
        forking.mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)

    def after_in_parent() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, forking.mask)

    def after_in_child() -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, forking.mask)

    os.register_at_fork(before=before, after_in_parent=after_in_parent, after_in_child=after_in_child)
