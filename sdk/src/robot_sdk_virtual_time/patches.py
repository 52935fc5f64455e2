"""Puts the virtual clock in place of the real one in the modules that wait or tell the time."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.connection_to_test import place_of
from robot_sdk_virtual_time.locks import VirtualLock
from robot_sdk_virtual_time.scheduler import START_UNIX_TIME, Scheduler, WaitingThread
from robot_sdk_virtual_time.socket_patches import patch_bind, patch_sockets

NS = 1_000_000_000


def install_patches(scheduler: Scheduler, use_real_time: Callable[[str], None], ports: dict[int, int]) -> None:
    """Replaces what waits and what tells the time, for all modules that are imported later.

    Args:
        scheduler: The virtual clock; the calling thread becomes the one that runs.
        use_real_time: Called with a sentence when the app waits for something outside of the test.
        ports: Gets the ports that the app asks for, and the free ones that it gets, so that tests run side by side.
    """
    scheduler.adopt_current()
    VirtualLock.scheduler = scheduler
    _patch_time(scheduler)
    _patch_threading(scheduler)
    patch_sockets(scheduler, use_real_time, ports)
    patch_bind(ports)
    _patch_signal(scheduler)
    _patch_subprocess(use_real_time)


def _patch_time(scheduler: Scheduler) -> None:
    def sleep(seconds: float) -> None:
        if not seconds >= 0:
            raise ValueError("sleep length must be non-negative")
        if not scheduler.is_member():
            real_time.sleep(seconds)
        elif seconds == 0:
            scheduler.pause()
        else:
            scheduler.park(WaitingThread(scheduler.deadline(seconds)))

    def now() -> float:
        scheduler.look()
        return scheduler.now

    def now_ns() -> int:
        return round(now() * NS)

    def unix_time() -> float:
        return START_UNIX_TIME + now()

    def unix_time_ns() -> int:
        return round(START_UNIX_TIME) * NS + now_ns()

    clock: Any = time
    clock.sleep = sleep
    clock.monotonic = clock.perf_counter = now
    clock.monotonic_ns = clock.perf_counter_ns = now_ns
    clock.time, clock.time_ns = unix_time, unix_time_ns
    # By these names `pickle` hands them to another process, where they are the real ones.
    for name in ("sleep", "monotonic", "monotonic_ns", "time", "time_ns"):
        function = getattr(clock, name)
        function.__module__, function.__qualname__ = "time", name


def _patch_threading(scheduler: Scheduler) -> None:
    module: Any = threading
    module._time = time.monotonic
    module_of_queues: Any = queue
    module_of_queues.time = time.monotonic
    module.Lock = module._allocate_lock = VirtualLock
    module._CRLock = None
    module_of_queues.SimpleQueue = module_of_queues._PySimpleQueue
    name = "_start_joinable_thread" if hasattr(module, "_start_joinable_thread") else "_start_new_thread"
    start = getattr(module, name)

    def start_in_turn(function: Callable[..., object], *args: object, **kwargs: object) -> object:
        if scheduler.is_forked:
            return start(function, *args, **kwargs)
        place = scheduler.new_thread()

        def run(*inner: object, **inner_kwargs: object) -> None:
            scheduler.enter(place)
            try:
                function(*inner, **inner_kwargs)
            finally:
                scheduler.leave()

        return start(run, *args, **kwargs)

    setattr(module, name, start_in_turn)
    join, shut_down = threading.Thread.join, module._shutdown
    ends: WeakKeyDictionary[threading.Thread, threading.Event] = WeakKeyDictionary()

    def end_of(thread: threading.Thread) -> threading.Event:
        return ends.setdefault(thread, threading.Event())

    def join_in_turn(thread: threading.Thread, timeout: float | None = None) -> None:
        if thread is not threading.current_thread() and thread.is_alive() and scheduler.is_member():
            if not end_of(thread).wait(timeout):
                return
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


def _patch_signal(scheduler: Scheduler) -> None:
    original = signal.signal

    def in_turn(handler: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], object]:
        def handle(number: int, frame: FrameType | None) -> None:
            handler(number, frame)
            scheduler.end_signal()

        handle.original = handler  # type: ignore[attr-defined]
        return handle

    def set_handler(number: int, handler: Any) -> Any:
        previous = original(number, in_turn(handler) if callable(handler) else handler)
        return getattr(previous, "original", previous)

    get_handler = signal.getsignal
    changed: Any = signal
    changed.signal = set_handler
    changed.getsignal = lambda number: getattr(get_handler(number), "original", get_handler(number))
    changed.siginterrupt = lambda _number, _flag: None  # A signal has to interrupt the waiting main thread.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _patch_subprocess(use_real_time: Callable[[str], None]) -> None:
    """Waiting for another program with a timeout, or by looking at its pipes, would take it no time."""
    kind: Any = subprocess.Popen
    start, wait, communicate = kind.__init__, kind.wait, kind.communicate

    def notice(program: Any) -> None:
        use_real_time(f"waits for the program {program.args!r} in {place_of(threading.get_ident())}")

    def start_and_notice(program: Any, *args: Any, **kwargs: Any) -> None:
        if str(sys._getframe(1).f_globals.get("__name__")).startswith("asyncio."):
            use_real_time("starts another program with asyncio")
        start(program, *args, **kwargs)

    def wait_and_notice(program: Any, timeout: float | None = None) -> Any:
        if timeout is not None and program.poll() is None:
            notice(program)
        return wait(program, timeout)

    def communicate_and_notice(program: Any, input: Any = None, timeout: float | None = None) -> Any:  # noqa: A002
        pipes = [pipe for pipe in (program.stdin, program.stdout, program.stderr) if pipe is not None]
        if (timeout is not None or len(pipes) > 1) and program.poll() is None:
            notice(program)
        return communicate(program, input, timeout)

    kind.__init__, kind.wait, kind.communicate = start_and_notice, wait_and_notice, communicate_and_notice
