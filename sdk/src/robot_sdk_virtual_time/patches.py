"""Puts the virtual clock in place of the real one in the modules that wait or tell the time."""

from __future__ import annotations

import queue
import select
import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from robot_sdk_virtual_time import real_time
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
    _replace_polls(scheduler, on_outside)
    _replace_ports(ports)
    _replace_signals(scheduler)


def _replace_clock(scheduler: Scheduler) -> None:
    def sleep(seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if scheduler.is_member():
            scheduler.park(Waiter(scheduler.now + seconds))
        else:
            real_time.sleep(seconds)

    def now() -> float:
        return scheduler.now

    def now_ns() -> int:
        return round(scheduler.now * NS)

    clock: Any = time
    clock.sleep = sleep
    clock.monotonic = clock.perf_counter = now
    clock.monotonic_ns = clock.perf_counter_ns = now_ns
    clock.time = lambda: EPOCH + scheduler.now
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
    ends: dict[threading.Thread, threading.Event] = {}

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


def _replace_polls(scheduler: Scheduler, on_outside: Callable[[str], None]) -> None:
    def wait_until(is_ready: Callable[[], bool], timeout: float | None) -> bool:
        return is_ready() or scheduler.park(Waiter(scheduler.deadline(timeout), is_ready))

    for name in ("SelectSelector", "PollSelector", "EpollSelector", "KqueueSelector", "DevpollSelector"):
        kind = getattr(selectors, name, None)
        if kind is not None:
            _replace_select(kind, scheduler)
    readable = select.select

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
            if end.family != getattr(socket, "AF_UNIX", None):
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
        if events or (timeout is not None and timeout <= 0) or not scheduler.is_member():
            return events
        scheduler.park(Waiter(scheduler.deadline(timeout), lambda: bool(original(selector, 0))))
        return original(selector, 0)

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

    signal.signal = set_handler  # type: ignore[assignment]
    signal.signal(signal.SIGINT, signal.default_int_handler)
