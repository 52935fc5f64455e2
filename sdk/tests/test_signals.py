"""Signals in apps that use asyncio or a wake-up descriptor of their own: real processes, real signals."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import StartApp, finish
from scripted_daemon import DEADLINE_S, ScriptedDaemon

ASYNC_APP = Path(__file__).parents[2] / "fixtures" / "apps" / "async_app"


@pytest.mark.parametrize("way", ["loop", "other", "wakeup"])
def test_the_first_signal_is_not_lost(daemon: ScriptedDaemon, start_app: StartApp, way: str) -> None:
    app = start_app("using_asyncio", WAY=way)
    daemon.received("set_full_target")
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "stop_event.is_set()=True\n", "")


def test_the_async_example_app_stops_at_the_first_signal(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    app = start_app("async_app.main", folder=ASYNC_APP)
    daemon.received("set_full_target", 3)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "stopped\n", "")


def test_a_bad_wake_up_descriptor_is_refused_as_before() -> None:
    script = (
        "import os, signal, threading\n"
        "from robot_sdk.app.signals import stop_on_signals\n"
        "event = threading.Event()\n"
        "stop_on_signals(event)\n"
        "for bad in (4000, os.pipe()[1]):\n"
        "    try: signal.set_wakeup_fd(bad)\n"
        "    except (OSError, ValueError) as error: print(type(error).__name__)\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "print(event.wait(60))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=2 * DEADLINE_S)
    assert (result.stdout, result.stderr) == ("OSError\nValueError\nTrue\n", "")


def test_a_closed_descriptor_of_the_app_does_not_stop_the_relay() -> None:
    script = (
        "import os, signal, threading, socket\n"
        "from robot_sdk.app.signals import stop_on_signals\n"
        "event = threading.Event()\n"
        "stop_on_signals(event)\n"
        "reader, writer = os.pipe()\n"
        "os.set_blocking(writer, False)\n"
        "signal.set_wakeup_fd(writer)\n"
        "os.close(writer)\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "print(event.wait(60))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=2 * DEADLINE_S)
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_a_stop_while_python_ends_does_not_change_the_exit_code() -> None:
    script = (
        "import os, signal, threading\n"
        "from robot_sdk.app.signals import stop_on_signals\n"
        "stop_on_signals(threading.Event())\n"
        "class LastObject:\n"
        "    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGINT):\n"
        "        kill(pid, number)\n"
        "        print('deleted')\n"
        "last = LastObject()\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=2 * DEADLINE_S)
    assert (result.returncode, result.stdout, result.stderr) == (0, "deleted\n", "")
