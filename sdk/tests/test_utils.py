import math

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_sdk.utils import create_head_pose


def turn(axis: int, angle: float) -> NDArray[np.float64]:
    """Rodrigues' formula, as a second way to the same matrix."""
    k = np.cross(np.eye(3), np.eye(3)[axis])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def test_without_arguments_it_is_the_neutral_head() -> None:
    np.testing.assert_array_equal(create_head_pose(), np.eye(4))


def test_turns_about_x_then_y_then_z() -> None:
    pose = create_head_pose(roll=0.3, pitch=-0.4, yaw=0.5, degrees=False)
    np.testing.assert_allclose(pose[:3, :3], turn(2, 0.5) @ turn(1, -0.4) @ turn(0, 0.3), atol=1e-12)


def test_a_positive_yaw_looks_left_and_a_positive_pitch_down() -> None:
    forward = np.array([1.0, 0.0, 0.0])
    assert (create_head_pose(yaw=90)[:3, :3] @ forward)[1] == pytest.approx(1.0)
    assert (create_head_pose(pitch=90)[:3, :3] @ forward)[2] == pytest.approx(-1.0)


def test_angles_are_degrees_by_default() -> None:
    np.testing.assert_allclose(create_head_pose(yaw=30), create_head_pose(yaw=math.pi / 6, degrees=False))


def test_offsets_are_metres_or_millimetres() -> None:
    np.testing.assert_allclose(create_head_pose(1, 2, 3, mm=True)[:3, 3], (0.001, 0.002, 0.003))
    np.testing.assert_allclose(create_head_pose(0.001, 0.002, 0.003)[:3, 3], (0.001, 0.002, 0.003))


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"yaw": math.pi / 6}, "yaw is 0.523599 degrees: for radians use degrees=False; 0.523599 rad are 30 degrees"),
        ({"pitch": -math.radians(20)}, "pitch is .*degrees=False"),
        ({"roll": float(np.deg2rad(5))}, "roll is .*degrees=False"),
        ({"yaw": 30, "degrees": False}, "yaw is 30 rad, above a whole turn: for degrees use degrees=True"),
        ({"z": 10}, "z is 10 m: for millimetres use mm=True"),
    ],
)
def test_warns_about_a_value_that_is_surely_in_another_unit(given: dict[str, float], advice: str) -> None:
    with pytest.warns(UserWarning, match=advice) as caught:
        create_head_pose(**given)  # type: ignore[arg-type]
    assert caught[0].filename == __file__


def test_does_not_warn_about_values_of_a_smooth_motion() -> None:
    # Warnings are errors in these tests.
    for step in range(-2000, 2000):
        create_head_pose(z=0.0001 * step, roll=0.01 * step, pitch=math.sin(step), yaw=0.001 * step)
        create_head_pose(z=0.01 * step, yaw=0.003 * step, mm=True, degrees=False)


def test_refuses_numbers_that_are_not_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        create_head_pose(yaw=math.nan)
