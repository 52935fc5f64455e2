"""The recordings beside the tests with which motions are compared."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robot_sdk.testing.motion_difference import EXACT_S, Tolerance
from robot_sdk.testing.motion_page import MotionPage
from robot_sdk.testing.motion_plot import plot_motions
from robot_sdk.testing.motion_recording import MotionRecording
from robot_sdk.testing.simulated_robot import RobotEndedError
from robot_sdk.testing.used_recordings import UsedRecordings

OPTION = "--motion-update"
NAME = re.compile(r"\w[\w .-]{0,99}")
MAX_NAME_BYTES = 200
"""Of a name in UTF-8: file systems take 255, and a temporary file and a suffix are longer."""
COMMENT = (
    "Seconds; degrees and millimetres of head, body and antennas as measured; the degrees to which body, six legs, "
    f"right and left antenna were sent. To record them again: pytest {OPTION}"
)


@dataclass
class MotionFiles:
    """The recordings of the tests of one folder, as one test sees them."""

    folder: Path
    """Of the recordings; is made when the first one is."""
    output: Path
    """Of the test, for plots."""
    update: bool = False
    """Whether recordings that differ are made again."""
    may_record: bool = True
    """Whether a recording that is missing is made."""
    used: dict[Path, str] | UsedRecordings = field(default_factory=dict)
    """The recordings that the tests of this run have made or matched, and which test did first."""
    test: str = ""
    """The name of the test."""
    on_recorded: Callable[[Path], object] = str
    """Called with each recording that is made."""
    write_page: Callable[[MotionPage], object] | None = None
    """Writes a page with both motions as robots; None for none."""

    def check(self, name: str, measured: MotionRecording, tolerance: Tolerance, failure: str | None) -> None:
        """Compares a motion with the recording of this name, or makes the recording.

        Args:
            name: The name of the recording.
            measured: The motion.
            tolerance: How far they may be apart.
            failure: How the app has failed, so that its motion is not recorded; None when it has not.

        Raises:
            ValueError: The name cannot be that of a file.
            AssertionError: The motion differs, or there is no recording to compare with.
        """
        if NAME.fullmatch(name) is None or len(name.encode()) > MAX_NAME_BYTES:
            raise ValueError(
                f"the name of a motion is made of letters, digits, spaces and any of _.-, at most 100, not {name!r}"
            )
        path = self.folder / f"{name}.txt"
        # Of several tests that use one recording, also in several processes, only the first one renews it.
        is_renewed = self.update and path not in self.used and self.used.setdefault(path, self.test) == self.test
        try:
            self._compare(name, path, measured, tolerance, failure, is_renewed)
        except BaseException:
            if is_renewed:
                self.used.pop(path, None)
            raise

    def _compare(
        self,
        name: str,
        path: Path,
        measured: MotionRecording,
        tolerance: Tolerance,
        failure: str | None,
        is_renewed: bool,
    ) -> None:
        try:
            expected = MotionRecording.parse(path.read_text("utf-8-sig"))
        except FileNotFoundError:
            if not self.may_record and not self.update:
                raise AssertionError(
                    f"{path} is missing, and none is recorded where the variable CI is set: "
                    f"run pytest on your machine and commit the file"
                ) from None
            if self._write(path, measured, failure, is_new=True):
                return None
            # Another test has just made it.
            return self._compare(name, path, measured, tolerance, failure, False)
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError) and is_renewed:
                self._write(path, measured, failure)
                return None
            raise AssertionError(f"{path} cannot be read: {error}. To record it again: pytest {OPTION}") from None
        problems = _problems(measured, expected, tolerance)
        if problems and is_renewed:
            self._write(path, measured, failure)
            return None
        if problems:
            plot = self._plot(name, measured, expected, tolerance)
            differing = list(dict.fromkeys(each.name for each in measured.differences(expected, tolerance)))
            both = {"measured": measured, f"the recording {path.name}": expected}
            page = MotionPage(self.output / f"{name}.html", f"{name}: {self.test}", problems, both, differing)
            lines = [f"the motion differs from {path}", *(f"  {problem}" for problem in problems)]
            raise AssertionError("\n".join([*lines, plot, *self._page(page), self._advice(path)]))
        self.used.setdefault(path, self.test)
        return None

    def _write(self, path: Path, motion: MotionRecording, failure: str | None, *, is_new: bool = False) -> bool:
        """Writes the recording atomically: tests that run side by side read the old or the new one.

        Returns:
            Whether it was written. False when it is to be new and another test has written one.

        Raises:
            AssertionError: The app has failed, a value is not finite, or the file cannot be written.
        """
        not_finite = [name for name, values in motion.values.items() if not np.isfinite(values).all()]
        if failure is None and not_finite:
            failure = f"{', '.join(not_finite)} was measured as something that is no number"
        if failure is not None:
            raise AssertionError(f"the motion is not recorded in {path}: {failure}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
            try:
                with open(descriptor, "w", encoding="utf8", newline="\n") as file:  # noqa: PTH123
                    file.write(motion.to_text(COMMENT))
                Path(temporary).chmod(0o644)
                if not _place(Path(temporary), path, is_new):
                    return False
            finally:
                Path(temporary).unlink(missing_ok=True)
        except OSError as error:
            raise AssertionError(f"the motion cannot be recorded in {path}: {os.strerror(error.errno or 0)}") from None
        self.used.setdefault(path, self.test)
        self.on_recorded(path)
        return True

    def _plot(self, name: str, measured: MotionRecording, expected: MotionRecording, tolerance: Tolerance) -> str:
        path = self.output / f"{name}.svg"
        try:
            path.write_text(plot_motions(f"{name}: {self.test}", measured, expected, tolerance), "utf8")
        except OSError as error:
            return f"there is no plot, {path} cannot be written: {error.strerror}"
        return f"plot: {path}"

    def _page(self, page: MotionPage) -> list[str]:
        if self.write_page is None:
            return []
        try:
            self.write_page(page)
        except (ValueError, RobotEndedError) as error:
            return [f"there is no page: {error}"]
        return [f"both robots: {page.file}"]

    def _advice(self, path: Path) -> str:
        if path in self.used:
            return f"{self.used[path]} has this motion: give motions that differ different names"
        return f"if the new motion is the right one: pytest {OPTION}"


def _place(temporary: Path, path: Path, is_new: bool) -> bool:
    """Renames a file to `path`. Returns False, and does nothing, when it is to be new and `path` exists."""
    if is_new:
        try:
            os.link(temporary, path)
            return True
        except FileExistsError:
            return False
        except OSError:
            pass  # a file system without links: of two tests at the same moment, the later one replaces the file
    temporary.replace(path)
    return True


def _problems(measured: MotionRecording, expected: MotionRecording, tolerance: Tolerance) -> list[str]:
    problems = [str(difference) for difference in measured.differences(expected, tolerance)]
    if abs(measured.duration - expected.duration) > tolerance.seconds + EXACT_S:
        problems.append(f"it is {measured.duration:.2f} s long, the recording {expected.duration:.2f} s")
    return problems
