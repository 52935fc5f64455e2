"""Combines all motion into one target: breathing, gaze, gestures, and head motion with the voice.

A pose is eight numbers: x, y, z (metres), roll, pitch, yaw (radians), and the right and left antenna (radians).
"""

import math
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from robot_sdk.utils import create_head_pose

Pose: TypeAlias = NDArray[np.float64]


def pose(
    z: float = 0, roll: float = 0, pitch: float = 0, yaw: float = 0, right: float = 0, left: float = 0
) -> Pose:
    """A pose, or an offset to a pose. Metres and radians."""
    return np.array([0, 0, z, roll, pitch, yaw, right, left], dtype=np.float64)


DEFAULT_POSE = pose(right=-0.17, left=0.17)
# Limit of the sum of all motion relative to the default pose; well inside of the robot's range.
LIMIT = np.array([0, 0, 0.02, 0.4, 0.4, 0.8, 1.2, 1.2])

# Poses that show what the robot does.
MOODS: dict[str, Pose] = {
    "idle": pose(),
    "listening": pose(z=0.004, pitch=-0.08, right=-0.35, left=0.35),
    "thinking": pose(roll=0.16, pitch=-0.12, right=0.3, left=0.3),
    "speaking": pose(z=0.002),
}

# Time constants: of the gaze, of breathing after a gesture, and of the head motion with the voice.
GAZE_S = 0.3
BREATHING_S = 0.6
VOICE_S = 0.06

Gesture: TypeAlias = tuple[float, Callable[[float], Pose]]

# Duration (seconds) and motion; each begins and ends smoothly.
GESTURES: dict[str, Gesture] = {
    "nod": (1.4, lambda t: pose(pitch=0.22 * math.sin(2 * math.pi * t / 0.7))),
    "shake": (2.0, lambda t: pose(yaw=0.25 * math.sin(2 * math.pi * t))),
    "wiggle": (1.5, lambda t: pose(right=0.7 * math.sin(8 * t), left=0.7 * math.sin(8 * t))),
    "dance": (
        6.0,
        lambda t: pose(
            z=0.012 * math.sin(2 * math.pi * t),
            roll=0.22 * math.sin(math.pi * t),
            yaw=0.3 * math.sin(math.pi * t / 2),
            right=0.8 * math.sin(2 * math.pi * t),
            left=-0.8 * math.sin(2 * math.pi * t),
        ),
    ),
}

MAX_GESTURES = 4


class Motion:
    """All motion of the robot. One thread calls `advance`; any thread may change the rest."""

    def __init__(self) -> None:
        """Begins in the default pose."""
        self.mood = "idle"
        self.loudness = 0.0
        """Loudness of the robot's voice, from 0 to 1."""
        self._gaze = pose()
        self._gestures: deque[Gesture] = deque(maxlen=MAX_GESTURES)
        self._gesture: Gesture | None = None
        self._gesture_s = 0.0
        self._seconds = 0.0
        self._gaze_target, self._gaze_pose = pose(), pose()
        self._breathing = 1.0
        self._voice = 0.0

    def look(self, yaw: float, pitch: float) -> None:
        """Turns the head and keeps it there. Yaw and pitch in radians, positive to the left and down."""
        self._gaze = pose(yaw=yaw, pitch=pitch)

    def gesture(self, name: str) -> None:
        """Queues one of GESTURES. Raises KeyError for another name."""
        self._gestures.append(GESTURES[name])

    def advance(self, seconds: float) -> tuple[NDArray[np.float64], list[float]]:
        """The next target: a head pose (4x4, metres) and the right and left antenna (radians)."""
        self._seconds += seconds
        # Two low-pass filters, so that the speed does not jump either.
        self._gaze_target = _filtered(self._gaze_target, self._gaze + MOODS[self.mood], seconds, GAZE_S)
        self._gaze_pose = _filtered(self._gaze_pose, self._gaze_target, seconds, GAZE_S)
        self._voice += (self.loudness - self._voice) * _filter_gain(seconds, VOICE_S)
        gesture = self._gesture_now(seconds)
        self._breathing += ((self._gesture is None) - self._breathing) * _filter_gain(seconds, BREATHING_S)
        idle = self._breathing * breathing(self._seconds)
        layers = self._gaze_pose + gesture + idle + voice_motion(self._seconds, self._voice)
        _, _, z, roll, pitch, yaw, right, left = DEFAULT_POSE + np.clip(layers, -LIMIT, LIMIT)
        return create_head_pose(z=z, roll=roll, pitch=pitch, yaw=yaw, degrees=False), [float(right), float(left)]

    def _gesture_now(self, seconds: float) -> Pose:
        if self._gesture is None and self._gestures:
            self._gesture, self._gesture_s = self._gestures.popleft(), 0.0
        if self._gesture is None:
            return pose()
        duration, motion = self._gesture
        self._gesture_s += seconds
        if self._gesture_s >= duration:
            self._gesture = None
            return pose()
        return float(np.sin(math.pi * self._gesture_s / duration) ** 2) * motion(self._gesture_s)


def breathing(seconds: float) -> Pose:
    """Motion of an idle robot: a breath every four seconds, and antennas that drift."""
    breath, drift = math.sin(2 * math.pi * seconds / 4), math.sin(2 * math.pi * seconds / 5.3)
    return pose(z=0.003 * breath, pitch=0.02 * breath, yaw=0.03 * drift, right=0.08 * drift, left=0.08 * drift)


def voice_motion(seconds: float, voice: float) -> Pose:
    """Motion of the head with the voice, whose loudness is 0 to 1. Its frequencies have no common period."""
    return voice * pose(
        z=0.004 * math.sin(9.1 * seconds),
        roll=0.05 * math.sin(5.3 * seconds),
        pitch=0.09 * math.sin(7.7 * seconds),
        yaw=0.06 * math.sin(3.9 * seconds),
        right=0.15 * math.sin(8.3 * seconds),
        left=0.15 * math.sin(6.9 * seconds),
    )


def _filtered(current: Pose, goal: Pose, seconds: float, time_constant: float) -> Pose:
    return current + (goal - current) * _filter_gain(seconds, time_constant)


def _filter_gain(seconds: float, time_constant: float) -> float:
    """The share of the distance that a first-order low-pass filter covers."""
    return 1 - math.exp(-seconds / time_constant)
