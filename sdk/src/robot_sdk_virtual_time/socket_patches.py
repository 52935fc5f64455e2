"""Puts the virtual clock in place of the real one where sockets and files are waited for."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import selectors
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any

from robot_sdk_virtual_time.exchange import Exchange
from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread
from robot_sdk_virtual_time.virtual_daemon import PORT

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def patch_sockets(exchange: Exchange, daemon_port: Callable[[], int]) -> None:
    """Makes selectors, `select.select` and blocking sockets wait in virtual time, and gives servers a free port.

    Arguments as of `install_patches`.
    """
    scheduler, ports = exchange.scheduler, exchange.ports

    def wait_until(is_ready: Callable[[], bool], timeout: float | None) -> bool:
        return is_ready() or scheduler.park(WaitingThread(scheduler.deadline(timeout), is_ready))

    for name in ("SelectSelector", "PollSelector", "EpollSelector", "KqueueSelector", "DevpollSelector"):
        kind = getattr(selectors, name, None)
        if kind is not None:
            _patch_selector(kind, scheduler)
    readable = select.select

    def select_in_turn(reads: Any, writes: Any, errors: Any, timeout: float | None = None) -> Any:
        if not scheduler.is_member() or (timeout is not None and timeout <= 0):
            scheduler.look()
            return readable(reads, writes, errors, timeout)
        wait_until(lambda: any(readable(reads, writes, errors, 0)), timeout)
        return readable(reads, writes, errors, 0)

    module: Any = select
    module.select = select_in_turn
    for name, units in (("poll", 1000), ("epoll", 1)):
        if hasattr(select, name):
            setattr(module, name, _polling_in_turn(getattr(select, name), units, scheduler))

    def is_readable(end: socket.socket) -> bool:
        try:
            return bool(readable([end], [], [], 0)[0])
        except (OSError, ValueError):
            return True  # closed: the call says so

    def in_turn(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(end: socket.socket, *args: Any, **kwargs: Any) -> Any:
            timeout = end.gettimeout()
            if timeout == 0 or not scheduler.is_member():
                scheduler.look()
                return method(end, *args, **kwargs)
            of_system = receive_timeout(end) if timeout is None else None
            if not wait_until(lambda: is_readable(end), timeout if of_system is None else of_system):
                if of_system is not None:
                    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
                raise TimeoutError("timed out")
            return method(end, *args, **kwargs)

        return call

    sockets: Any = socket.socket
    for name in ("recv", "recv_into", "recvfrom", "recvmsg", "accept"):
        setattr(sockets, name, in_turn(getattr(sockets, name)))

    def unless_own_port(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(end: socket.socket, address: Any) -> Any:
            if end.family == getattr(socket, "AF_UNIX", None):
                return method(end, address)
            if address[0] in LOOPBACK and address[1] in (*ports, *ports.values()):
                return method(end, (address[0], ports.get(address[1], address[1]), *address[2:]))  # the app itself
            if address[0] in LOOPBACK and address[1] == PORT:
                return method(end, (address[0], daemon_port(), *address[2:]))
            exchange.use_real_time(f"connects to {address[0]}:{address[1]}")
            return method(end, address)

        return call

    for name in ("connect", "connect_ex"):
        setattr(sockets, name, unless_own_port(getattr(sockets, name)))
    bind = sockets.bind

    def bind_to_free_port(end: socket.socket, address: Any) -> None:
        if end.family not in (socket.AF_INET, socket.AF_INET6) or end.type != socket.SOCK_STREAM:
            bind(end, address)
            return
        bind(end, ("127.0.0.1" if end.family == socket.AF_INET else "::1", 0, *address[2:]))
        ports[address[1]] = end.getsockname()[1]

    # So that tests run side by side.
    sockets.bind = bind_to_free_port


def receive_timeout(end: socket.socket) -> float | None:
    """Seconds of the option SO_RCVTIMEO of a socket; None when it is not set."""
    if sys.platform == "win32":
        return None
    size = struct.calcsize("@ll")
    with contextlib.suppress(OSError):
        seconds, microseconds = struct.unpack("@ll", end.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, size))
        return seconds + microseconds / 1e6 or None
    return None


def _patch_selector(kind: Any, scheduler: Scheduler) -> None:
    original = kind.select

    def select_in_turn(selector: Any, timeout: float | None = None) -> Any:
        events = original(selector, 0)
        if timeout is not None and timeout <= 0:
            scheduler.look()
        elif scheduler.is_member() and not events:
            scheduler.park(WaitingThread(scheduler.deadline(timeout), lambda: bool(original(selector, 0))))
            return original(selector, 0)
        elif not scheduler.is_member():
            return original(selector, timeout)
        return events

    kind.select = select_in_turn


def _polling_in_turn(kind: Any, units: int, scheduler: Scheduler) -> Any:
    """Takes the place of `select.poll` and `select.epoll`, which count so many units per second."""

    class Poll:
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self._poll = kind(*args, **kwargs)

        @classmethod
        def fromfd(cls, file_descriptor: int) -> Any:
            made = cls.__new__(cls)
            made._poll = kind.fromfd(file_descriptor)
            return made

        def __getattr__(self, name: str) -> Any:
            return getattr(self._poll, name)

        def __enter__(self) -> Any:
            self._poll.__enter__()
            return self

        def __exit__(self, *error: Any) -> None:
            self._poll.__exit__(*error)

        def poll(self, timeout: float | None = None, *most: Any) -> Any:
            if not scheduler.is_member():
                return self._poll.poll(timeout, *most)
            events = self._poll.poll(0, *most)
            if events or timeout == 0:
                scheduler.look()
                return events
            seconds = None if timeout is None else timeout / units

            def is_ready() -> bool:
                nonlocal events
                # Kept: with EPOLLONESHOT and EPOLLET an event is reported once.
                events = self._poll.poll(0, *most)
                return bool(events)

            scheduler.park(WaitingThread(scheduler.deadline(seconds), is_ready))
            return events

    return Poll
