"""Runs a tool as its child, and ends every process that descends from the tool before it exits itself.

Arguments: the process id of the parent, the command of the tool.

As a subreaper (prctl(2)) it becomes the parent of processes that leave their parent, their session and their
environment.

- SIGINT is passed to the tool, which cleans up; what still runs two seconds later is killed.
- SIGTERM kills everything at once. The system sends it when the parent is lost.
- When the tool has exited, the rest gets 0.2 s to end by itself, then SIGTERM, then SIGKILL.
- A tool without children waits for nobody but a process that a build left behind: that one is ended after 2 s.

It exits as the tool did. Where the system has no subreapers, it is replaced by the tool.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import contextlib
import os
import sys
import time

SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD}
PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
INTERRUPT_S, LEAVE_S, TERM_S, KILL_S, DETACHED_S, CHECK_S, POLL_S = 2, 0.2, 0.8, 5, 2, 1, 0.02


def become_subreaper() -> bool:
    """Answers whether the system has subreapers."""
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
        prctl(PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        return bool(prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def children_by_parent() -> dict[int, list[int]]:
    """The living children of all processes."""
    found: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        try:
            with open("/proc/" + name + "/stat", "rb") as file:
                stat = file.read()
            state, parent = stat[stat.rindex(b")") + 2 :].split()[:2]
        except (OSError, ValueError):
            continue
        if name.isdigit() and state not in b"ZX":
            found.setdefault(int(parent), []).append(int(name))
    return found


def process_tree(children: dict[int, list[int]], pid: int) -> list[int]:
    """A process and its descendants."""
    found, waiting = {pid: None}, [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)


def send(pids: list[int] | set[int], number: int) -> None:
    """Sends a signal; processes that have ended are no error."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def name_of(pid: int) -> str:
    """The beginning of a process's command."""
    try:
        with open("/proc/" + str(pid) + "/cmdline", "rb") as file:
            return " ".join(file.read().replace(b"\0", b" ").decode(errors="replace").split())[:100]
    except OSError:
        return ""


def run(command: list[str]) -> int | None:
    """Runs the tool to its end. Returns its status as waitpid(2) gives it; None when it cannot be ended."""
    now = time.monotonic
    ignored_by_python = [signal.SIGPIPE, signal.SIGXFSZ]
    try:
        tool = os.posix_spawnp(command[0], command, os.environ, setsigmask=[], setsigdef=ignored_by_python)
    except OSError as error:
        sys.exit("error: " + command[0] + " does not start: " + str(error.strerror))
    status: int | None = None
    term_at = kill_at = give_up_at = alone_since = None
    warned: set[int] = set()
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
            while pid != 0:
                if pid == tool:
                    status = code
                    term_at = now() + LEAVE_S
                    kill_at = min(kill_at or term_at + TERM_S, term_at + TERM_S)
                pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if term_at is not None and now() >= term_at:
            term_at = None
            send(process_tree(children_by_parent(), os.getpid())[1:], signal.SIGTERM)
        if kill_at is not None and now() >= kill_at:
            give_up_at = give_up_at or now() + KILL_S
            send(process_tree(children_by_parent(), os.getpid())[1:], signal.SIGKILL)
        if give_up_at is not None and now() >= give_up_at:
            return status
        if kill_at is None:
            children = children_by_parent()
            left = [pid for pid in children.get(os.getpid(), []) if pid != tool]
            detached = {each for pid in left for each in process_tree(children, pid)}
            if not detached or children.get(tool):
                alone_since = None
            elif alone_since is None:
                alone_since = now()
            elif now() >= alone_since + DETACHED_S:
                for pid in detached - warned:
                    what = "ended a process that the build left behind: " + str(pid) + " " + name_of(pid)
                    print(what, file=sys.stderr, flush=True)
                send(detached - warned, signal.SIGTERM)
                send(detached & warned, signal.SIGKILL)
                warned |= detached
        received = signal.sigtimedwait(SIGNALS, CHECK_S if kill_at is None else POLL_S)
        number = received.si_signo if received else None
        if number == signal.SIGTERM:
            kill_at = now()
        elif number == signal.SIGINT:
            if status is None:
                send([tool], signal.SIGINT)
            kill_at = kill_at or now() + INTERRUPT_S


def main() -> None:
    """Runs the tool, unless the parent is lost already, and exits as it did."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if not become_subreaper():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.execvp(command[0], command)
    if os.getppid() != parent:
        return
    status = run(command)
    if status is None:
        sys.exit(1)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.kill(os.getpid(), number)
    sys.exit(os.WEXITSTATUS(status))


main()
