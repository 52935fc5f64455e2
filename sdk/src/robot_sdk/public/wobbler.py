"""Moves the head while the robot speaks, as the public SDK computes it, at the time at which it is heard."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

STILL = (0.0,) * 6


class Wobbler:
    """Passes offsets of the head on when the samples that they belong to are played."""

    def __init__(self, callback: Callable[[tuple[float, ...]], None], rate: int) -> None:
        """Starts a thread.

        Args:
            callback: Gets x, y, z in metres, roll, pitch, yaw in radians.
            rate: Samples per second.

        Raises:
            ImportError: The installed version of the public SDK does not compute such movements.
        """
        self._speech: Any = import_module("reachy_mini.motion.speech_tapper")
        self._callback = callback
        self._rate = rate
        self._sway = self._speech.SwayRollRT(sample_rate=rate)
        self._step_s = self._speech.HOP_MS / 1000
        self._due: deque[tuple[float, tuple[float, ...]]] = deque()
        # When the last sample that was fed is heard.
        self._heard_until = 0.0
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="robot wobbler", daemon=True)
        self._thread.start()

    def feed(self, samples: NDArray[np.float32]) -> None:
        """Adds samples that are played after those before."""
        now = time.monotonic()
        with self._changed:
            begins = max(now, self._heard_until)
            self._heard_until = begins + len(samples) / self._rate
            for index, hop in enumerate(self._sway.feed(samples)):
                metres = tuple(hop[axis] / 1000 for axis in ("x_mm", "y_mm", "z_mm"))
                angles = tuple(hop[axis] for axis in ("roll_rad", "pitch_rad", "yaw_rad"))
                self._due.append((begins + index * self._step_s, metres + angles))
            self._changed.notify()

    def start(self) -> None:
        """Forgets the loudness of what was played before."""
        with self._changed:
            self._sway.reset()

    def reset(self) -> None:
        """Drops what is due, and holds the head still."""
        with self._changed:
            self._due.clear()
            self._heard_until = 0.0
            self._sway.reset()
        self._callback(STILL)

    def close(self) -> None:
        """Ends the thread, and holds the head still."""
        with self._changed:
            self._closed = True
            self._due.clear()
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(1)
        self._callback(STILL)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (not self._due or self._due[0][0] > time.monotonic()):
                    self._changed.wait(None if not self._due else max(0.0, self._due[0][0] - time.monotonic()))
                if self._closed:
                    return
                _, offsets = self._due.popleft()
            self._callback(offsets)
