"""What the process of the app does, as the operating system sees it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Set
from pathlib import Path

TASKS = Path("/proc/self/task")
RUNNABLE = ("R", "D")
"""States of threads that run, wait for a processor, or for a disk."""


def is_anything_runnable(besides: Set[int] = frozenset()) -> bool:
    """Whether another thread of this process, or a program that it has started, could go on by itself.

    It does not on a loaded machine, where it waits for a processor. False where that cannot be seen.

    Args:
        besides: Native numbers of threads that do not count, nor does the calling one.
    """
    own = {str(number) for number in (threading.get_native_id(), *besides)}
    try:
        tasks = list(TASKS.iterdir())
    except OSError:
        return False
    return any(_state_of(task) in RUNNABLE for task in tasks if task.name not in own) or any(
        _state_of(program) in RUNNABLE for task in tasks for program in _started_by(task)
    )


def _state_of(task: Path) -> str:
    try:
        return (task / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""  # it has ended


def _started_by(task: Path) -> Iterator[Path]:
    try:
        numbers = (task / "children").read_text("ascii").split()
    except OSError:
        return
    for number in numbers:
        program = Path("/proc", number)
        yield program
        yield from _started_by(program / "task" / number)
