"""Imports a module under an audit hook and reports its side effects.

The hook: https://docs.python.org/3/library/audit_events.html.

A side effect counts when the innermost module that is being executed is the app's: what a library does while the
library is imported does not. The arguments are those of `check`; the last one is a line of standard input.
"""

import _thread
import importlib
import inspect
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


def check(
    module: str,
    class_name: str,
    report: str,
    app_module: str,
    app_class_name: str,
    own_server: str,
    modules: str,
    secret: str,
) -> None:
    """Writes the report and ends the process.

    Args:
        module: What is imported.
        class_name: The app's class in it.
        report: The file of the report.
        app_module: The SDK's module with the base class.
        app_class_name: The base class.
        own_server: The attribute of an app that serves its page itself; empty without one.
        modules: The packages and modules that are the app's, separated by commas.
        secret: A word in the report, which the app does not know.
    """
    # Here, where the app does not reach them by a name.
    events = {
        "socket.bind": "listens on a port",
        "socket.connect": "opens a connection",
        "socket.sendto": "sends a packet",
        "subprocess.Popen": "starts a process",
        "os.system": "starts a process",
        "os.fork": "forks",
        "os.forkpty": "forks",
        "os.posix_spawn": "starts a process",
        "os.exec": "replaces its process",
        "os.remove": "deletes a file",
        "os.rename": "renames a file",
        "os.mkdir": "makes a folder",
        "os.rmdir": "removes a folder",
        "os.chdir": "changes the working folder",
        "os.symlink": "makes a link",
        "os.link": "makes a link",
        "os.truncate": "shortens a file",
        "os.chmod": "changes the rights of a file",
        "sqlite3.connect": "opens a database",
    }
    events_with_path = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "sqlite3.connect")
    folders = tuple(os.sep + name + os.sep for name in modules.split(","))
    files = tuple(os.sep + name + ".py" for name in modules.split(","))
    writing, no_file, frame_at = os.O_WRONLY | os.O_RDWR | os.O_CREAT, os.devnull, sys._getframe
    # Bound before the import, because the app may replace them.
    to_json, write_to, open_file, leave = json.dumps, os.write, os.open, os._exit

    def to_text(path: object) -> str:
        if isinstance(path, bytes):
            return path.decode(errors="replace")
        # A descriptor stands for a file that was opened before.
        return "" if isinstance(path, int) else str(path)

    effects: list[dict[str, object]] = []

    def record_effect(what: str, detail: str = "") -> None:
        frame: FrameType | None = frame_at(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if frame.f_code.co_name == "<module>" and not file.startswith("<frozen"):
                ends = [len(file) - len(name) for name in files if file.endswith(name)]
                start = max([file.rfind(folder) for folder in folders] + ends)
                if start >= 0:
                    effects.append({"what": what + detail, "file": file[start + 1 :], "line": frame.f_lineno})
                return
            frame = frame.f_back

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in events:
            path = to_text(args[0]) if event in events_with_path else ""
            if "__pycache__" not in path:
                record_effect(events[event], path and f": {path}")
        elif event == "open" and isinstance(args[2], int) and args[2] & writing:
            path = to_text(args[0])
            if path and "__pycache__" not in path and path != no_file:
                record_effect(f"writes {path}")

    def recording(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*args: object, **kwargs: object) -> object:
            record_effect(what)
            return function(*args, **kwargs)

        return recorded

    # These raise no audit events.
    owners: list[tuple[Any, str, str]] = [
        (threading.Thread, "start", "starts a thread"),
        (_thread, "start_new_thread", "starts a thread"),
        (_thread, "start_new", "starts a thread"),
        (_thread, "start_joinable_thread", "starts a thread"),
        (signal, "signal", "handles a signal"),
    ]
    for owner, name, what in owners:
        if hasattr(owner, name):
            setattr(owner, name, recording(what, getattr(owner, name)))
    sys.addaudithook(hook)
    error = app_class = None
    try:
        imported = importlib.import_module(module)
    except BaseException as problem:
        error = f"{type(problem).__name__}: {problem}"
    count = len(effects)

    def describe(app: Any) -> dict[str, object]:
        base = getattr(importlib.import_module(app_module), app_class_name)
        run = getattr(app, "run", None)
        url = getattr(app, "custom_app_url", None)

        def accepts(*args: object) -> bool:
            try:
                inspect.signature(run).bind(*args)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                return False
            return True

        return {
            "extendsRobotApp": isinstance(app, type) and issubclass(app, base),
            "runIsAsync": inspect.iscoroutinefunction(run),
            "runAccepts": callable(run) and accepts(None, None, None),
            "servesItself": own_server != "" and bool(getattr(app, own_server, False)),
            "customAppUrl": url if url is None or isinstance(url, str) else repr(url),
        }

    if error is None and hasattr(imported, class_name):
        app_class = describe(getattr(imported, class_name))
    result = to_json({"secret": secret, "error": error, "effects": effects[:count], "appClass": app_class})
    write_to(open_file(report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), result.encode())
    leave(0)


arguments: list[Any] = [*sys.argv[1:], sys.stdin.readline().strip()]
check_it, sys.argv[1:] = check, []
del check
check_it(*(arguments.pop(0) for _ in range(8)))
