"""Helpers for poses."""

import math

import numpy as np
from numpy.typing import NDArray

from robot_sdk.arguments import number


def create_head_pose(
    x: float = 0.0,
    y: float = 0.0,
    z: float = 0.0,
    roll: float = 0.0,
    pitch: float = 0.0,
    yaw: float = 0.0,
    mm: bool = False,
    degrees: bool = True,
) -> NDArray[np.float64]:
    """Makes a head pose; without arguments the neutral one.

    Roll, pitch and yaw turn about the fixed x (forward), y (left) and z (up) axes in this order:
    R = Rz(yaw) Ry(pitch) Rx(roll). Positive yaw looks left, positive pitch looks down, positive roll tips to the right.

    Args:
        x: Forward, in metres (millimetres with `mm`).
        y: To the robot's left, likewise.
        z: Up, likewise.
        roll: In degrees (radians with `degrees=False`).
        pitch: Likewise.
        yaw: Likewise.
        mm: Take x, y and z as millimetres.
        degrees: Take the angles as degrees.

    Returns:
        A 4x4 rigid transform, translation in metres.

    Raises:
        ValueError: A value is no finite number.
    """
    given = {"x": x, "y": y, "z": z, "roll": roll, "pitch": pitch, "yaw": yaw}
    x, y, z, roll, pitch, yaw = (number(value, name) for name, value in given.items())
    if degrees:
        roll, pitch, yaw = math.radians(roll), math.radians(pitch), math.radians(yaw)
    metres = 0.001 if mm else 1.0
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x * metres],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y * metres],
            [-sp, cp * sr, cp * cr, z * metres],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
