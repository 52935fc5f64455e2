import itertools
import time

import pytest

from robot_sdk.robot.motion_recording import MotionRecording


def test_a_clock_that_is_set_during_a_recording_does_not_change_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.time()
    jumps = itertools.count(began, 3600.0)
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    recording = MotionRecording()
    recording.start()
    for _ in range(20):
        recording.add({"head": None, "antennas": [0.1, 0.1]})
    times = [record["time"] for record in recording.stop()]
    assert times == sorted(times)
    assert times[0] >= began
    assert times[-1] - times[0] < 3600


def test_only_what_is_added_between_start_and_stop_is_kept_without_the_values_that_are_none() -> None:
    recording = MotionRecording()
    recording.add({"body_yaw": 1.0})
    recording.start()
    recording.add({"head": None, "body_yaw": 0.5})
    (record,) = recording.stop()
    assert record == {"time": record["time"], "body_yaw": 0.5}
    assert recording.stop() == []
