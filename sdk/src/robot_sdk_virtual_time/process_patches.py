"""Puts the virtual clock in place of the real one where other programs are waited for."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.positions import place_of
from robot_sdk_virtual_time.scheduler import Scheduler

PROGRAM_POLL_S = 0.02
"""Real seconds between two polls of a program that the app waits for."""


def patch_processes(scheduler: Scheduler, use_real_time: Callable[[str], None]) -> None:
    """Stops the clock while the app waits for another program; after a limit, the app continues in real time.

    A wait with a timeout, a poll of pipes, or a loop that looks whether the program has ended would otherwise use
    virtual time, which the other program does not know.
    """
    kind: Any = subprocess.Popen
    start, wait, communicate, poll = kind.__init__, kind.wait, kind.communicate, kind.poll

    def look_until(has_ended: Callable[[], object]) -> None:
        """Looks again and again; while the program works, that takes the app no time."""
        number = threading.get_native_id()
        scheduler.looking.add(number)
        try:
            while scheduler.is_member() and not scheduler.is_real and not has_ended():
                real_time.sleep(PROGRAM_POLL_S)
        finally:
            scheduler.looking.discard(number)

    def wait_meanwhile(program: Any) -> None:
        look_until(lambda: poll(program) is not None)

    def start_and_notice(program: Any, *args: Any, **kwargs: Any) -> None:
        if str(sys._getframe(1).f_globals.get("__name__")).startswith("asyncio."):
            use_real_time("starts another program with asyncio")
        start(program, *args, **kwargs)

    def wait_and_notice(program: Any, timeout: float | None = None) -> Any:
        if timeout is not None:
            wait_meanwhile(program)
        return wait(program, timeout)

    def poll_and_notice(program: Any) -> Any:
        # `subprocess` itself looks before it sends a signal.
        if sys._getframe(1).f_globals.get("__name__") != "subprocess":
            wait_meanwhile(program)
        return poll(program)

    def communicate_and_notice(program: Any, input: Any = None, timeout: float | None = None) -> Any:  # noqa: A002
        pipes = [pipe for pipe in (program.stdin, program.stdout, program.stderr) if pipe is not None]
        if input is not None and poll(program) is None:
            use_real_time(f"talks to the program {program.args!r} in {place_of(threading.get_ident())}")
        elif timeout is not None or len(pipes) > 1:
            wait_meanwhile(program)
        return communicate(program, input, timeout)

    if sys.platform != "win32":
        import _posixsubprocess

        fork_exec = _posixsubprocess.fork_exec

        def start_for_multiprocessing(*args: Any) -> int:
            use_real_time(f"starts another process in {place_of(threading.get_ident())}")
            return fork_exec(*args)

        # `subprocess` has a name of its own for it.
        _posixsubprocess.fork_exec = start_for_multiprocessing

        def looking(call: Callable[..., Any]) -> Callable[..., Any]:
            def call_and_notice(*args: int) -> Any:
                if not args[-1] & os.WNOHANG:
                    return call(*args)
                found: list[Any] = []

                def has_ended() -> bool:
                    found[:] = [call(*args)]
                    # `waitid` gives None, the others 0, when no program has ended.
                    return bool(found[0] and (not isinstance(found[0], tuple) or found[0][0] != 0))

                look_until(has_ended)
                return found[0] if found else call(*args)

            return call_and_notice

        changed: Any = os
        for name in ("waitpid", "wait3", "wait4", "waitid"):
            if hasattr(os, name):
                setattr(changed, name, looking(getattr(os, name)))
    kind.__init__, kind.wait, kind.communicate = start_and_notice, wait_and_notice, communicate_and_notice
    kind.poll = poll_and_notice
