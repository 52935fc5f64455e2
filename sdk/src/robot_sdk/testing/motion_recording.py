"""A motion of the robot as a table of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from robot_sdk.testing.motion_difference import EXACT_S, STEP_S, Column, Difference, Tolerance, Values
from robot_sdk.testing.recorded import Series

MEASURED = {
    **{f"head.{name}": "°" for name in ("roll", "pitch", "yaw")},
    **{f"head.{name}": " mm" for name in ("x", "y", "z")},
    **dict.fromkeys(("body_yaw", "antennas.right", "antennas.left"), "°"),
}
"""The units of what is measured, by the names that a test has for it."""
GOALS = ("goal.body_yaw", *(f"goal.stewart_{leg}" for leg in range(1, 7)), "goal.right_antenna", "goal.left_antenna")
"""The angles to which the servos are sent, in the order in which the robot reports them."""
UNITS = {**MEASURED, **dict.fromkeys(GOALS, "°")}
"""The units of the columns of a recording."""
WRAPPED = ("head.roll", "head.yaw")
"""Angles that are measured from -180 to 180 degrees."""
WIDTH = 6
"""Characters of a column, besides the space before it."""
HEADER = ["time", *(name.rpartition(".")[2] for name in MEASURED), *(f"goal_{at}" for at in range(1, len(GOALS) + 1))]
LONGEST_S = 24 * 3600
"""Seconds of the longest recording."""
LARGEST = 1e6
"""The largest absolute value in a recording."""


@dataclass(frozen=True)
class MotionRecording:
    """Values at equal times, rounded to a tenth of a degree or millimetre."""

    times: Values
    """Seconds since the start of the recording."""
    values: dict[str, Values]

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(self.times[-1])

    @classmethod
    def sample(cls, measured: Mapping[str, Series], start: float, end: float) -> MotionRecording:
        """A part of what was measured, between two times in seconds."""
        return cls(*_resample({name: (each.times, each.values) for name, each in measured.items()}, start, end))

    @classmethod
    def parse(cls, text: str) -> MotionRecording:
        """Reads what `to_text` has written.

        Raises:
            ValueError: It is no recording; says the line.
        """
        rows: list[list[float]] = []
        lines = [(at, line.split()) for at, line in enumerate(text.splitlines(), 1) if not line.startswith("#")]
        lines = [(at, words) for at, words in lines if words]
        if not lines or lines[0][1] != HEADER:
            raise ValueError(f"it has not the columns {', '.join(HEADER)}")
        for at, words in lines[1:]:
            try:
                row = [float(word) for word in words]
            except ValueError:
                row = []
            is_later = not rows or not row or row[0] > rows[-1][0]
            if (
                len(row) != len(HEADER)
                or not all(abs(value) <= LARGEST for value in row)  # NaN is not
                or not 0 <= row[0] <= LONGEST_S
                or not is_later
            ):
                raise ValueError(f"line {at} is not a row of {len(HEADER)} numbers at a later time than the one before")
            rows.append(row)
        if not rows:
            raise ValueError("it has no rows")
        times, *columns = (list(column) for column in zip(*rows, strict=True))
        return cls(
            *_resample({name: (times, column) for name, column in zip(UNITS, columns, strict=True)}, 0, times[-1])
        )

    def to_text(self, comment: str) -> str:
        """A table with one row for each time; rows in which nothing changes are left out."""
        table = np.array([self.values[name] for name in UNITS]).T
        changes = np.any(table[1:] != table[:-1], axis=1)
        kept = np.concatenate([[True], changes]) | np.concatenate([changes, [True]])
        rows = [
            [f"{time:.2f}", *(f"{value:.1f}" for value in row)]
            for time, row in zip(self.times[kept], table[kept], strict=True)
        ]
        return "".join([f"# {comment}\n", _line(HEADER), *map(_line, rows)])

    def differences(self, expected: MotionRecording, tolerance: Tolerance) -> list[Difference]:
        """Where this motion leaves the tolerance of another one, in the time that both have; the largest first."""
        times = self.times[: len(expected.times)]
        found = [
            difference
            for name, unit in UNITS.items()
            for difference in Column(
                name,
                unit,
                times,
                expected.values[name][: len(times)],
                self.values[name][: len(times)],
                tolerance.degrees if unit == "°" else tolerance.millimetres,
                tolerance.seconds,
                is_angle=name in WRAPPED,
                has_jumps=name in GOALS,
            ).differences()
        ]
        return sorted(found, key=lambda each: -each.size)


def _resample(
    columns: Mapping[str, tuple[list[float], list[float]]], start: float, end: float
) -> tuple[Values, dict[str, Values]]:
    """Interpolates the times and values of each column every `STEP_S` seconds from `start` to `end`."""
    times: Values = STEP_S * np.arange(math.floor((end - start + EXACT_S) / STEP_S) + 1, dtype=np.float64)
    values: dict[str, Values] = {}
    for name, (at, given) in columns.items():
        continuous = np.unwrap(given, period=360) if name in WRAPPED else given
        # Adding 0 turns -0 into 0.
        values[name] = np.round(np.interp(times + start, at, continuous), 1) + 0.0
    return times, values


def _line(words: Iterable[str]) -> str:
    first, *others = words
    return f"{first:>{WIDTH}}" + "".join(f" {word:>{WIDTH}}" for word in others) + "\n"
