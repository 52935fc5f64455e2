"""Helpers for poses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robot_sdk.robot.arguments import MAX_ANGLE_RAD, MAX_OFFSET_M, number, warn_caller

# An angle in degrees that is equal, to this relative precision, to whole degrees in radians was surely meant in
# radians.
RADIANS_PRECISION = 1e-9


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
    """Creates a head pose from offsets in metres and angles in degrees; without arguments the neutral pose.

    All other functions take angles in radians; only here the default is degrees. Roll, pitch and yaw turn about the
    fixed axes x (forward), y (left) and z (up) in this order: R = Rz(yaw) Ry(pitch) Rx(roll). Positive yaw looks left,
    positive pitch looks down, positive roll tips to the right. Warns (UserWarning) about a value that is surely in
    another unit.

    Args:
        x: Forward, metres; millimetres with `mm=True`.
        y: To the robot's left, metres; millimetres with `mm=True`.
        z: Up, metres; millimetres with `mm=True`.
        roll: Degrees; radians with `degrees=False`.
        pitch: Degrees; radians with `degrees=False`.
        yaw: Degrees; radians with `degrees=False`.
        mm: Whether x, y and z are millimetres.
        degrees: Whether roll, pitch and yaw are degrees.

    Returns:
        A 4x4 rigid transform, translation in metres.

    Raises:
        ValueError: A value is not a finite number.

    Example:
        up = create_head_pose(z=0.01)  # metres
        left = create_head_pose(z=10, yaw=20, mm=True)  # millimetres, degrees
        right = create_head_pose(yaw=-0.35, degrees=False)  # radians
    """
    given = {"x": x, "y": y, "z": z, "roll": roll, "pitch": pitch, "yaw": yaw}
    x, y, z, roll, pitch, yaw = (number(value, name) for name, value in given.items())
    for name, value in (("x", x), ("y", y), ("z", z)):
        if abs(value) > MAX_OFFSET_M and not mm:
            warn_caller(f"{name} is {value:g} m: for millimetres use mm=True")
    for name, value in (("roll", roll), ("pitch", pitch), ("yaw", yaw)):
        if degrees and _is_surely_radians(value):
            advice = f"for radians use degrees=False; {value:g} rad are {math.degrees(value):g} degrees"
            warn_caller(f"{name} is {value:g} degrees: {advice}")
        if not degrees and abs(value) > MAX_ANGLE_RAD:
            warn_caller(f"{name} is {value:g} rad, above a whole turn: for degrees use degrees=True")
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


def _is_surely_radians(value: float) -> bool:
    """Whether a number is whole degrees in radians, for example pi/6; no one would write that number for degrees."""
    in_degrees = math.degrees(value)
    whole = round(in_degrees)
    return whole != 0 and abs(whole) <= 360 and abs(in_degrees - whole) < RADIANS_PRECISION * abs(whole)
