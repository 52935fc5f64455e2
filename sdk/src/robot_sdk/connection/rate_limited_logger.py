"""Warnings of the daemon, which a loop would otherwise repeat many times per second."""

import time

from robot_sdk.connection.connection import logger

# A loop may send a wrong target 50 times per second; its warning is repeated after this time.
REPEAT_S = 5.0


class RateLimitedLogger:
    """Logs warnings; the same one at most once in `REPEAT_S` seconds."""

    def __init__(self) -> None:
        self._last = ("", 0.0)

    def __call__(self, detail: str, prefix: str = "the daemon refuses") -> None:
        """Logs `prefix: detail` as a warning."""
        text, logged_at = self._last
        now = time.monotonic()
        if detail != text or now - logged_at > REPEAT_S:
            logger.warning("%s: %s", prefix, detail)
            self._last = (detail, now)
