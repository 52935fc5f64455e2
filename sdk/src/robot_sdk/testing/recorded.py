"""Angles and positions of a tested robot over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(repr=False)
class Series:
    """Values over time."""

    times: list[float] = field(default_factory=list)
    """Seconds since the start of the app."""
    values: list[float] = field(default_factory=list)

    def max(self) -> float:
        """The largest value so far. Raises ValueError when there is none."""
        return max(self._known())

    def min(self) -> float:
        """The smallest value so far. Raises ValueError when there is none."""
        return min(self._known())

    @property
    def now(self) -> float:
        """The last value. Raises ValueError when there is none."""
        return self._known()[-1]

    def between(self, start: float, end: float) -> Series:
        """The values from one time to another, in seconds since the start of the app."""
        kept = [at for at, time in enumerate(self.times) if start <= time <= end]
        return Series([self.times[at] for at in kept], [self.values[at] for at in kept])

    def __iter__(self) -> Iterator[float]:
        """The values in their order."""
        return iter(self.values)

    def __len__(self) -> int:
        """The number of values."""
        return len(self.values)

    def __repr__(self) -> str:
        """What a failed assertion shows."""
        if not self.values:
            return "Series(empty)"
        span = f"{self.times[0]:.2f} to {self.times[-1]:.2f} s"
        return f"Series({span}: from {self.min():.1f} to {self.max():.1f}, now {self.now:.1f})"

    def _known(self) -> list[float]:
        if not self.values:
            raise ValueError(
                "there are no values: has the app connected to the robot, and has the test advanced? See robot_app.log"
            )
        return self.values

    def add(self, time: float, value: float) -> None:
        """Adds the next value."""
        self.times.append(time)
        self.values.append(value)


@dataclass(repr=False)
class Head:
    """The measured head: degrees and millimetres in the robot's frame."""

    roll: Series = field(default_factory=Series)
    pitch: Series = field(default_factory=Series)
    yaw: Series = field(default_factory=Series)
    x: Series = field(default_factory=Series)
    y: Series = field(default_factory=Series)
    z: Series = field(default_factory=Series)

    def add(self, time: float, pose: NDArray[np.float64]) -> None:
        """Adds a pose, a 4x4 matrix."""
        roll = np.arctan2(pose[2, 1], pose[2, 2])
        pitch = -np.arcsin(np.clip(pose[2, 0], -1, 1))
        yaw = np.arctan2(pose[1, 0], pose[0, 0])
        for series, angle in zip((self.roll, self.pitch, self.yaw), (roll, pitch, yaw), strict=True):
            series.add(time, float(np.degrees(angle)))
        for series, metres in zip((self.x, self.y, self.z), pose[:3, 3], strict=True):
            series.add(time, float(1000 * metres))


@dataclass(repr=False)
class Antennas:
    """The measured antennas, degrees."""

    right: Series = field(default_factory=Series)
    left: Series = field(default_factory=Series)

    def add(self, time: float, right: float, left: float) -> None:
        """Adds two angles, radians."""
        self.right.add(time, float(np.degrees(right)))
        self.left.add(time, float(np.degrees(left)))
