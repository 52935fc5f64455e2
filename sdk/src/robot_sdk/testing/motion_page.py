"""A page with the motion of a test, or with two motions over each other, as robots in three dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from robot_sdk.testing.motion_recording import MEASURED, MotionRecording


@dataclass(frozen=True)
class MotionPage:
    """What the page shows, and where it is written; the robot of the test writes it."""

    file: Path
    title: str
    lines: Sequence[str]
    """Sentences below the title."""
    motions: Mapping[str, MotionRecording]
    """The motion of the robot, and that of its ghost, if there is one, by what they are."""
    differing: Sequence[str] = ()
    """Joints and axes that differ, which are plotted first."""

    def to_request(self) -> dict[str, Any]:
        """The field `page` of a request to the robot, see daemon/test-robot/serve-test-robot.ts.

        A value that JSON cannot hold, such as NaN, becomes 0.
        """
        motions = [{"label": label, "rows": _rows(motion)} for label, motion in self.motions.items()]
        return {
            "file": str(self.file.resolve()),
            "title": self.title,
            "lines": list(self.lines),
            "motions": motions,
            "differing": list(self.differing),
        }


def _rows(motion: MotionRecording) -> list[list[float]]:
    """A row for each time: seconds, then the values in the order of `MEASURED`."""
    table = np.column_stack([motion.times, *(motion.values[name] for name in MEASURED)])
    rows: list[list[float]] = np.nan_to_num(np.round(table, 3), posinf=0, neginf=0).tolist()
    return rows
