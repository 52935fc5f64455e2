"""Callbacks of the app, called one after another in a thread of their own."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

# A callback that hangs must not fill the memory; further calls are dropped.
MAX_WAITING = 100

logger = logging.getLogger("robot_sdk")


class Callbacks(Generic[T]):
    """Calls its listeners in a thread of their own, so that a callback may move the robot and wait for the end."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._listeners: list[Callable[[T], object]] = []
        self._values: queue.Queue[T] = queue.Queue(MAX_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Adds a listener. Returns a function that removes it; further calls of that do nothing."""
        entry: Callable[[T], object] = lambda value: listener(value)  # noqa: E731  a listener may be added twice
        with self._lock:
            self._listeners.append(entry)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"robot-sdk-{self._name}", daemon=True)
                self._thread.start()

        def remove() -> None:
            with self._lock:
                if entry in self._listeners:
                    self._listeners.remove(entry)

        return remove

    def call(self, value: T) -> None:
        """Calls the listeners soon; does nothing when there are none."""
        if not self._listeners:
            return
        try:
            self._values.put_nowait(value)
        except queue.Full:
            logger.warning("a callback of %s is too slow: a call was dropped", self._name)

    def _run(self) -> None:
        while True:
            value = self._values.get()
            with self._lock:
                listeners = list(self._listeners)
            for listener in listeners:
                try:
                    listener(value)
                except Exception:
                    logger.exception("a callback of %s failed", self._name)
