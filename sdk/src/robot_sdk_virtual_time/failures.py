"""Notices errors that end threads, tasks and callbacks of the app and that nobody handles: they fail the test."""

from __future__ import annotations

import atexit
import sys
import threading
import traceback
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

from robot_sdk_virtual_time.exchange import Exchange
from robot_sdk_virtual_time.positions import describe, is_in_app, is_of_app, place_of

UNREAD_S = 1.0
"""Seconds of its time that the app has to read the result of a task or a future that has failed."""
JOB = "a future"
ENDS = ("StopRequestedError", "DaemonLostError")
"""Errors of robot_sdk that end a thread of an app that is stopped: they are no failure."""


class Failures:
    """The errors of the app that nobody handles, each of which the test gets once."""

    def __init__(self, exchange: Exchange) -> None:
        """Nothing has failed yet."""
        self._exchange = exchange
        self._tasks: weakref.WeakSet[Any] = weakref.WeakSet()
        self._unread: list[tuple[float, str, Any]] = []
        self.is_stopped = False
        """Whether the test stops the app: from then on, only errors in the app's own functions count."""

    def note(self, name: str, error: BaseException) -> None:
        """Tells the test that an error has ended a thread, task or callback of this name."""
        errors = sys.modules.get("robot_sdk.errors")
        if isinstance(error, (SystemExit, *(getattr(errors, each) for each in ENDS if errors is not None))):
            return
        report = traceback.TracebackException.from_exception(error)
        own = [at for at, entry in enumerate(report.stack) if is_of_app(entry.filename)]
        if self.is_stopped and not own:
            return
        del report.stack[: own[0] if own else 0]
        self._exchange.fail(f"{name} of the app has failed:\n{''.join(report.format()).rstrip()}")

    def note_not_awaited(self, name: str) -> None:
        """Tells the test that the app has called a coroutine function without `await`."""
        thread = threading.get_ident()
        if is_in_app(thread):
            self._exchange.fail(f"the coroutine {name} is not awaited in {place_of(thread)}: write await before it")

    def watch_task(self, task: Any) -> None:
        """Notes the error of a task of asyncio that the app keeps and does not await."""
        self._tasks.add(task)

    def watch_result(self, name: str, result: Any) -> None:
        """Notes the error of a result that the app does not read. Its attribute `was_read` says whether it has."""
        self._unread.append((self._exchange.scheduler.now, name, result))

    def look(self, least_age: float = UNREAD_S) -> None:
        """Notes the errors that nobody has read, those that are at least so many seconds old.

        Called by the controlling thread while no other thread runs, and at the end of the process.
        """
        now = self._exchange.scheduler.now
        for task in [each for each in self._tasks if each.done()]:
            self._tasks.discard(task)
            if task._log_traceback:
                self._unread.append((now, name_of(task), task))
        waiting, self._unread = self._unread, []
        for since, name, result in waiting:
            if not is_unread(result):
                continue
            if now < since + least_age:
                self._unread.append((since, name, result))
                continue
            error = error_of(result)
            if error is not None:
                self.note(f"{name} (nobody has read its result)", error)

    def positions_of_tasks(self) -> list[str]:
        """A line for each task of asyncio that waits: where it stands."""
        found = []
        for task in [each for each in self._tasks if not each.done() and hasattr(each, "get_stack")]:
            frames = [
                traceback.FrameSummary(each.f_code.co_filename, each.f_lineno, each.f_code.co_name)
                for each in task.get_stack()
            ]
            own = [each for each in frames if is_of_app(each.filename)]
            if own:
                found.append(f"task {task.get_name()}: {describe(own)}")
        return found


def name_of(task: Any) -> str:
    """What a task of asyncio, or a future, is called in messages."""
    return f"task {task.get_name()}" if hasattr(task, "get_name") else JOB


def is_unread(result: Any) -> bool:
    """Whether a task or a future has an error that nobody has read."""
    return bool(result._log_traceback if hasattr(result, "_log_traceback") else not getattr(result, "was_read", False))


