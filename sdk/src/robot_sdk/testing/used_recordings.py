"""Which tests of a run use which recordings, also when they run in several processes."""

from __future__ import annotations

import contextlib
from hashlib import sha256
from pathlib import Path


class UsedRecordings:
    """The recordings that the tests of a run have made or matched, and which test did first: a file for each one."""

    def __init__(self, folder: Path) -> None:
        """`folder` is that of the run; is made when the first test uses a recording."""
        self._folder = folder

    def setdefault(self, recording: Path, test: str) -> str:
        """Names a test that uses a recording, unless there is one. Returns the one that there is now."""
        file = self._file(recording)
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError), file.open("x", encoding="utf8") as opened:
            opened.write(test)
            return test
        return self[recording]

    def pop(self, recording: Path, _default: None) -> None:
        """Forgets who uses a recording."""
        self._file(recording).unlink(missing_ok=True)

    def __contains__(self, recording: Path) -> bool:
        """Whether a test uses it."""
        return self._file(recording).exists()

    def __getitem__(self, recording: Path) -> str:
        """The test that uses it."""
        return self._file(recording).read_text("utf8")

    def _file(self, recording: Path) -> Path:
        return self._folder / sha256(str(recording).encode()).hexdigest()
