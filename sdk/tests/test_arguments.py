import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_sdk import Robot
from robot_sdk.robot import arguments
from robot_sdk.utils import create_head_pose

MIRROR = np.diag([1.0, -1.0, 1.0, 1.0])
SHEAR = np.eye(4) + 0.1 * np.eye(4, k=1)


def translation(z: float) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[2, 3] = z
    return pose


def test_a_pose_becomes_its_16_numbers_row_by_row() -> None:
    pose = create_head_pose(z=0.01, yaw=20)
    assert arguments.head_pose(pose) == pose.ravel().tolist()
    assert arguments.head_pose(pose.tolist()) == pose.ravel().tolist()


def test_accepts_a_pose_in_single_precision() -> None:
    assert len(arguments.head_pose(create_head_pose(roll=10, yaw=20).astype(np.float32))) == 16


def test_none_means_all_joints() -> None:
    assert arguments.joints(None) is None
    assert arguments.joints(("body_yaw", "stewart_3")) == ["body_yaw", "stewart_3"]


@pytest.mark.parametrize(
    ("check", "value", "advice"),
    [
        (arguments.head_pose, np.eye(3), r"shape \(3, 3\).*create_head_pose"),
        (arguments.head_pose, "up", "create_head_pose"),
        (arguments.head_pose, np.full((4, 4), np.nan), "not finite"),
        (arguments.head_pose, MIRROR, "not a rotation"),
        (arguments.head_pose, SHEAR, "not a rotation"),
        (arguments.head_pose, np.eye(4) + np.diag([0, 0, 0, 1.0]), "last row"),
        (arguments.head_pose, translation(10.0), r"mm=True"),
        (arguments.antennas, [0.1], r"\[right, left\]"),
        (arguments.antennas, [0.1, math.inf], "not finite"),
        (arguments.antennas, [0.1, 45.0], r"antennas\[1\] is 45 rad.*deg2rad"),
        (lambda value: arguments.angle(value, "body_yaw"), 90.0, "body_yaw is 90 rad.*deg2rad"),
        (lambda value: arguments.angle(value, "body_yaw"), None, "must be a number"),
        (arguments.duration, 0.0, "above 0 and at most 60"),
        (arguments.duration, 61.0, "above 0 and at most 60"),
        (arguments.duration, math.nan, "finite"),
        (arguments.method, "bouncy", "linear, minjerk, ease_in_out, cartoon"),
        (arguments.joints, ["elbow"], "right_antenna"),
        (arguments.joints, 5, "ids is 5: it must list joints"),
        (arguments.joints, "body_yaw", "must list joints"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_to_do(check: Callable[[Any], object], value: object, advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        check(value)


@pytest.mark.parametrize(
    ("check", "advice"),
    [
        (lambda: arguments.target(None, [5.0, 0.0], None), r"antennas\[0\] is 5 rad, which no joint.*deg2rad\(5\)"),
        (lambda: arguments.target(None, None, -4.0), r"body_yaw is -4 rad, which no joint reaches"),
    ],
)
def test_warns_about_an_angle_that_no_joint_reaches(check: Callable[[], object], advice: str) -> None:
    with pytest.warns(UserWarning, match=advice):
        check()


def test_warns_once_for_a_line_whose_angle_changes() -> None:
    with pytest.warns(UserWarning, match="no joint reaches") as caught:
        for step in range(5):
            arguments.target(None, None, 4.0 + step / 100)
    assert len(caught) == 1


def test_does_not_warn_about_reachable_angles() -> None:
    # Warnings are errors in these tests.
    assert arguments.target(None, [-3.05, 3.05], 2.79)["antennas"] == [-3.05, 3.05]


def test_a_warning_about_an_angle_shows_the_line_of_the_app(robot: Robot) -> None:
    for move in (
        lambda: robot.set_target(antennas=[5.0, 0.0]),
        lambda: robot.set_target(body_yaw=4.0),
        lambda: robot.goto_target(body_yaw=4.0, duration=0.01),
    ):
        with pytest.warns(UserWarning, match="no joint reaches") as caught:
            move()
        assert caught[0].filename == __file__
