"""The daemon starts `python -u -m <app_name>.main` ahead of time.

A `.pth` file, which the daemon writes, calls `wait_for_start` before Python runs the app. Arguments, environment,
streams, signals and exit code are therefore those of a normal start.
"""

import importlib
import os
import signal

# The number of the pipe on which to wait, then modules to import: `3,robot_sdk,robot_sdk.utils`.
VARIABLE = "ROBOT_APP_WARM_START"


def wait_for_start() -> None:
    """Imports modules, then waits for a byte on the pipe. Ends the process when the daemon closes the pipe instead."""
    pipe, *modules = os.environ.pop(VARIABLE).split(",")
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
