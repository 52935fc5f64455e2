"""All that moves the robot, fused into one target: breathing, gaze, gestures, and the wobble of speech.

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
    """A pose, or an offset to one."""
    return np.array([0, 0, z, roll, pitch, yaw, right, left], dtype=np.float64)


REST = pose(right=-0.17, left=0.17)
# How far the sum of all may go from there; well inside of what the robot can do.
LIMIT = np.array([0, 0, 0.02, 0.4, 0.4, 0.8, 1.2, 1.2])

# How the robot shows what it is about.
MOODS: dict[str, Pose] = {
    "idle": pose(),
    "listening": pose(z=0.004, pitch=-0.08, right=-0.35, left=0.35),
    "thinking": pose(roll=0.16, pitch=-0.12, right=0.3, left=0.3),
    "speaking": pose(z=0.002),
}

# Seconds in which the gaze goes most of its way, and breathing comes back after a gesture.
GAZE_S = 0.3
CALM_S = 0.6
# Seconds in which the wobble follows the voice.
VOICE_S = 0.06

Gesture: TypeAlias = tuple[float, Callable[[float], Pose]]

# Duration (seconds) and course; each begins and ends softly.
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

MOST_GESTURES = 4


class Motion:
    """The layers and their sum. One thread advances it; any thread may set what it shall do."""

    def __init__(self) -> None:
        """Begins at rest."""
        self.mood = "idle"
        self.loudness = 0.0
        """Of what the robot is saying, from 0 to 1."""
        self._gaze = pose()
        self._gestures: deque[Gesture] = deque(maxlen=MOST_GESTURES)
        self._gesture: Gesture | None = None
        self._gesture_s = 0.0
        self._seconds = 0.0
        self._aim, self._attention = pose(), pose()
        self._calm = 1.0
        self._voice = 0.0

    def look(self, yaw: float, pitch: float) -> None:
        """Turns the head and keeps it there: radians, positive to the left and down."""
        self._gaze = pose(yaw=yaw, pitch=pitch)

    def gesture(self, name: str) -> None:
        """Makes one of GESTURES, after those that wait already. Raises KeyError for another name."""
        self._gestures.append(GESTURES[name])

    def advance(self, seconds: float) -> tuple[NDArray[np.float64], list[float]]:
        """The target this much later: a head pose (4x4, metres) and the right and left antenna (radians)."""
        self._seconds += seconds
        # Twice smoothed, so that not even the speed jumps.
        self._aim = _nearer(self._aim, self._gaze + MOODS[self.mood], seconds, GAZE_S)
        self._attention = _nearer(self._attention, self._aim, seconds, GAZE_S)
        self._voice += (self.loudness - self._voice) * _share(seconds, VOICE_S)
        gesture = self._gesture_now(seconds)
        self._calm += ((self._gesture is None) - self._calm) * _share(seconds, CALM_S)
        layers = self._attention + gesture + self._calm * breathing(self._seconds) + wobble(self._seconds, self._voice)
        _, _, z, roll, pitch, yaw, right, left = REST + np.clip(layers, -LIMIT, LIMIT)
        return create_head_pose(z=z, roll=roll, pitch=pitch, yaw=yaw, degrees=False), [float(right), float(left)]

    def _gesture_now(self, seconds: float) -> Pose:
        if self._gesture is None and self._gestures:
            self._gesture, self._gesture_s = self._gestures.popleft(), 0.0
        if self._gesture is None:
            return pose()
        duration, course = self._gesture
        self._gesture_s += seconds
        if self._gesture_s >= duration:
            self._gesture = None
            return pose()
        return float(np.sin(math.pi * self._gesture_s / duration) ** 2) * course(self._gesture_s)


def breathing(seconds: float) -> Pose:
    """What an idle robot does: a breath in four seconds, and antennas that drift."""
    breath, drift = math.sin(2 * math.pi * seconds / 4), math.sin(2 * math.pi * seconds / 5.3)
    return pose(z=0.003 * breath, pitch=0.02 * breath, yaw=0.03 * drift, right=0.08 * drift, left=0.08 * drift)


def wobble(seconds: float, voice: float) -> Pose:
    """How the head moves with a voice, of a loudness from 0 to 1: frequencies that never meet, so it never repeats."""
    return voice * pose(
        z=0.004 * math.sin(9.1 * seconds),
        roll=0.05 * math.sin(5.3 * seconds),
        pitch=0.09 * math.sin(7.7 * seconds),
        yaw=0.06 * math.sin(3.9 * seconds),
        right=0.15 * math.sin(8.3 * seconds),
        left=0.15 * math.sin(6.9 * seconds),
    )


def _nearer(now: Pose, goal: Pose, seconds: float, time_constant: float) -> Pose:
    return now + (goal - now) * _share(seconds, time_constant)


def _share(seconds: float, time_constant: float) -> float:
    """The share of its way that a first-order low-pass filter goes."""
    return 1 - math.exp(-seconds / time_constant)
