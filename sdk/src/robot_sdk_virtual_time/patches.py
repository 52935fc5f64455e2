"""Puts the virtual clock in place of the real one in the modules that wait or tell the time."""

from __future__ import annotations

import queue
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.channel import place_of
from robot_sdk_virtual_time.locks import VirtualLock
from robot_sdk_virtual_time.scheduler import EPOCH, Scheduler, Waiter

NS = 1_000_000_000


def install(scheduler: Scheduler, on_outside: Callable[[str], None], ports: dict[int, int]) -> None:
    """Replaces what waits and what tells the time, for all modules that are imported later.

    Args:
        scheduler: The virtual clock; the calling thread becomes the one that runs.
        on_outside: Called with a sentence when the app waits for something outside of the test.
        ports: Gets the ports that the app asks for, and the free ones that it gets, so that tests run side by side.
    """
    scheduler.adopt_current()
    VirtualLock.scheduler = scheduler
    _replace_clock(scheduler)
    _replace_threads(scheduler)
    _replace_polls(scheduler, on_outside, ports)
    _replace_ports(ports)
    _replace_signals(scheduler)
    _notice_programs(on_outside)


def _replace_clock(scheduler: Scheduler) -> None:
    def sleep(seconds: float) -> None:
        if not seconds >= 0:
            raise ValueError("sleep length must be non-negative")
        if not scheduler.is_member():
            real_time.sleep(seconds)
        elif seconds == 0:
            scheduler.pause()
        else:
            scheduler.park(Waiter(scheduler.deadline(seconds)))

    def now() -> float:
        scheduler.look()
        return scheduler.now

    def now_ns() -> int:
        return round(now() * NS)

    clock: Any = time
    clock.sleep = sleep
    clock.monotonic = clock.perf_counter = now
    clock.monotonic_ns = clock.perf_counter_ns = now_ns
    clock.time = lambda: EPOCH + now()
    clock.time_ns = lambda: round(EPOCH) * NS + now_ns()


def _replace_threads(scheduler: Scheduler) -> None:
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


def _replace_polls(scheduler: Scheduler, on_outside: Callable[[str], None], ports: dict[int, int]) -> None:
    def wait_until(is_ready: Callable[[], bool], timeout: float | None) -> bool:
        return is_ready() or scheduler.park(Waiter(scheduler.deadline(timeout), is_ready))

    for name in ("SelectSelector", "PollSelector", "EpollSelector", "KqueueSelector", "DevpollSelector"):
        kind = getattr(selectors, name, None)
        if kind is not None:
            _replace_select(kind, scheduler)
    readable = select.select

    def select_in_turn(reads: Any, writes: Any, errors: Any, timeout: float | None = None) -> Any:
        if not scheduler.is_member() or (timeout is not None and timeout <= 0):
            scheduler.look()
            return readable(reads, writes, errors, timeout)
        wait_until(lambda: any(readable(reads, writes, errors, 0)), timeout)
        return readable(reads, writes, errors, 0)

    module: Any = select
    module.select = select_in_turn

    def is_readable(end: socket.socket) -> bool:
        try:
            return bool(readable([end], [], [], 0)[0])
        except (OSError, ValueError):
            return True  # closed: the call says so

    def in_turn(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(end: socket.socket, *args: Any, **kwargs: Any) -> Any:
            timeout = end.gettimeout()
            if timeout != 0 and scheduler.is_member() and not wait_until(lambda: is_readable(end), timeout):
                raise TimeoutError("timed out")
            return method(end, *args, **kwargs)

        return call

    sockets: Any = socket.socket
    for name in ("recv", "recv_into", "recvfrom", "recvmsg", "accept"):
        setattr(sockets, name, in_turn(getattr(sockets, name)))

    def outside(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(end: socket.socket, address: Any) -> Any:
            if end.family == getattr(socket, "AF_UNIX", None):
                return method(end, address)
            if address[0] in ("127.0.0.1", "localhost", "::1") and address[1] in (*ports, *ports.values()):
                return method(end, (address[0], ports.get(address[1], address[1]), *address[2:]))  # the app itself
            on_outside(f"connects to {address[0]}:{address[1]}")
            return method(end, address)

        return call

    for name in ("connect", "connect_ex"):
        setattr(sockets, name, outside(getattr(sockets, name)))


def _replace_ports(ports: dict[int, int]) -> None:
    kind: Any = socket.socket
    bind = kind.bind

    def bind_to_free_port(end: socket.socket, address: Any) -> None:
        if end.family not in (socket.AF_INET, socket.AF_INET6) or end.type != socket.SOCK_STREAM:
            bind(end, address)
            return
        bind(end, ("127.0.0.1" if end.family == socket.AF_INET else "::1", 0, *address[2:]))
        ports[address[1]] = end.getsockname()[1]

    kind.bind = bind_to_free_port


def _replace_select(kind: Any, scheduler: Scheduler) -> None:
    original = kind.select

    def select_in_turn(selector: Any, timeout: float | None = None) -> Any:
        events = original(selector, 0)
        if timeout is not None and timeout <= 0:
            scheduler.look()
        elif scheduler.is_member() and not events:
            scheduler.park(Waiter(scheduler.deadline(timeout), lambda: bool(original(selector, 0))))
            return original(selector, 0)
        elif not scheduler.is_member():
            return original(selector, timeout)
        return events

    kind.select = select_in_turn


def _replace_signals(scheduler: Scheduler) -> None:
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


def _notice_programs(on_outside: Callable[[str], None]) -> None:
    """Waiting for another program with a timeout, or by looking at its pipes, would take it no time."""
    kind: Any = subprocess.Popen
    start, wait, communicate = kind.__init__, kind.wait, kind.communicate

    def notice(program: Any) -> None:
        on_outside(f"waits for the program {program.args!r} in {place_of(threading.get_ident())}")

    def start_and_notice(program: Any, *args: Any, **kwargs: Any) -> None:
        if str(sys._getframe(1).f_globals.get("__name__")).startswith("asyncio."):
            on_outside("starts another program with asyncio")
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
