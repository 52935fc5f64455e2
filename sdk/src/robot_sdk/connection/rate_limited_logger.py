"""Warnings of the daemon, which a loop would otherwise repeat many times per second."""

import time

from robot_sdk.connection.connection import logger
from robot_sdk.message_kind import message_kind

# A loop may send a wrong target 50 times per second; its warning is repeated after this time.
REPEAT_S = 5.0
# More kinds of warnings than there are.
MAX_KINDS = 100


class RateLimitedLogger:
    """Logs warnings. Those that differ in numbers alone are of one kind, which is logged once in `REPEAT_S` seconds."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}

    def __call__(self, detail: str, prefix: str = "the daemon refuses") -> None:
        """Logs `prefix: detail` as a warning."""
        kind = message_kind(detail)
        now = time.monotonic()
        if now - self._logged_at.get(kind, -REPEAT_S) < REPEAT_S:
            return
        if len(self._logged_at) >= MAX_KINDS:
            self._logged_at.clear()
        self._logged_at[kind] = now
        logger.warning("%s: %s", prefix, detail)
