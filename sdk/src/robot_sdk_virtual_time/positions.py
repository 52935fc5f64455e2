"""Where the app's threads and tasks stand, for messages."""

from __future__ import annotations

import linecache
import sys
import sysconfig
import threading
import traceback
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import FrameType

_SDK = Path(__file__).parents[1]


@lru_cache(maxsize=1)
def _library_folders() -> tuple[str, ...]:
    packages = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    own = [str(_SDK / name) for name in ("robot_sdk", "robot_sdk_virtual_time")]
    return tuple({f"{folder}/" for folder in [*packages, *own]} | {"<frozen ", f"{_SDK}/robot_sdk_startup.py"})


def is_of_app(file: str) -> bool:
    """Whether a source file is the app's, and not one of Python, of an installed package, or of the SDK."""
    return not file.startswith(_library_folders())


def place_of(thread: int | None) -> str:
    """File, line and function of the app where a thread is."""
    entries = _entries_of(sys._current_frames().get(thread or 0))
    for entry in entries[-1:]:
        return f"{entry.filename}:{entry.lineno} ({entry.name})"
    return "a thread that has ended"


def is_in_app(thread: int) -> bool:
    """Whether a thread runs a function of the app, or one that it has called."""
    return any(is_of_app(entry.filename) for entry in _entries_of(sys._current_frames().get(thread)))


def positions_of_threads() -> list[str]:
    """A line for each thread that runs a function of the app: the functions, and the line of the innermost one."""
    frames = sys._current_frames()
    found = []
    for thread in threading.enumerate():
        entries = [each for each in _entries_of(frames.get(thread.ident or 0)) if is_of_app(each.filename)]
        if entries:
            found.append(f"thread {thread.name}: {describe(entries)}")
    return found


def describe(entries: Iterable[traceback.FrameSummary]) -> str:
    """The places of functions that have called each other, and the source of the last one's line."""
    entries = list(entries)
    places = " > ".join(f"{Path(each.filename).name}:{each.lineno} ({each.name})" for each in entries)
    source = linecache.getline(entries[-1].filename, entries[-1].lineno or 0).strip()
    return f"{places}: {source}" if source else places


def _entries_of(frame: FrameType | None) -> list[traceback.FrameSummary]:
    """The functions of the app on a stack, the innermost one last; all functions when none is the app's."""
    entries = list(traceback.extract_stack(frame)) if frame is not None else []
    return [entry for entry in entries if is_of_app(entry.filename)] or entries
