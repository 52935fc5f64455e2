"""What a tested robot did, to compare with a recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from robot_sdk.testing.motion_difference import EXACT_S, Tolerance
from robot_sdk.testing.motion_files import MotionFiles
from robot_sdk.testing.motion_recording import MotionRecording
from robot_sdk.testing.recorded import Series


@dataclass(frozen=True)
class MeasuredMotion:
    """The measured motion of head, body and antennas from one time to another, in seconds since the start of the app.

    Example:
        assert robot_app.motion.matches("nod")
        assert robot_app.motion.between(2.0, 4.0).matches("nod", degrees=5)
    """

    series: Mapping[str, Series]
    files: MotionFiles
    start: float
    end: float
    failure: str | None = None
    """How the app has failed; None when it has not."""

    def between(self, start: float, end: float) -> MeasuredMotion:
        """A part of the motion; its recording begins at `start`.

        Raises:
            ValueError: The times do not lie in the motion, in this order.
        """
        if not self.start - EXACT_S <= start < end <= self.end + EXACT_S:
            raise ValueError(
                f"between takes two times from {self.start:.2f} to {self.end:.2f} s, the time to which the test has "
                f"advanced, not {start!r} and {end!r}"
            )
        return replace(self, start=start, end=end)

    def matches(self, name: str, *, degrees: float = 2.0, millimetres: float = 2.0, seconds: float = 0.05) -> bool:
        """Compares the motion with the recording `motions/NAME.txt` beside the test; makes it when there is none.

        Args:
            name: Letters, digits, spaces, `_`, `.` and `-`.
            degrees: How far angles may be from the recording.
            millimetres: How far the head may be from the recording.
            seconds: How much earlier or later a value may come.

        Returns:
            True.

        Raises:
            ValueError: The name or a tolerance is wrong, or nothing was measured.
            AssertionError: The motion differs: says which joint, when and by how much, and where a plot is. Also when
                the recording is missing where the variable `CI` is set.
        """
        tolerance = Tolerance(degrees, millimetres, seconds)
        self.files.check(name, self.sample(), tolerance, self.failure)
        return True

    def sample(self) -> MotionRecording:
        """The motion at times of equal distance, as a recording has it.

        Raises:
            ValueError: Nothing was measured.
        """
        for each in self.series.values():
            each.max()  # raises when nothing was measured
        return MotionRecording.sample(self.series, self.start, self.end)
