"""Warnings that a loop repeats."""

import logging
import time

import pytest

from robot_sdk.connection import rate_limited_logger
from robot_sdk.connection.rate_limited_logger import RateLimitedLogger


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds, which a test may change."""
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def test_warnings_that_differ_in_numbers_are_logged_once(clock: list[float], caplog: pytest.LogCaptureFixture) -> None:
    log = RateLimitedLogger()
    for step in range(500):
        log(f"left_antenna = {3.1 + step / 100} is beyond the limit 3.05 rad")
        log(f"right_antenna = {-3.1 - step / 100} is beyond the limit -3.05 rad")
        clock[0] += 0.02
    assert [record.message.split(" = ")[0] for record in caplog.records] == [
        "the daemon refuses: left_antenna",
        "the daemon refuses: right_antenna",
    ] * 2


def test_memory_is_bounded_for_any_number_of_messages(clock: list[float], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    log = RateLimitedLogger()
    for number in range(1000):
        log("x" * number)
    assert len(caplog.records) == 1000
    assert len(log._logged_at) <= rate_limited_logger.MAX_KINDS
