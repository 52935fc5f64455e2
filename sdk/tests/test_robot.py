import threading

import numpy as np
import pytest

from conftest import in_thread
from robot_sdk import MoveError, Robot
from robot_sdk.connection import connection as connection_module
from robot_sdk.robot import moves as moves_module
from robot_sdk.robot import robot as robot_module
from robot_sdk.utils import create_head_pose
from scripted_daemon import DEADLINE_S, JOINTS, POSE, ScriptedDaemon


def test_a_target_is_one_message(daemon: ScriptedDaemon, robot: Robot) -> None:
    head = create_head_pose(z=5, yaw=10, mm=True)
    robot.set_target(head, antennas=np.array([0.1, -0.2]), body_yaw=np.float32(0.5).item())
    assert daemon.received("set_full_target") == {
        "type": "set_full_target",
        "head": head.ravel().tolist(),
        "antennas": [0.1, -0.2],
        "body_yaw": 0.5,
    }


def test_missing_values_of_a_target_are_null(daemon: ScriptedDaemon, robot: Robot) -> None:
    robot.set_target(antennas=[0.1, -0.2])
    message = daemon.received("set_full_target")
    assert message["head"] is None
    assert message["body_yaw"] is None


@pytest.mark.parametrize("call", ["set_target", "goto_target"])
def test_an_empty_target_is_refused(robot: Robot, call: str) -> None:
    with pytest.raises(ValueError, match="at least one of head, antennas and body_yaw"):
        getattr(robot, call)()


def test_a_goto_waits_for_its_end(daemon: ScriptedDaemon, robot: Robot) -> None:
    assert robot.goto_target(antennas=[0.1, -0.2], duration=0.1, method="cartoon") is True
    message = daemon.received("task")
    assert message["req"] == {
        "head": None,
        "antennas": [0.1, -0.2],
        "body_yaw": None,
        "duration": 0.1,
        "method": "cartoon",
    }
    assert message["uuid"]
    assert message["timestamp"]


@pytest.mark.parametrize("call", ["wake_up", "goto_sleep"])
def test_wake_up_and_goto_sleep_are_moves_of_the_daemon(daemon: ScriptedDaemon, robot: Robot, call: str) -> None:
    assert getattr(robot, call)() is True
    assert daemon.received(call)["uuid"]


def test_a_relative_goto_says_so(daemon: ScriptedDaemon, robot: Robot) -> None:
    robot.goto_target(antennas=[0.1, 0], duration=0.1, relative=True)
    robot.goto_target(antennas=[0.1, 0], duration=0.1)
    relative, absolute = daemon.all("task")
    assert relative["req"]["relative"] is True
    assert "relative" not in absolute["req"]


def test_a_refused_move_raises_the_reason(daemon: ScriptedDaemon, robot: Robot) -> None:
    daemon.task_error = "the motors are off: enable them"
    with pytest.raises(MoveError, match="the motors are off: enable them"):
        robot.goto_target(body_yaw=0.1, duration=0.01)


def test_a_move_without_an_end_times_out(daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot_module, "GRACE_S", 0.1)
    daemon.answers_tasks = False
    with pytest.raises(TimeoutError, match="did not report the end of task within 0.3 s"):
        robot.goto_target(body_yaw=0.1, duration=0.1)


def test_a_move_may_be_late_by_the_time_that_its_documentation_names() -> None:
    assert f"twice `duration` + {robot_module.GRACE_S:g} s" in (Robot.goto_target.__doc__ or "")
    assert moves_module.MAX_DURATION_FACTOR == 2
    assert robot_module.GRACE_S <= 5, "an app waits so long for a daemon that hangs"


def test_a_daemon_that_is_lost_during_a_move_ends_it(
    daemon: ScriptedDaemon, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "OUTAGE_S", 0.2)
    daemon.answers_tasks = False
    move = in_thread(lambda: robot.goto_target(body_yaw=0.1, duration=60))
    daemon.received("task")
    daemon.disappear()
    assert isinstance(move.exception(DEADLINE_S), ConnectionError)


