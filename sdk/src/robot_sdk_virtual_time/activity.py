"""What the process of the app does, as the operating system sees it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Set
from pathlib import Path

TASKS = Path("/proc/self/task")
RUNNABLE = ("R", "D")
"""States of threads that run, wait for a processor, or for a disk."""


def is_a_thread_running(besides: Set[int] = frozenset()) -> bool:
    """Whether another thread of this process runs or waits for a processor; arguments as of `is_anything_runnable`."""
    return any(_state_of(task) == "R" for task in _other_threads(besides))


def is_anything_runnable(besides: Set[int] = frozenset()) -> bool:
    """Whether another thread of this process, or a program that it has started, runs or could run.

    A thread that waits for a processor of a loaded machine, or for a disk, makes no progress but is not idle.
    Always False on an operating system without /proc.

    Args:
        besides: Native numbers of threads that do not count. The calling thread does not count either.
    """
    return any(_state_of(task) in RUNNABLE for task in _other_threads(besides)) or any(
        _state_of(program) in RUNNABLE for task in _tasks() for program in _started_by(task)
    )


def _other_threads(besides: Set[int]) -> list[Path]:
    own = {str(number) for number in (threading.get_native_id(), *besides)}
    return [task for task in _tasks() if task.name not in own]


def _tasks() -> list[Path]:
    try:
        return list(TASKS.iterdir())
    except OSError:
        return []


def _state_of(task: Path) -> str:
    """The letter of the state of a thread or program, as in `RUNNABLE`; empty when it has ended."""
    try:
        return (task / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def _started_by(task: Path) -> Iterator[Path]:
    """The folders in /proc of the programs that a thread has started, and of those that they have started in turn."""
    try:
        numbers = (task / "children").read_text("ascii").split()
    except OSError:
        return
    for number in numbers:
        program = Path("/proc", number)
        yield program
        yield from _started_by(program / "task" / number)
