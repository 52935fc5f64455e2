"""Puts the virtual clock in place of the real one in `time` and `datetime`."""

from __future__ import annotations

import ctypes
import datetime
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.scheduler import START_UNIX_TIME, Scheduler, WaitingThread

NS = 1_000_000_000


def patch_time(scheduler: Scheduler) -> None:
    """Replaces the functions of `time` by those of the virtual clock, except the ones that count processor time."""

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

    format_time, format_ascii = time.strftime, time.asctime
    replacements: dict[str, Callable[..., Any]] = {
        "sleep": sleep,
        **dict.fromkeys(("monotonic", "perf_counter"), now),
        **dict.fromkeys(("monotonic_ns", "perf_counter_ns"), now_ns),
        "time": unix_time,
        "time_ns": unix_time_ns,
        **{name: _at_present(getattr(time, name)) for name in ("localtime", "gmtime", "ctime")},
        "strftime": lambda form, when=None: format_time(form, time.localtime() if when is None else when),
        "asctime": lambda when=None: format_ascii(time.localtime() if when is None else when),
    }
    replacements |= _clock_gettime(now_ns, unix_time_ns)
    for name, function in replacements.items():
        setattr(time, name, ClockFunction(name, function))


class ClockFunction:
    """Takes the place of a built-in function of `time`.

    Like a built-in function, and unlike one in Python, it does not become a method when it is an attribute of a class.
    `pickle` writes only its name: a process that loads it gets its own function of that name.
    """

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        """Takes the place of `time.NAME`, and calls `function`."""
        self.__name__ = self.__qualname__ = name
        self.__module__ = "time"
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function."""
        return self._function(*arguments)

    def __reduce__(self) -> str:
        """The name, by which `pickle` finds the function in the module `time`."""
        return self.__name__


def _at_present(function: Callable[[float | None], Any]) -> Callable[..., Any]:
    """A function such as `time.localtime`, whose seconds are the present virtual time unless given."""

    def convert(seconds: float | None = None) -> Any:
        return function(time.time() if seconds is None else seconds)

    return convert


def _clock_gettime(now_ns: Callable[[], int], unix_time_ns: Callable[[], int]) -> dict[str, Callable[[int], float]]:
    """Replacements of `time.clock_gettime` and `clock_gettime_ns`; clocks that count processor time stay real."""
    if sys.platform == "win32":
        return {}
    original = time.clock_gettime_ns
    names = ("CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_BOOTTIME", "CLOCK_UPTIME_RAW")
    monotonic = {getattr(time, name) for name in names if hasattr(time, name)}

    def read(number: int) -> int:
        if number == time.CLOCK_REALTIME:
            return unix_time_ns()
        return now_ns() if number in monotonic else original(number)

    return {"clock_gettime_ns": read, "clock_gettime": lambda number: read(number) / NS}


def patch_datetime() -> None:
    """Makes `datetime.now` and `utcnow` return the virtual time; `today` does already, because it calls `time.time`.

    The methods of the class itself are replaced: a class in its place would break `isinstance` and `pickle`.
    """
    kind: Any = datetime.datetime
    original = kind.__dict__["now"]

    def now(cls: Any, tz: datetime.tzinfo | None = None) -> datetime.datetime:
        """Returns the virtual time."""
        moment: datetime.datetime = cls.fromtimestamp(time.time(), tz)
        return moment

    def utcnow(cls: Any) -> datetime.datetime:
        """Returns the virtual time in UTC, without a time zone."""
        moment: datetime.datetime = cls.fromtimestamp(time.time(), datetime.timezone.utc)
        return moment.replace(tzinfo=None)

    attributes = gc.get_referents(kind.__dict__)[0]
    if not isinstance(attributes, dict) or attributes.get("now") is not original:
        return  # only CPython gives access to the attributes of a built-in class: elsewhere dates stay real
    attributes["now"], attributes["utcnow"] = classmethod(now), classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