def test_a_stop_ends_a_goto_and_prevents_later_ones(daemon: ScriptedDaemon) -> None:
    daemon.answers_tasks = False
    stop_event = threading.Event()
    with Robot(stop_event=stop_event) as robot:
        move = in_thread(lambda: robot.goto_target(body_yaw=0.1, duration=60))
        daemon.received("task")
        stop_event.set()
        assert move.result(DEADLINE_S) is False
        assert robot.goto_target(body_yaw=0.2, duration=60) is False
        assert robot.wake_up() is False
    assert daemon.kinds().count("task") == 1
    assert "wake_up" not in daemon.kinds()


def test_returns_the_measured_state(robot: Robot) -> None:
    np.testing.assert_array_equal(robot.get_current_head_pose(), POSE["head_pose"])
    assert robot.get_current_joint_positions() == (JOINTS["head_joint_positions"], JOINTS["antennas_joint_positions"])
    assert robot.get_present_antenna_joint_positions() == [-0.17, 0.17]
    assert robot.daemon_status["state"] == "running"


def test_the_inertial_sensor_of_a_wireless_robot(daemon: ScriptedDaemon, robot: Robot) -> None:
    assert robot.imu is None
    reading = {
        "accelerometer": [0.1, 0.2, 9.8],
        "gyroscope": [0.01, 0.02, 0.03],
        "quaternion": [1.0, 0.0, 0.0, 0.0],
        "temperature": 31.5,
    }
    seen = threading.Event()
    robot.on_antenna_touch(lambda _side: seen.set())
    daemon.send({"type": "imu_data", **reading}, {"type": "antenna_touched", "antenna": "left"})
    assert seen.wait(DEADLINE_S)
    assert robot.imu == reading


def test_a_returned_pose_is_a_copy(robot: Robot) -> None:
    robot.get_current_head_pose()[0, 0] = 7.0
    assert robot.get_current_head_pose()[0, 0] == 1.0


def test_motor_modes(daemon: ScriptedDaemon, robot: Robot) -> None:
    robot.enable_motors()
    robot.disable_motors(ids=["left_antenna"])
    robot.enable_gravity_compensation()
    robot.disable_gravity_compensation()
    robot.set_automatic_body_yaw(False)
    assert daemon.received("set_torque") == {"type": "set_torque", "on": True, "ids": None}
    assert daemon.received("set_torque", 2) == {"type": "set_torque", "on": False, "ids": ["left_antenna"]}
    assert daemon.received("set_gravity_compensation")["enabled"] is True
    assert daemon.received("set_gravity_compensation", 2)["enabled"] is False
    assert daemon.received("set_automatic_body_yaw", 2)["enabled"] is False


def test_a_motion_recording_holds_the_targets_sent_during_it(robot: Robot) -> None:
    robot.set_target(body_yaw=0.1)
    robot.start_motion_recording()
    robot.set_target(body_yaw=0.2)
    robot.set_target(antennas=[0.3, 0.4])
    records = robot.stop_motion_recording()
    robot.set_target(body_yaw=0.5)
    assert [{key: value for key, value in record.items() if key != "time"} for record in records] == [
        {"body_yaw": 0.2},
        {"antennas": [0.3, 0.4]},
    ]


def test_a_refusal_is_logged_once(
    daemon: ScriptedDaemon, robot: Robot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robot_sdk.connection.rate_limited_logger.REPEAT_S", DEADLINE_S)
    refusal = {"type": "error", "code": "motors-off", "detail": "The motors are off: enable them."}
    daemon.send(refusal, refusal, refusal)
    robot.goto_target(body_yaw=0.1, duration=0.01)
    assert [record.getMessage() for record in caplog.records if record.name == "robot_sdk"] == [
        "the daemon refuses: The motors are off: enable them."
    ]
