"""How two motions differ: in their course, in when it comes, and in how smooth it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

EXACT_S = 1e-6
"""Differences up to this count as none: rounding errors of sums, in seconds, degrees or millimetres."""
STEP_S = 0.02
"""Seconds between two values: the robot reports as often."""
LAG_S = 0.01
"""Seconds between two shifts that are tried: the robot's control works as often."""
COURSE = 50
"""Values, one second, that have to fit with one and the same shift."""
SHAKE = 25
"""Values over which a motion is said to shake or not."""
FURTHER_S = 0.3
"""Seconds beyond the tolerance within which the shift of a motion is looked for."""
NOISE = 0.08
"""Degrees or millimetres that rounding and the motion of the simulated robot explain."""
ROUGHER = 1.5
"""How much rougher than the recording a motion may be."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Tolerance:
    """How far two motions may be apart. The tolerances do not add up."""

    degrees: float
    millimetres: float
    seconds: float
    """How much earlier or later the motion may come."""

    def __post_init__(self) -> None:
        """Raises ValueError for a number that is negative or not finite."""
        for name, value in vars(self).items():
            if not 0 <= value < math.inf:
                raise ValueError(f"{name} of a tolerance is a number from 0, not {value!r}")


@dataclass(frozen=True)
class Column:
    """A joint or axis of two motions at the same times."""

    name: str
    unit: str
    times: Values
    expected: Values
    measured: Values
    allowed: float
    """How far the values may be apart, in the unit."""
    seconds: float
    """How much earlier or later they may come."""
    is_angle: bool = False
    """Whether 360 more are the same."""
    has_jumps: bool = False
    """Whether it may change at once, as goals do: then a value fits that comes one value earlier or later."""

    def differences(self) -> Iterator[Difference]:
        """At most one of each kind."""
        yield from self._differing_course()
        yield from self._lag()
        yield from self._shake()

    def _differing_course(self) -> Iterator[Difference]:
        """Each second of the motion has to fit with one shift in time: all of its values, each within the tolerance."""
        lags = _lags(min(self.seconds, self._half))
        shifted = np.array([self._expected_later(lag) for lag in lags])
        # What lies outside of the recording when it is shifted may be anything.
        apart = np.nan_to_num(self._apart(shifted, lags, self.has_jumps), nan=0.0, posinf=np.inf)
        worst = sliding_window_view(apart, min(COURSE, apart.shape[1]), axis=1).max(axis=-1)
        best = worst.argmin(axis=0)
        excess = worst.min(axis=0) - self.allowed
        if np.all(excess <= EXACT_S):
            return
        first, most = int(np.argmax(excess > EXACT_S)), int(np.argmax(excess))
        begins = first + int(np.argmax(apart[best[first], first:] > self.allowed + EXACT_S))
        at = most + int(np.argmax(apart[best[most], most : most + COURSE]))
        yield Difference(
            self.name,
            float(self.times[at]),
            float(excess[most]) / max(self.allowed, EXACT_S),
            f"from {self.times[begins]:.2f} s on, most at {self.times[at]:.2f} s: expected "
            f"{shifted[best[most], at]:.1f}{self.unit}, measured {self.measured[at]:.1f}{self.unit} "
            f"({self.allowed:g}{self.unit} are allowed)",
        )

    def _lag(self) -> Iterator[Difference]:
        """The shift with which the whole motion fits best; a slow one stays within the tolerance of its values."""
        furthest = min(self.seconds + FURTHER_S, self._half)
        if furthest <= self.seconds:
            return
        lags = _lags(furthest)
        apart = self._apart(np.array([self._expected_later(lag) for lag in lags]), lags, False)
        errors = np.sqrt(np.nanmean(np.square(apart), axis=1))
        best = int(np.argmin(np.round(errors, 6)))
        allowed = errors[np.abs(lags) <= self.seconds + EXACT_S].min()
        if abs(lags[best]) <= self.seconds + EXACT_S or not allowed > max(NOISE, 2 * errors[best]):
            return
        way = "later" if lags[best] > 0 else "earlier"
        yield Difference(
            self.name,
            float(self.times[np.argmax(np.abs(self.measured - self.expected))]),
            abs(lags[best]) / max(self.seconds, EXACT_S),
            f"comes {abs(lags[best]):.2f} s {way} than in the recording ({self.seconds:g} s are allowed)",
        )

    def _shake(self) -> Iterator[Difference]:
        """Compares how rough both are: how much the speed changes from one value to the next."""
        if len(self.times) < SHAKE + 2:
            return
        measured, expected = _roughness(self.measured), _roughness(self.expected)
        reach = SHAKE + math.ceil(self.seconds / STEP_S)
        nearby = sliding_window_view(np.pad(expected, reach, mode="edge"), 2 * reach + 1).max(axis=-1)
        # Not a number where a value is none, which the course says.
        excess = np.nan_to_num(measured - ROUGHER * nearby - self.allowed / 10)
        if np.all(excess <= EXACT_S):
            return
        first, most = int(np.argmax(excess > EXACT_S)), int(np.argmax(excess))
        yield Difference(
            self.name,
            float(self.times[most + SHAKE // 2]),
            float(excess[most]) / max(self.allowed / 10, EXACT_S),
            f"shakes from {self.times[first + SHAKE]:.2f} s on, most at {self.times[most + SHAKE // 2]:.2f} s: its "
            f"steps of {STEP_S:g} s differ by {measured[most]:.2f}{self.unit}, in the recording by "
            f"{nearby[most]:.2f}{self.unit}",
        )

    @property
    def _half(self) -> float:
        """The largest shift, seconds: at least half of the motion has to be compared."""
        return float(self.times[-1] - self.times[0]) / 2

    def _expected_later(self, seconds: float) -> Values:
        expected = np.unwrap(self.expected, period=360) if self.is_angle else self.expected
        return np.interp(self.times - seconds, self.times, expected)

    def _apart(self, shifted: Values, lags: Values, has_jumps: bool) -> Values:
        """How far the measured values are from each row of expected ones.

        Infinite for what is no number; no number where a shifted recording has no value.
        """
        apart = self.measured - shifted
        if self.is_angle:
            apart -= 360 * np.round(apart / 360)
        if has_jumps:
            nearby = sliding_window_view(np.pad(shifted, ((0, 0), (1, 1)), mode="edge"), 3, axis=1)
            low, high = nearby.min(axis=-1), nearby.max(axis=-1)
            between = np.maximum(0, np.maximum(low - self.measured, self.measured - high))
            apart = np.where(high - low > self.allowed, between, apart)
        apart = np.where(np.isfinite(apart), np.abs(apart), np.inf)
        at = self.times - lags[:, None]
        outside = (at < self.times[0] - EXACT_S) | (at > self.times[-1] + EXACT_S)
        return np.where(outside, np.nan, apart)


@dataclass(frozen=True)
class Difference:
    """How a joint or axis differs from what is expected."""

    name: str
    time: float
    """Seconds at which it differs most."""
    size: float
    """How much it exceeds what is allowed, as a multiple of that."""
    text: str

    def __str__(self) -> str:
        """For the message of an assertion."""
        return f"{self.name} {self.text}"


def _lags(seconds: float) -> Values:
    """The shifts that are tried up to some seconds earlier and later, the smallest first."""
    count = math.ceil(seconds / LAG_S - EXACT_S)
    lags = np.unique(np.clip(LAG_S * np.arange(-count, count + 1), -seconds, seconds))
    return lags[np.argsort(np.abs(lags), kind="stable")]


def _roughness(values: Values) -> Values:
    """The root of the mean square of the second differences of each `SHAKE` values."""
    roughness: Values = np.sqrt(np.mean(np.square(sliding_window_view(np.diff(values, 2), SHAKE)), axis=-1))
    return roughness
