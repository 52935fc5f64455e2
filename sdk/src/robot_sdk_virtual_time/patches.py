"""Puts the virtual clock in place of the real one in the modules that wait or tell the time."""

from __future__ import annotations

import _thread
import functools
import queue
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from robot_sdk_virtual_time.exchange import Exchange
from robot_sdk_virtual_time.failures import Failures
from robot_sdk_virtual_time.locks import VirtualLock, virtual_rlock
from robot_sdk_virtual_time.process_patches import patch_processes
from robot_sdk_virtual_time.scheduler import Scheduler
from robot_sdk_virtual_time.signal_patches import patch_signals
from robot_sdk_virtual_time.socket_patches import patch_sockets
from robot_sdk_virtual_time.time_patches import patch_datetime, patch_time


def install_patches(exchange: Exchange, failures: Failures, daemon_port: Callable[[], int]) -> None:
    """Replaces what waits and what tells the time, for all modules that are imported later.

    Args:
        exchange: With the virtual clock; the calling thread becomes the one that runs.
        failures: Is told of errors that end threads.
        daemon_port: Returns the port to connect to instead of the daemon's.
    """
    scheduler = exchange.scheduler
    scheduler.adopt_current()
    VirtualLock.scheduler = scheduler
    patch_time(scheduler)
    patch_datetime()
    _patch_threading(scheduler, failures)
    patch_sockets(exchange, daemon_port)
    patch_signals(scheduler, exchange.alarm)
    patch_processes(scheduler, exchange.use_real_time)


class JoinedThread:
    """A thread whose end another one waits for."""

    def __init__(self, thread: threading.Thread) -> None:
        self._thread = thread

    def blocked_by(self) -> int | None:
        """The number of the thread."""
        return self._thread.ident

    def is_held_by_block(self) -> bool:
        """Nobody else ends it."""
        return True


def _patch_threading(scheduler: Scheduler, failures: Failures) -> None:
    module: Any = threading
    module._time = time.monotonic
    module_of_queues: Any = queue
    module_of_queues.time = time.monotonic
    module.Lock = module._allocate_lock = VirtualLock
    module_of_functions: Any = functools
    module.RLock = module._CRLock = module_of_functions.RLock = virtual_rlock(module._PyRLock)
    module_of_queues.SimpleQueue = module_of_queues._PySimpleQueue
    for starts, name in (
        (module, "_start_joinable_thread"),
        (module, "_start_new_thread"),
        (_thread, "start_new_thread"),
    ):
        if hasattr(starts, name):
            setattr(starts, name, _start_in_turn(getattr(starts, name), scheduler, failures))
    join, shut_down = threading.Thread.join, module._shutdown
    ends: WeakKeyDictionary[threading.Thread, threading.Event] = WeakKeyDictionary()

    def end_of(thread: threading.Thread) -> threading.Event:
        return ends.setdefault(thread, threading.Event())

    def join_in_turn(thread: threading.Thread, timeout: float | None = None) -> None:
        if thread is not threading.current_thread() and thread.is_alive() and scheduler.is_member():
            ident = _thread.get_ident()
            if timeout is None:
                scheduler.waits_for[ident] = JoinedThread(thread)
            try:
                if not end_of(thread).wait(timeout):
                    return
            finally:
                scheduler.waits_for.pop(ident, None)
            timeout = None
        join(thread, timeout)

    def shut_down_in_turn() -> None:
        for thread in threading.enumerate():
            if not thread.daemon and thread not in (threading.main_thread(), threading.current_thread()):
                join_in_turn(thread)
        shut_down()

    module.Thread.join = join_in_turn
    module._shutdown = shut_down_in_turn
    bootstrap = module.Thread._bootstrap_inner

    def bootstrap_and_report(thread: threading.Thread) -> None:
        try:
            bootstrap(thread)
        finally:
            end_of(thread).set()

    module.Thread._bootstrap_inner = bootstrap_and_report


def _start_in_turn(start: Callable[..., object], scheduler: Scheduler, failures: Failures) -> Callable[..., object]:
    """Wraps a function of `_thread` that starts a thread; the new thread waits for its turn."""

    def start_in_turn(function: Callable[..., object], *args: Any, **options: Any) -> object:
        if scheduler.is_forked:
            return start(function, *args, **options)
        place = scheduler.new_thread()

        def run(*inner: object, **inner_options: object) -> None:
            scheduler.enter(place)
            try:
                function(*inner, **inner_options)
            except BaseException as error:
                # Those of `threading` end without an error.
                failures.note(f"thread {threading.current_thread().name}", error)
                raise
            finally:
                scheduler.leave()

        try:
            return start(run, *args, **options)
        except BaseException:
            scheduler.withdraw(place)
            raise

    return start_in_turn