def error_of(result: Any) -> BaseException | None:
    """The error of a task or result, which counts as read from now on."""
    error: BaseException | None = result._exception
    if hasattr(result, "_log_traceback"):
        result._log_traceback = False
    else:
        result.was_read = True
    return error


_failures: Failures | None = None


def notice_failures(exchange: Exchange) -> Failures:
    """Notices from now on, also in modules that are imported later.

    Returns:
        What has to be asked regularly for errors that nobody has read.
    """
    global _failures
    _failures = failures = Failures(exchange)
    # At the end, after everything that the app registers.
    atexit.register(failures.look, 0.0)
    _adapt_threads(failures)
    _adapt_warnings(failures)
    import robot_sdk_startup

    for name in ADAPTED:
        if name in sys.modules:
            adapt(sys.modules[name])
        else:
            robot_sdk_startup.ADAPTERS[name] = __name__
    return failures


def adapt(module: ModuleType) -> None:
    """Called with a module of `ADAPTED` once it was imported."""
    if _failures is not None:
        ADAPTED[module.__name__](module, _failures)


def _adapt_threads(failures: Failures) -> None:
    module: Any = threading
    make = module._make_invoke_excepthook

    def make_noting() -> Callable[[threading.Thread], None]:
        invoke = make()

        def note_and_invoke(thread: threading.Thread) -> None:
            error = sys.exc_info()[1]
            if error is not None:
                failures.note(f"thread {thread.name}", error)
            invoke(thread)

        return note_and_invoke

    module._make_invoke_excepthook = make_noting


def _adapt_warnings(failures: Failures) -> None:
    import warnings

    module: Any = warnings
    warn = module._warn_unawaited_coroutine

    def note_and_warn(coroutine: Any) -> None:
        warn(coroutine)
        failures.note_not_awaited(coroutine.__qualname__)

    module._warn_unawaited_coroutine = note_and_warn


def _adapt_loops(module: Any, failures: Failures) -> None:
    loop = module.BaseEventLoop
    handle = loop.call_exception_handler

    def note_and_handle(self: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        what = next((context[name] for name in ("task", "future", "handle") if name in context), None)
        if error is not None and what is not None:
            failures.note(repr(what) if "handle" in context else name_of(what), error)
        handle(self, context)

    loop.call_exception_handler = note_and_handle
    for name in ("create_task", "run_in_executor"):
        setattr(loop, name, _watching(getattr(loop, name), failures))


def _watching(create: Callable[..., Any], failures: Failures) -> Callable[..., Any]:
    """Wraps a method of a loop that returns a task or future."""

    def create_and_watch(self: Any, *args: Any, **options: Any) -> Any:
        task = create(self, *args, **options)
        failures.watch_task(task)
        return task

    return create_and_watch


def _adapt_futures(module: Any, failures: Failures) -> None:
    kind = module.Future
    set_exception = kind.set_exception

    def set_and_watch(future: Any, error: BaseException) -> None:
        # Watched before, because callbacks of the future may read it.
        failures.watch_result(JOB, future)
        set_exception(future, error)

    kind.set_exception = set_and_watch
    for name in ("result", "exception"):
        setattr(kind, name, _marking_as_read(getattr(kind, name)))


def _marking_as_read(read: Callable[..., Any]) -> Callable[..., Any]:
    def read_and_mark(future: Any, *args: Any, **options: Any) -> Any:
        try:
            return read(future, *args, **options)
        finally:
            future.was_read = future.done()

    return read_and_mark


def _adapt_callbacks(module: Any, failures: Failures) -> None:
    add = module.Callbacks.add

    def add_noting(self: Any, listener: Callable[[Any], object]) -> Callable[[], None]:
        def listen(value: Any) -> object:
            try:
                return listener(value)
            except Exception as error:
                failures.note(f"a callback of {self._name}", error)
                raise

        remove: Callable[[], None] = add(self, listen)
        return remove

    module.Callbacks.add = add_noting


ADAPTED: dict[str, Callable[[Any, Failures], None]] = {
    "asyncio.base_events": _adapt_loops,
    "concurrent.futures._base": _adapt_futures,
    "robot_sdk.connection.callbacks": _adapt_callbacks,
}
