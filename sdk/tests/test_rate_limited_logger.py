"""Warnings that a loop repeats."""

import logging
import time

import pytest

from robot_sdk.connection import rate_limited_logger
from robot_sdk.connection.rate_limited_logger import RateLimitedLogger


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds, which a test may change."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_warnings_that_differ_in_numbers_are_logged_once(now: list[float], caplog: pytest.LogCaptureFixture) -> None:
    log = RateLimitedLogger()
    for step in range(500):
        log(f"left_antenna = {3.1 + step / 100} is beyond the limit 3.05 rad")
        log(f"right_antenna = {-3.1 - step / 100} is beyond the limit -3.05 rad")
        now[0] += 0.02
    assert [record.message.split(" = ")[0] for record in caplog.records] == [
        "the daemon refuses: left_antenna",
        "the daemon refuses: right_antenna",
    ] * 2


def test_kinds_without_end_take_no_memory_without_end(now: list[float], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    log = RateLimitedLogger()
    for number in range(1000):
        log("x" * number)
    assert len(caplog.records) == 1000
    assert len(log._logged_at) <= rate_limited_logger.MAX_KINDS
