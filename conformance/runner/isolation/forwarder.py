"""Runs the app under bubblewrap, as the main process that the daemon starts, and forwards signals to it.

It exits with the app's exit code or signal. When the app has started, it appends to the record file: forwarder,
outer and inner bubblewrap process, app outside, app inside.

Arguments: bubblewrap, a file with its options (each ended by NUL), the record file, names of the environment
variables that the app inherits (separated by commas), folders as OUTSIDE=INSIDE, one a line, Python inside, its
arguments.

It waits for bubblewrap's outer process, which ends when the app's main process does; processes that the app leaves
behind live on below bubblewrap's inner process.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import fcntl
import os
import sys

FORWARDED = [
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCONT,
]
STOPPING = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)


def move_above_standard_streams(fd: int) -> int:
    """Moves a descriptor to a number that no standard stream has, also where those are closed."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD, 10)
    os.close(fd)
    return moved


def read_file(path: str) -> bytes:
    """Reads a file."""
    fd = move_above_standard_streams(os.open(path, os.O_RDONLY))
    with os.fdopen(fd, "rb") as file:
        return file.read()


def path_inside(path: str, folders: str) -> str:
    """A folder as the sandbox shows it."""
    for pair in folders.split("\n"):
        outer, inner = pair.split("=", 1)
        if path == outer or path.startswith(outer + "/"):
            return inner + path[len(outer) :]
    return "/"


def start(bubblewrap: str, options: bytes, command: list[str]) -> tuple[int, int]:
    """Starts bubblewrap. Returns its outer process, and the first one in the sandbox; 0 where there is none."""
    info, info_writer = map(move_above_standard_streams, os.pipe())
    options_reader, options_writer = map(move_above_standard_streams, os.pipe())
    os.write(options_writer, options)
    os.close(options_writer)
    for fd in (info_writer, options_reader):
        os.set_inheritable(fd, True)
    os.set_inheritable(info, False)
    whole = [bubblewrap, "--info-fd", str(info_writer), "--args", str(options_reader), "--", *command]
    ignored_by_python = [signal.SIGPIPE, signal.SIGXFSZ]
    outer = os.posix_spawn(
        bubblewrap, whole, {"PATH": "/usr/bin:/bin"}, setpgroup=0, setsigmask=[], setsigdef=ignored_by_python
    )
    os.close(info_writer)
    os.close(options_reader)
    text = b""
    while b"}" not in text:
        chunk = os.read(info, 4096)
        if not chunk:
            break
        text += chunk
    _, _, rest = text.partition(b'"child-pid":')
    return outer, int(rest.split(b",")[0].split(b"}")[0]) if rest else 0


def app_process_id(sandbox_init: int) -> int | None:
    """The app's process, seen from outside; None until it has started."""
    try:
        children = read_file("/proc/%d/task/%d/children" % (sandbox_init, sandbox_init)).split()
        return int(children[0]) if children else None
    except OSError:
        return None


def inner_id(pid: int) -> int:
    """The id that a process has inside; 0 when it has ended."""
    try:
        for line in read_file("/proc/%d/status" % pid).splitlines():
            if line.startswith(b"NSpid:"):
                return int(line.split()[-1])
    except OSError:
        pass
    return 0


def forward_until_exit(outer: int, sandbox_init: int, record: str) -> int:
    """Forwards signals until bubblewrap has ended. Returns its status as waitpid(2) gives it."""
    app: int | None = None
    pending: list[int] = []
    while True:
        if app is None and sandbox_init:
            app = app_process_id(sandbox_init)
            if app is not None:
                line = "%d %d %d %d %d\n" % (os.getpid(), outer, sandbox_init, app, inner_id(app))
                fd = move_above_standard_streams(os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
                os.write(fd, line.encode())
                os.close(fd)
        if app is not None:
            for number in pending:
                try:
                    os.kill(app, number)
                except OSError:
                    pass
            pending = []
        ended, status = os.waitpid(outer, os.WNOHANG)
        if ended:
            return status
        received = signal.sigtimedwait([*FORWARDED, signal.SIGCHLD], 0.002 if app is None else 3600)
        if received is not None and received.si_signo != signal.SIGCHLD:
            pending.append(received.si_signo)


def exit_as(status: int) -> None:
    """Exits as a process did: with its code, or by its signal, which bubblewrap reports as a code above 128."""
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    number = code - 128
    # Signals that stop a process end none: with such a number it is the app's exit code.
    if number > 0 and number not in STOPPING:
        if number != signal.SIGKILL:
            try:
                signal.signal(number, signal.SIG_DFL)
            except (OSError, ValueError):
                # There is no such signal.
                os._exit(code)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(code)


def main() -> None:
    """Runs the app to its end."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [*FORWARDED, signal.SIGCHLD])
    bubblewrap, options_file, record, inherited_variables, folders, python, *rest = sys.argv[1:]
    options = read_file(options_file)
    # Not from os.environ: where there is no locale, Python has set LC_CTYPE in it (PEP 538).
    given = dict(each.partition(b"=")[::2] for each in read_file("/proc/self/environ").split(b"\0"))
    for name in inherited_variables.split(","):
        if name.encode() in given:
            options += b"--setenv\0" + name.encode() + b"\0" + given[name.encode()] + b"\0"
    options += b"--chdir\0" + os.fsencode(path_inside(os.getcwd(), folders)) + b"\0"
    outer, sandbox_init = start(bubblewrap, options, [python, *rest])
    exit_as(forward_until_exit(outer, sandbox_init, record))


main()
