"""Faults of the robot, and outages of robot and daemon, under the fixture `robot_app`."""

from __future__ import annotations

import math

import pytest

from conftest import TESTED_APP, StartTested
from robot_sdk.testing import AppFailedError, AppUnderTest

WATCHES_CONNECTION = TESTED_APP.format(
    body="robot.on_connection_change(lambda on: print('connected', on)); "
    "robot.goto_target(antennas=[1, 1], duration=3); print('arrived'); stop_event.wait()"
)
WAVES = TESTED_APP.format(
    body="robot.goto_target(antennas=[1, 1], duration=0.5); print('arrived'); stop_event.wait()",
)


def events_of(tested: AppUnderTest) -> str:
    return "\n".join(text for _, text in tested.events)


def test_a_short_outage_of_the_daemon_is_bridged(start_tested: StartTested) -> None:
    tested = start_tested(WATCHES_CONNECTION)
    tested.advance(1.0)
    tested.disconnect(2.0)
    tested.advance(1.0)
    assert "connected False" in tested.log
    assert "connected True" not in tested.log
    tested.advance(4.0)
    assert "connected True" in tested.log
    assert "arrived" in tested.log
    assert tested.antennas.left.now == pytest.approx(57.3, abs=3)
    tested.stop()
    assert tested.real_time_because is None


def test_a_long_outage_of_the_daemon_ends_the_app(start_tested: StartTested) -> None:
    tested = start_tested(WAVES)
    tested.advance(2.0)
    tested.disconnect(8.0)
    with pytest.raises(AppFailedError, match=r"(?s)exit code 1.*lost the daemon"):
        tested.advance(8.0)
    tested.advance(3.0)
    assert tested.antennas.left.now == pytest.approx(10, abs=3)


def test_a_daemon_that_is_away_at_the_start(start_tested: StartTested) -> None:
    tested = start_tested(WAVES)
    tested.disconnect(1.0)
    tested.advance(2.0)
    assert [line for _, line in tested.lines][1:] == ["connected to the daemon again", "arrived"]


def test_the_cable_is_unplugged_for_some_seconds(start_tested: StartTested) -> None:
    tested = start_tested(WAVES)
    tested.advance(2.0)
    tested.unplug(2.0)
    tested.advance(1.0)
    assert "The link to the robot, simulator, is gone" in events_of(tested)
    assert tested.is_running
    tested.advance(3.0)
    tested.stop()
    assert tested.antennas.left.now == pytest.approx(10, abs=3)


def test_a_servo_fails_and_recovers(start_tested: StartTested) -> None:
    tested = start_tested(WAVES.replace("duration=0.5", "duration=2"))
    tested.advance(0.5)
    tested.fault("stuck:servo=left_antenna")
    tested.advance(1.0)
    assert tested.antennas.left.now < 40
    tested.clear_faults()
    tested.advance(2.0)
    assert tested.antennas.left.now == pytest.approx(57.3, abs=3)
    tested.fault("overheat:servo=stewart_3")
    tested.advance(2.0)
    assert "Servo 13 (stewart_3) reports overheated" in events_of(tested)


@pytest.mark.parametrize(
    ("fault", "problem"),
    [("melt", 'There is no fault "melt"; there are drop'), ("stuck:servo=arm", 'there is no servo "arm"')],
)
def test_a_fault_that_does_not_exist_is_refused(start_tested: StartTested, fault: str, problem: str) -> None:
    tested = start_tested(WAVES)
    with pytest.raises(ValueError, match=problem):
        tested.fault(fault)
    tested.advance(2.0)
    assert "arrived" in tested.log


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf])
def test_an_outage_takes_seconds(start_tested: StartTested, seconds: float) -> None:
    tested = start_tested(WAVES)
    with pytest.raises(ValueError, match="disconnect takes seconds from 0, not"):
        tested.disconnect(seconds)
    with pytest.raises(ValueError, match="use a number from 0 to 1000000"):
        tested.unplug(seconds)
