"""Threads that run one at a time, on a clock that stands still while one of them runs."""

from __future__ import annotations

import _thread
import heapq
import itertools
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from robot_sdk_virtual_time import real_time

START_UNIX_TIME = 1577836800.0
"""Seconds since the Unix epoch at virtual time 0: 1 January 2020, as the simulated robot's clock."""


LEAST_S = 1e-4
"""Seconds that the shortest wait takes, so that a loop of waits lets the time go on."""
MOST_LOOKS = 1000
"""Looks at the clock in a row after which time goes on: the thread waits by looking."""
LOOKS_S = 1e-3
"""Seconds that so many looks take."""
SIGNAL_LOOK_S = 0.05
"""Real seconds after which the main thread looks whether there is a signal."""
EXACT_S = 1e-6
"""Seconds of a deadline that count as reached: what is left of sums of numbers with a fraction."""


class WaitingThread:
    """A thread that does not run: it waits for a deadline, for another thread, or for a file descriptor."""

    __slots__ = ("deadline", "expired", "gate", "poll", "waits")

    def __init__(self, deadline: float | None, poll: Callable[[], bool] | None = None) -> None:
        self.gate = _thread.allocate_lock()
        self.gate.acquire()
        self.deadline = deadline
        self.poll = poll
        self.waits = True
        self.expired = False


class Blocking(Protocol):
    """What a thread waits for that another thread has to do."""

    def blocked_by(self) -> int | None:
        """The number of that thread; None when it is not known."""

    def is_held_by_block(self) -> bool:
        """Whether nobody else can do it."""


