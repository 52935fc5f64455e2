"""Lets a debugger attach to an app, as `robot-app-assistant dev --debug` asks for."""

import os
import socket
import sys

# An address such as 127.0.0.1:5678; unset where nobody wants to debug.
VARIABLE = "ROBOT_APP_DEBUG"


def listen_for_debugger() -> None:
    """Listens for an editor that speaks the debug adapter protocol, when ROBOT_APP_DEBUG names an address.

    The app does not wait for it. Without debugpy, or with an address that is in use, it says so and runs all the same.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return
    host, _, port = address.rpartition(":")
    # Otherwise it warns of Python's own frozen modules, at every start.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    try:
        import debugpy

        # debugpy would find a port in use in a thread, and print its traceback.
        socket.create_server((host or "127.0.0.1", int(port))).close()
        # No process of its own for the adapter, which would outlive the app.
        debugpy.listen((host or "127.0.0.1", int(port)), in_process_debug_adapter=True)
    except ImportError:
        print(f"{VARIABLE} needs debugpy: {sys.executable} -m pip install debugpy", file=sys.stderr)
    except (RuntimeError, OSError, OverflowError, ValueError) as error:
        print(f"no debugger can attach at {VARIABLE}={address}: {error}", file=sys.stderr)
    else:
        print(f"a debugger can attach at {address}", file=sys.stderr)
