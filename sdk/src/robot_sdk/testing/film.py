"""What a film of a test may be."""

from __future__ import annotations

from pathlib import Path

from robot_sdk.testing.motion_difference import EXACT_S

SUFFIXES = (".png", ".apng", ".html")


def check_film(file: Path, start: float, end: float, now: float) -> None:
    """Rejects a film that cannot be drawn.

    Args:
        file: Where it is written; its suffix is the format.
        start: Seconds since the start of the app.
        end: Likewise.
        now: Likewise: the time to which the test has advanced.

    Raises:
        ValueError: There is no such format, or the times are not in order from 0 to now.
    """
    if file.suffix not in SUFFIXES:
        raise ValueError(f"a film ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, not {file.name!r}")
    if not 0 <= start <= end <= now + EXACT_S:
        raise ValueError(
            f"film takes two times from 0 to {now:.2f} s, the time to which the test has advanced, "
            f"not {start!r} and {end!r}"
        )
