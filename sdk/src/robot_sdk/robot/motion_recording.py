"""The targets that `Robot.set_target` has sent, with their times."""

import threading
import time
from typing import Any

# Ten minutes at 100 targets per second.
MAX_RECORDS = 60_000


class MotionRecording:
    """Keeps targets between `start` and `stop`."""

    def __init__(self) -> None:
        self._records: list[dict[str, Any]] | None = None
        self._clock_offset = 0.0
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begins a new recording."""
        with self._lock:
            self._records = []
            # By a monotonic clock: if somebody set the system's clock during the recording, the moves would jump.
            self._clock_offset = time.time() - time.perf_counter()

    def add(self, target: dict[str, Any]) -> None:
        """Adds a target, with its time in seconds since the Unix epoch, and without the values that are None."""
        with self._lock:
            if self._records is not None and len(self._records) < MAX_RECORDS:
                given = {key: value for key, value in target.items() if value is not None}
                self._records.append({"time": time.perf_counter() + self._clock_offset, **given})

    def stop(self) -> list[dict[str, Any]]:
        """Ends the recording and returns its records; empty when none was started."""
        with self._lock:
            records, self._records = self._records or [], None
            return records
