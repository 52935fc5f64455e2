"""Validates arguments: shape, finite numbers, and units that were surely mixed up."""

import math
import reprlib
import sys
import warnings
from collections.abc import Collection, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.message_kind import message_kind
from robot_sdk.package_folder import PACKAGE_FOLDER

Method: TypeAlias = Literal["linear", "minjerk", "ease_in_out", "cartoon"]
METHODS: tuple[str, ...] = get_args(Method)

JOINTS = (
    "body_yaw",
    *(f"stewart_{number}" for number in range(1, 7)),
    "right_antenna",
    "left_antenna",
)

MAX_DURATION_S = 60.0
# No joint turns farther than half a turn, so an angle above a whole turn must be degrees.
MAX_ANGLE_RAD = 2 * math.pi
# No joint reaches this angle, so a larger one is probably degrees.
REACHABLE_RAD = 3.2
# The head moves by centimetres, so an offset above a metre must be millimetres.
MAX_OFFSET_M = 1.0
# Products of poses in float32 are off by about 1e-6; a matrix that is not a rotation is off by far more.
ROTATION_TOLERANCE = 1e-3

# File, line and kind of the warnings that were issued.
_warned: set[tuple[str, int, str]] = set()

# Short for large values.
_repr = reprlib.repr


def target(head: ArrayLike | None, head_antennas: ArrayLike | None, body_yaw: float | None) -> dict[str, Any]:
    """The target as the fields of a message; None stays None.

    Raises:
        ValueError: No value is given, or one is not valid.
    """
    if head is None and head_antennas is None and body_yaw is None:
        raise ValueError("no target: give at least one of head, antennas and body_yaw, for example body_yaw=0.2")
    return {
        "head": None if head is None else head_pose(head),
        "antennas": None if head_antennas is None else antennas(head_antennas),
        "body_yaw": None if body_yaw is None else angle(body_yaw, "body_yaw"),
    }


def head_pose(value: ArrayLike) -> list[float]:
    """A 4x4 rigid transform, metres, as the 16 numbers of a message, row by row."""
    pose = _array(value, "head", (4, 4), "a 4x4 pose: create one with robot_sdk.utils.create_head_pose()")
    rotation, offset = pose[:3, :3], pose[:3, 3]
    drift = float(np.abs(rotation @ rotation.T - np.eye(3)).max())
    if drift > ROTATION_TOLERANCE or np.linalg.det(rotation) < 0:
        raise ValueError(
            f"the upper left 3x3 of head is not a rotation (off by {drift:.3g}, at most {ROTATION_TOLERANCE:g}; "
            "or mirrored): create the pose with robot_sdk.utils.create_head_pose()"
        )
    if not np.allclose(pose[3], (0, 0, 0, 1)):
        raise ValueError(f"the last row of head is {pose[3].tolist()}: it must be [0, 0, 0, 1]")
    if np.abs(offset).max() > MAX_OFFSET_M:
        raise ValueError(
            f"head is at {offset.tolist()} m, more than {MAX_OFFSET_M:g} m away: "
            "for millimetres use create_head_pose(..., mm=True)"
        )
    return [float(number) for number in pose.ravel()]


def antennas(value: ArrayLike) -> list[float]:
    """Two angles, right and left, in radians."""
    pair = _array(value, "antennas", (2,), "two angles in radians: [right, left]")
    return [angle(number, f"antennas[{index}]") for index, number in enumerate(pair)]


def angle(value: float, name: str) -> float:
    """One angle in radians."""
    radians = number(value, name)
    if abs(radians) > MAX_ANGLE_RAD:
        raise ValueError(
            f"{name} is {radians:g} rad: it must be from -{MAX_ANGLE_RAD:.3f} to {MAX_ANGLE_RAD:.3f}, a whole turn; "
            f"for degrees use numpy.deg2rad({radians:g})"
        )
    if abs(radians) > REACHABLE_RAD:
        warn_caller(f"{name} is {radians:g} rad, which no joint reaches: for degrees use numpy.deg2rad({radians:g})")
    return radians


def duration(value: float) -> float:
    """Duration of a move: seconds, above 0 and at most 60."""
    seconds = number(value, "duration")
    if not 0 < seconds <= MAX_DURATION_S:
        hint = f"; {seconds:g} ms are {seconds / 1000:g}" if seconds > MAX_DURATION_S else ""
        raise ValueError(f"duration is {seconds:g} s: it must be above 0 and at most {MAX_DURATION_S:g} s{hint}")
    return seconds


def positive(value: float, name: str) -> float:
    """A time in seconds, above 0."""
    seconds = number(value, name)
    if seconds <= 0:
        raise ValueError(f"{name} is {seconds:g} s: it must be above 0, for example 5.0")
    return seconds


def method(value: str) -> str:
    """Interpolation of a move."""
    if value not in METHODS:
        raise ValueError(f"method is {_repr(value)}: it must be one of {', '.join(METHODS)}")
    return value


def joints(names: Collection[str] | None) -> list[str] | None:
    """Names of joints; None means all."""
    if names is None:
        return None
    is_list = isinstance(names, Collection) and not isinstance(names, str)
    if not is_list or any(name not in JOINTS for name in names):
        raise ValueError(f"ids is {_repr(names)}: it must list joints out of {', '.join(JOINTS)}")
    return list(names)


def side(value: Literal["left", "right"]) -> Literal["left", "right"]:
    """The side of an antenna."""
    if value not in ("left", "right"):
        raise ValueError(f"side is {_repr(value)}: it must be left or right")
    return value


def number(value: float, name: str) -> float:
    """A finite number."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {_repr(value)}: it must be a number, for example 0.5") from None
    if not math.isfinite(result):
        raise ValueError(f"{name} is {result}: it must be a finite number, for example 0.5")
    return result


def warn_caller(message: str) -> None:
    """Issues a UserWarning that shows the line of the app: once per line, also when its numbers change."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE_FOLDER):
        frame, level = frame.f_back, level + 1
    kind = (frame.f_code.co_filename, frame.f_lineno, message_kind(message))
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, stacklevel=level)


def _array(value: ArrayLike, name: str, shape: Sequence[int], wanted: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {_repr(value)}: it must be {wanted}") from None
    if array.shape != tuple(shape):
        raise ValueError(f"{name} has the shape {array.shape}: it must be {wanted}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has numbers that are not finite: {array.tolist()}; it must be {wanted}")
    return array
