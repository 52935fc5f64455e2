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
    # Libraries look whether a lock is one of Python's own.
    __module__ = "_thread"
    __qualname__ = "lock"

    def __init__(self) -> None:
        self._guard = _thread.allocate_lock()
        self._held = False
        self._queue: deque[WaitingThread] = deque()
        self._owner: int | None = None
        self._is_held_by_block = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As `threading.Lock.acquire`; `timeout` counts virtual seconds."""
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        with self._guard:
            if not self._held:
                self._held = True
                self._owner = _thread.get_ident()
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
        ident = _thread.get_ident()
        if waiter.deadline is None:
            self.scheduler.waits_for.setdefault(ident, self)
        try:
            if self.scheduler.park(waiter):
                self._owner = ident
                return True
        except BaseException:
            with self._guard:
                was_handed = waiter not in self._queue
                if not was_handed:
                    self._queue.remove(waiter)
            if was_handed:
                self.release()
            raise
        finally:
            if self.scheduler.waits_for.get(ident) is self:
                del self.scheduler.waits_for[ident]
        with self._guard:
            if waiter in self._queue:
                self._queue.remove(waiter)
        return False

    def release(self) -> None:
        """As `threading.Lock.release`."""
        with self._guard:
            if not self._held:
                raise RuntimeError("release unlocked lock")
            self._owner, self._is_held_by_block = None, False
            while self._queue:
                if self.scheduler.wake(self._queue.popleft()):
                    return
            self._held = False

    def locked(self) -> bool:
        """As `threading.Lock.locked`."""
        return self._held

    def blocked_by(self) -> int | None:
        """The number of the thread that has acquired the lock; None when it is free or about to pass to another."""
        return self._owner

    def is_held_by_block(self) -> bool:
        """Whether it was acquired by `with`: then nobody else releases it."""
        return self._is_held_by_block

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
        self._is_held_by_block = self.acquire()
        return self._is_held_by_block

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Releases the lock."""
        self.release()


def virtual_rlock(kind: type) -> type:
    """Takes the place of `threading.RLock`.

    Args:
        kind: The lock of `threading` that is written in Python, and that waits for a `VirtualLock`.
    """
    return type("RLock", (kind,), {"__module__": "_thread"})