class Scheduler:
    """Lets one thread of the process run at a time, in a fixed order, and counts the time.

    The controlling thread does not take part. It advances the time, and waits until no thread can run any more.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._looks = 0
        self._real_start: float | None = None
        self.is_real = False
        """Whether threads may run beside each other, because one of them waits for something outside."""
        self.looking: set[int] = set()
        """Native numbers of threads that look again and again whether a program has ended: they count as waiting."""
        self.waits_for: dict[int, Blocking] = {}
        """What threads wait for without a limit, by their numbers."""
        self._data = _thread.allocate_lock()
        self._idle = _thread.allocate_lock()
        self._idle.acquire()
        self._is_idle = False
        self._handles_signal = False
        self.current: int | None = None
        """The number of the thread that runs; None while one is about to run."""
        self._members: set[int] = set()
        self._ready: deque[WaitingThread] = deque()
        self._timers: list[tuple[float, int, WaitingThread]] = []
        self._polls: list[WaitingThread] = []
        self._main: WaitingThread | None = None
        self._numbers = itertools.count()

    @property
    def now(self) -> float:
        """Seconds since the app was started."""
        return self._now if self._real_start is None else real_time.monotonic() - self._real_start

    @property
    def is_forked(self) -> bool:
        """Whether this is a forked process, which runs in real time."""
        return self._real_start is not None

    def continue_forked(self) -> None:
        """Called in a forked process: the test does not advance its time, so it runs in real time."""
        self._real_start = real_time.monotonic() - self._now
        self._members.clear()

    def look(self) -> None:
        """Called when the running thread looks at something without waiting: many looks in a row take time."""
        if not self.is_member():
            return
        self._looks += 1
        if self._looks > MOST_LOOKS:
            self._looks = 0
            self.park(WaitingThread(self.now + LOOKS_S))

    def pause(self) -> None:
        """Lets the threads run that can, then goes on at the same time."""
        self.look()
        waiter = WaitingThread(None)
        self.wake(waiter)
        self.park(waiter)

    def adopt_current(self) -> None:
        """Makes the calling thread the one that runs."""
        self.current = _thread.get_ident()
        self._members.add(self.current)

    def is_member(self) -> bool:
        """Whether the calling thread takes part: not one that a C library has made."""
        return _thread.get_ident() in self._members

    def deadline(self, seconds: float | None) -> float | None:
        """The time so many seconds from now; None for none."""
        return None if seconds is None or seconds < 0 else self.now + max(seconds, LEAST_S)

    def is_reached(self, deadline: float) -> bool:
        """Whether a time has come."""
        return deadline <= self.now + EXACT_S

    def park(self, waiter: WaitingThread) -> bool:
        """Lets others run until the waiter is woken, or its deadline comes.

        Returns:
            Whether it was woken before the deadline.
        """
        ident = _thread.get_ident()
        is_main = threading.main_thread().ident == ident
        try:
            with self._data:
                if waiter.waits:
                    if waiter.deadline is not None:
                        heapq.heappush(self._timers, (waiter.deadline, next(self._numbers), waiter))
                    if waiter.poll is not None:
                        self._polls.append(waiter)
                if is_main:
                    self._main = waiter
                self._let_next_run()
            # A signal that comes just before the main thread waits would not end its wait.
            while not waiter.gate.acquire(True, SIGNAL_LOOK_S if is_main else -1):
                pass
        except BaseException:
            # A signal handler has raised: this thread runs already, and takes no other turn.
            with self._data:
                waiter.waits = self._handles_signal = False
                if waiter in self._ready:
                    self._ready.remove(waiter)
            raise
        finally:
            if is_main:
                self._main = None
            self.current = ident
        return not waiter.expired

    def wake(self, waiter: WaitingThread) -> bool:
        """Lets a waiter run after those that can run already; False when it does not wait any more."""
        with self._data:
            return self._wake(waiter)

    def new_thread(self) -> WaitingThread:
        """A place in the order for a thread that is about to start; it calls `enter` with it."""
        waiter = WaitingThread(None)
        self.wake(waiter)
        return waiter

    def withdraw(self, waiter: WaitingThread) -> None:
        """Takes back the place of a thread that could not be started."""
        with self._data:
            if waiter in self._ready:
                self._ready.remove(waiter)

    def enter(self, waiter: WaitingThread) -> None:
        """Called by a new thread: waits for its turn."""
        self._members.add(_thread.get_ident())
        waiter.gate.acquire()
        self.current = _thread.get_ident()

    def leave(self) -> None:
        """Called by a thread at its end."""
        with self._data:
            self._members.discard(_thread.get_ident())
            self._let_next_run()

    # The controlling thread.

    def begin_signal(self) -> None:
        """Lets the main thread run its signal handler; when it is not waiting, it needs no permission."""
        with self._data:
            if self._main is None or not self._is_idle:
                return
            self._is_idle = False
            self._handles_signal = True
            self.current = threading.main_thread().ident

    def end_signal(self) -> None:
        """The main thread has handled a signal and waits again, or goes on with what it did."""
        with self._data:
            if self._handles_signal:
                self._handles_signal = False
                self._let_next_run()

    def advance(self, now: float) -> None:
        """Sets the time, and wakes the waiters whose deadline has come, in order."""
        with self._data:
            if now > self._now:
                self._now, self._looks = now, 0
            while self._timers and self.is_reached(self._timers[0][0]):
                _, _, waiter = heapq.heappop(self._timers)
                if waiter.waits:
                    waiter.expired = True
                    self._wake(waiter)

    def run_until_idle(self, seconds: float) -> bool:
        """Lets all threads run that can, one after the other.

        Args:
            seconds: Time of a real clock to wait for them.

        Returns:
            False when one of them still runs.
        """
        while True:
            with self._data:
                if self._is_idle:
                    self._wake_polled()
                    if not self._ready:
                        return True
                    self._let_next_run()
            if not self._idle.acquire(True, seconds):
                return False

    def let_others_run(self) -> None:
        """Does not wait any longer for the thread that runs: it waits for something outside of the process."""
        with self._data:
            self.is_real = True
            self._let_next_run()

    @property
    def next_deadline(self) -> float | None:
        """The earliest time at which a thread wants to run."""
        with self._data:
            while self._timers and not self._timers[0][2].waits:
                heapq.heappop(self._timers)
            return self._timers[0][0] if self._timers else None

    def _wake(self, waiter: WaitingThread) -> bool:
        if not waiter.waits:
            return False
        waiter.waits = False
        self._ready.append(waiter)
        return True

    def _wake_polled(self) -> None:
        waiting = [waiter for waiter in self._polls if waiter.waits]
        for waiter in waiting:
            if waiter.poll is not None and waiter.poll():
                self._wake(waiter)
        self._polls = [waiter for waiter in waiting if waiter.waits]

    def _let_next_run(self) -> None:
        if self._ready:
            self._is_idle = False
            self.current = None
            self._ready.popleft().gate.release()
        elif not self._is_idle:
            self._is_idle = True
            self.current = None
            if self._idle.locked():
                self._idle.release()
