"""The daemon starts `python -u -m <app_name>.main` ahead of time.

A `.pth` file, which the daemon writes, calls `wait_for_start` before Python runs the app. Arguments, environment,
streams, signals and exit code are therefore those of a normal start.
"""

import contextlib
import importlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

# The number of the pipe on which to wait, then modules to import: `3,robot_sdk,robot_sdk.utils`.
VARIABLE = "ROBOT_APP_WARM_START"
# What `ps` shows meanwhile, as far as the command line of the app has room for it.
TITLE = b"robot-daemon: Python for the next start of an app"


def wait_for_start() -> None:
    """Imports modules, then waits for a byte on the pipe. Ends the process when the daemon closes the pipe instead."""
    pipe, *modules = os.environ.pop(VARIABLE).split(",")
    with _command_line(TITLE):
        for module in modules:
            try:
                importlib.import_module(module)
            except Exception:  # The app imports it again, and reports why it cannot.
                break
        with open(int(pipe), "rb", buffering=0) as start:  # noqa: PTH123 - it is a descriptor, not a path
            is_started = start.read(1)
        if not is_started:
            os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def _command_line(title: bytes) -> Iterator[None]:
    """Shows another command line in `ps`, so that nobody takes this process for an app that runs. Only on Linux."""
    shown = None
    with contextlib.suppress(OSError, ValueError, IndexError):
        # Fields 48 and 49: where the arguments begin and end in memory. The second one, a name, may contain spaces.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        begin, end = int(fields[45]), int(fields[46])
        shown = begin, _replace(begin, title[: end - begin - 1].ljust(end - begin, b"\0"))
    yield
    if shown is not None:
        _replace(*shown)


def _replace(address: int, text: bytes) -> bytes:
    with open("/proc/self/mem", "r+b", buffering=0) as memory:  # noqa: PTH123 - unbuffered
        memory.seek(address)
        before = memory.read(len(text))
        memory.seek(address)
        memory.write(text)
    return before
