"""A lock whose waiting thread lets other threads of the scheduler run."""

from __future__ import annotations

import _thread
from collections import deque
from types import TracebackType

from robot_sdk_virtual_time.real_time import sleep
from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread

FOREIGN_POLL_S = 0.0005
"""Real seconds between two attempts of a thread that a C library has made."""


class VirtualLock:
    """Takes the place of `threading.Lock`. The lock passes to the waiting threads in their order."""

    scheduler: Scheduler

    def __init__(self) -> None:
        self._guard = _thread.allocate_lock()
        self._held = False
        self._queue: deque[WaitingThread] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As `threading.Lock.acquire`; `timeout` counts virtual seconds."""
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        with self._guard:
            if not self._held:
                self._held = True
                return True
            waiter = WaitingThread(self.scheduler.deadline(timeout))
            may_wait = blocking and timeout != 0
            if may_wait and self.scheduler.is_member():
                self._queue.append(waiter)
        if not may_wait:
            self.scheduler.look()
            return False
        if not self.scheduler.is_member():
            return self._acquire_foreign(waiter.deadline)
        try:
            if self.scheduler.park(waiter):
                return True
        except BaseException:
            with self._guard:
                was_handed = waiter not in self._queue
                if not was_handed:
                    self._queue.remove(waiter)
            if was_handed:
                self.release()
            raise
        with self._guard:
            if waiter in self._queue:
                self._queue.remove(waiter)
        return False

    def release(self) -> None:
        """As `threading.Lock.release`."""
        with self._guard:
            if not self._held:
                raise RuntimeError("release unlocked lock")
            while self._queue:
                if self.scheduler.wake(self._queue.popleft()):
                    return
            self._held = False

    def locked(self) -> bool:
        """As `threading.Lock.locked`."""
        return self._held

    def _at_fork_reinit(self) -> None:
        self.__init__()  # type: ignore[misc]

    def _acquire_foreign(self, deadline: float | None) -> bool:
        while True:
            with self._guard:
                if not self._held:
                    self._held = True
                    return True
            if deadline is not None and self.scheduler.now >= deadline:
                return False
            sleep(FOREIGN_POLL_S)

    def __enter__(self) -> bool:
        """Acquires the lock."""
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Releases the lock."""
        self.release()
