"""The module `sitecustomize`, which Python loads when it starts with its folder on PYTHONPATH.

It writes trace markers when the interpreter starts and when `run()` is entered and left, and raises an error in the
main thread at SIGUSR1. Only the test runs that need its details load it; in the others an app finds nothing of it.
"""

from __future__ import annotations

import os

MYPY = False
if MYPY:
    from collections.abc import Callable
    from types import FrameType, ModuleType
    from typing import Any

if "ROBOT_CERTIFY_TRACE" in os.environ:
    import functools
    import importlib.util
    import signal
    import sys
    import time

    TRACE_FILE, SECRET, ERROR_NAME, ERROR_TEXT, *PAIRS = os.environ.pop("ROBOT_CERTIFY_TRACE").split("\n")
    os.environ.pop("PYTHONPATH", None)
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(__file__)]

    # The base class of apps by the module that defines it.
    BASES = dict(pair.split("=") for pair in PAIRS)
    PROCESS_STARTS = {
        ("subprocess", "__init__"),
        ("subprocess", "_execute_child"),
        ("multiprocessing.process", "start"),
    }
    # What markers call the error, whose name is another one in each certification.
    ERROR_MARKER = "CertificationError"
    Injected = type(ERROR_NAME, (Exception,), {"__module__": "builtins"})

    def trace(what: str) -> None:
        """Writes a marker."""
        file = os.open(TRACE_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{SECRET} {time.time()} {os.getpid()} {what}\n".encode())
        os.close(file)

    def starts_process(frame: FrameType | None) -> bool:
        """Answers whether a process is being started."""
        while frame is not None:
            if (frame.f_globals.get("__name__"), frame.f_code.co_name) in PROCESS_STARTS:
                return True
            frame = frame.f_back
        return False

    def fail(_number: int, frame: FrameType | None) -> None:
        """Raises the error."""
        # The first one is still being handled: a second one would end a wait that the first has begun.
        if sys.exc_info()[0] is Injected:
            return
        # The app would have no handle of the process that is being started, and could not end it.
        if starts_process(frame):
            trace("postponed")
            return
        trace("injected")
        raise Injected(ERROR_TEXT)

    def traced(run: Callable[..., object]) -> Callable[..., None]:
        """A `run()` that writes markers."""

        @functools.wraps(run)
        def wrapper(self: Any, *args: object, **kwargs: object) -> None:
            # The run of a base class, called by that of the app, is part of it.
            if getattr(self, "_certified_run", False):
                return run(self, *args, **kwargs)  # type: ignore[return-value]
            self._certified_run = True
            trace("entered")
            try:
                run(self, *args, **kwargs)
            except BaseException as error:
                trace(f"raised {ERROR_MARKER if type(error) is Injected else type(error).__name__}")
                raise
            finally:
                self._certified_run = False
            trace("returned")
            return None

        return wrapper

    def watch(base: Any) -> None:
        """Traces the classes that extend a base class."""

        # By the class itself, so that it works whatever the app makes of wrapped_run().
        def subclassed(cls: Any, **options: object) -> None:
            super(base, cls).__init_subclass__(**options)
            if "run" in vars(cls):
                cls.run = traced(vars(cls)["run"])

        base.__init_subclass__ = classmethod(subclassed)  # type: ignore[arg-type]

    class Finder:
        """Has the base classes watched once they are imported."""

        def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
            """Finds a module that has a base class (importlib.abc.MetaPathFinder)."""
            if name not in BASES:
                return None
            sys.meta_path.remove(self)
            spec: Any = importlib.util.find_spec(name)
            sys.meta_path.insert(0, self)
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                watch(getattr(module, BASES[name]))

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
    # From the start of the interpreter, so that it works whatever the app makes of wrapped_run().
    signal.signal(signal.SIGUSR1, fail)
    trace("importing")
