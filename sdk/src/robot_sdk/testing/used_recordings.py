"""Which tests of a run use which recordings, also when they run in several processes."""

from __future__ import annotations

import contextlib
from hashlib import sha256
from pathlib import Path


class UsedRecordings:
    """The recordings that the tests of a run have made or matched, and which test was the first: one file for each.

    It has the methods of a dict of paths and names of tests that `MotionFiles` calls.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is that of the run; is made when the first test uses a recording."""
        self._folder = folder

    def setdefault(self, recording: Path, test: str) -> str:
        """Registers a test as the first one that uses a recording, unless one is registered. Returns the first one."""
        file = self._file(recording)
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError), file.open("x", encoding="utf8") as opened:
            opened.write(test)
            return test
        return self[recording]

    def pop(self, recording: Path, _default: None) -> None:
        """Removes the test that is registered for a recording."""
        self._file(recording).unlink(missing_ok=True)

    def __contains__(self, recording: Path) -> bool:
        """Whether a test is registered for it."""
        return self._file(recording).exists()

    def __getitem__(self, recording: Path) -> str:
        """The test that is registered for it. Raises FileNotFoundError when there is none."""
        return self._file(recording).read_text("utf8")

    def _file(self, recording: Path) -> Path:
        return self._folder / sha256(str(recording).encode()).hexdigest()
