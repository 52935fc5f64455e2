"""Puts the virtual clock in place of the real one where signals are waited for and sent."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread

SIGNAL_LOOK_S = 0.01
"""Seconds between two looks whether a signal has come that the app waits for."""


class Alarm:
    """The timer of `signal.alarm` and `signal.setitimer`: sends SIGALRM at a virtual time."""

    def __init__(self, scheduler: Scheduler) -> None:
        """Is not set yet."""
        self._scheduler = scheduler
        self._interval = 0.0
        self.deadline: float | None = None
        """When it is due; None when it is not set."""

    def get(self) -> tuple[float, float]:
        """Seconds until it is due, 0 when it is not set, and its interval."""
        # An alarm that is due and not sent yet still has some time left: 0 would say that it is not set.
        return 0.0 if self.deadline is None else max(self.deadline - self._scheduler.now, 1e-6), self._interval

    def set(self, seconds: float, interval: float) -> tuple[float, float]:
        """Sets it to be due in some seconds, and then at each interval; 0 seconds cancel it.

        Returns:
            What `get` returned before.
        """
        before = self.get()
        self.deadline, self._interval = (self._scheduler.deadline(seconds) if seconds > 0 else None), interval
        return before

    def is_due(self) -> bool:
        """Whether its time has come; then sets it again for its interval, or cancels it when there is none."""
        if self.deadline is None or not self._scheduler.is_reached(self.deadline):
            return False
        self.deadline = self._scheduler.deadline(self._interval) if self._interval > 0 else None
        return True


def patch_signals(scheduler: Scheduler, alarm: Alarm) -> None:
    """Lets the scheduler take signal handlers into account, and `alarm`, `setitimer` and `pause` use virtual time."""
    original = signal.signal
    handled = 0

    def in_turn(handler: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], object]:
        def handle(number: int, frame: FrameType | None) -> None:
            nonlocal handled
            handled += 1
            handler(number, frame)
            scheduler.end_signal()

        handle.original = handler  # type: ignore[attr-defined]
        return handle

    def set_handler(number: int, handler: Any) -> Any:
        previous = original(number, in_turn(handler) if callable(handler) else handler)
        return getattr(previous, "original", previous)

    get_handler = signal.getsignal

    def current_handler(number: int) -> Any:
        handler = get_handler(number)
        return getattr(handler, "original", handler)

    changed: Any = signal  # without types, so that its functions can be replaced
    changed.signal = set_handler
    changed.getsignal = current_handler
    changed.siginterrupt = lambda _number, _flag: None  # A signal has to interrupt the waiting main thread.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform == "win32":
        return

    def pause() -> None:
        before = handled
        scheduler.park(WaitingThread(None, lambda: handled > before))

    timer, get_timer = signal.setitimer, signal.getitimer

    def set_timer(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        return alarm.set(seconds, interval) if which == signal.ITIMER_REAL else timer(which, seconds, interval)

    def in_turn_until(take: Callable[[], Any], timeout: float | None) -> Any:
        """Takes a signal when one has come. Signals are pending for a thread, so that no other one can look for it."""
        deadline = scheduler.deadline(timeout)
        taken = take()
        while taken is None and not (deadline is not None and scheduler.is_reached(deadline)):
            next_look = scheduler.now + SIGNAL_LOOK_S
            scheduler.park(WaitingThread(next_look if deadline is None else min(deadline, next_look)))
            taken = take()
        return taken

    if hasattr(signal, "sigtimedwait"):
        wait_for_signal = signal.sigtimedwait

        def sigtimedwait(signals: Iterable[int], timeout: float) -> Any:
            if timeout < 0:
                raise ValueError("timeout must be non-negative")
            wanted = set(signals)
            return in_turn_until(lambda: wait_for_signal(wanted, 0), timeout)

        def sigwaitinfo(signals: Iterable[int]) -> Any:
            wanted = set(signals)
            return in_turn_until(lambda: wait_for_signal(wanted, 0), None)

        changed.sigtimedwait, changed.sigwaitinfo = sigtimedwait, sigwaitinfo
        changed.sigwait = lambda signals: signal.Signals(sigwaitinfo(signals).si_signo)
    changed.pause = pause
    changed.alarm = lambda seconds: math.ceil(alarm.set(seconds, 0.0)[0])
    changed.setitimer = set_timer
    changed.getitimer = lambda which: alarm.get() if which == signal.ITIMER_REAL else get_timer(which)
