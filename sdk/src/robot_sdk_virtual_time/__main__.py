"""Runs an app's module in virtual time: `python -m robot_sdk_virtual_time FD MODULE`, by the test."""

from __future__ import annotations

import _thread
import faulthandler
import importlib
import random
import runpy
import secrets
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar
from urllib.parse import urlsplit

from robot_sdk_virtual_time.connection_to_test import ConnectionToTest
from robot_sdk_virtual_time.exchange import AUDIO, ROBOT, Exchange
from robot_sdk_virtual_time.failures import notice_failures
from robot_sdk_virtual_time.patches import install_patches
from robot_sdk_virtual_time.scheduler import Scheduler
from robot_sdk_virtual_time.virtual_daemon import VirtualDaemon
from robot_sdk_virtual_time.virtual_websocket import VirtualWebSocket


def connect_to_test(exchange: Exchange, connect: Callable[..., Any]) -> Callable[..., Any]:
    """`websockets.sync.client.connect`, with the robot of the test at the daemon's addresses, on any host."""

    def connect_or_test(uri: str, *args: Any, **options: Any) -> Any:
        from websockets.http11 import USER_AGENT

        name = urlsplit(uri).path
        if name not in (ROBOT, AUDIO):
            return connect(uri, *args, **options)
        exchange.check_reachable()
        further = options.get("additional_headers") or {}
        headers = {
            "user-agent": options.get("user_agent_header") or USER_AGENT,
            **{key.lower(): str(value) for key, value in dict(further).items()},
        }
        headers.pop("authorization", None)
        return VirtualWebSocket(exchange, name, headers)

    return connect_or_test


class AsyncioAsUvloop(ModuleType):
    """Takes the place of the module `uvloop`, whose loop waits in C: that of asyncio waits in virtual time."""

    NAMES: ClassVar = {
        "run": "run",
        "new_event_loop": "new_event_loop",
        "Loop": "SelectorEventLoop",
        "EventLoopPolicy": "DefaultEventLoopPolicy",
    }

    def __getattr__(self, name: str) -> Any:
        """What asyncio has under a name of `uvloop`; asyncio is imported only now."""
        if name == "install":
            return lambda: None
        if name not in self.NAMES:
            raise AttributeError(name)
        return getattr(importlib.import_module("asyncio"), self.NAMES[name])


def main() -> None:
    """Waits for the test, then runs the module as `python -m MODULE` does."""
    file_descriptor, module = int(sys.argv[1]), sys.argv[2]
    faulthandler.enable()
    connection = ConnectionToTest(file_descriptor, Scheduler())
    _thread.start_new_thread(connection.serve, ())
    exchange = connection.exchange
    connection.failures = failures = notice_failures(exchange)
    install_patches(exchange, failures, VirtualDaemon(exchange).port)
    import websockets.sync.client as client

    client.connect = connect_to_test(exchange, client.connect)
    random.seed(0)
    # numpy seeds the generators with it that get no seed.
    secrets.randbits = random.Random(0).getrandbits  # type: ignore[assignment]
    sys.modules["uvloop"] = AsyncioAsUvloop("uvloop")
    sys.argv = [module]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except BaseException as error:
        # The end of the process tells the test, unless other threads go on.
        if any(not each.daemon and each is not threading.main_thread() for each in threading.enumerate()):
            failures.note("the main thread", error)
        raise


if __name__ == "__main__":
    main()
