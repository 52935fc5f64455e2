"""A motion of the robot as a table of text, and how two motions differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_sdk.testing.recorded import Series

STEP_S = 0.05
"""Seconds between two rows."""
EXACT_S = 1e-6
"""Differences up to this count as none: rounding errors of sums, in seconds, degrees or millimetres."""
UNITS = {
    **{f"head.{name}": "°" for name in ("roll", "pitch", "yaw")},
    **{f"head.{name}": " mm" for name in ("x", "y", "z")},
    **dict.fromkeys(("body_yaw", "antennas.right", "antennas.left"), "°"),
}
"""The units of the columns of a recording, by the names that a test has for them."""
WRAPPED = ("head.roll", "head.yaw")
"""Angles that are measured from -180 to 180 degrees."""
WIDTH = 9
"""Characters of a column."""
HEADER = ["time", *(name.rpartition(".")[2] for name in UNITS)]
LONGEST_S = 24 * 3600
"""Seconds of the longest recording."""
LARGEST = 1e6
"""The largest absolute value in a recording."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Tolerance:
    """How far two motions may be apart."""

    degrees: float
    millimetres: float
    seconds: float
    """How much earlier or later a value may come."""

    def __post_init__(self) -> None:
        """Raises ValueError for a number that is negative or not finite."""
        for name, value in vars(self).items():
            if not 0 <= value < math.inf:
                raise ValueError(f"{name} of a tolerance is a number from 0, not {value!r}")

    def of(self, name: str) -> float:
        """The tolerance of a joint or axis, in its unit of `UNITS`."""
        return self.degrees if UNITS[name] == "°" else self.millimetres


@dataclass(frozen=True)
class Difference:
    """Where a joint or axis is furthest from what is expected."""

    name: str
    begins: float
    """Seconds at which the tolerance is first exceeded."""
    time: float
    """Seconds at which it is exceeded most."""
    expected: float
    measured: float
    allowed: float

    def __str__(self) -> str:
        """For the message of an assertion."""
        unit = UNITS[self.name]
        return (
            f"{self.name} from {self.begins:.2f} s on, most at {self.time:.2f} s: expected {self.expected:.1f}{unit}, "
            f"measured {self.measured:.1f}{unit} ({self.allowed:g}{unit} are allowed)"
        )


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

    def expected_range(self, name: str, tolerance: Tolerance, times: Values) -> tuple[Values, Values]:
        """The least and the largest value that a test may measure at these times."""
        count = 1 + 2 * math.ceil(2 * tolerance.seconds / STEP_S)
        shifts = np.linspace(-tolerance.seconds, tolerance.seconds, count)
        shifted = [np.interp(times + shift, self.times, self.values[name]) for shift in shifts]
        margin = tolerance.of(name) + EXACT_S
        return np.min(shifted, axis=0) - margin, np.max(shifted, axis=0) + margin

    def differences(self, expected: MotionRecording, tolerance: Tolerance) -> list[Difference]:
        """Where this motion leaves the tolerance of another one, in the time that both have; the largest first."""
        times = self.times[: len(expected.times)]
        found: list[tuple[float, Difference]] = []
        for name in UNITS:
            low, high = expected.expected_range(name, tolerance, times)
            wanted, measured = expected.values[name][: len(times)], self.values[name][: len(times)]
            if name in WRAPPED:
                measured = measured + 360 * np.round((wanted - measured) / 360)
            excess = np.maximum(low - measured, measured - high)
            if np.all(excess <= 0):  # false for NaN
                continue
            most, first = int(np.argmax(excess)), int(np.argmax(~(excess <= 0)))
            allowed = tolerance.of(name)
            found.append(
                (
                    float(excess[most]) / max(allowed, EXACT_S),
                    Difference(name, float(times[first]), float(times[most]), wanted[most], measured[most], allowed),
                )
            )
        return [each for _, each in sorted(found, key=lambda item: -item[0])]


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
    return f"{first:>7}" + "".join(f"{word:>{WIDTH}}" for word in others) + "\n"
