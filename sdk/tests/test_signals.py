"""Signals in apps that use asyncio or a wake-up descriptor of their own: real processes, real signals."""

import signal
from pathlib import Path

import pytest

from conftest import StartApp, finish, run_python
from scripted_daemon import ScriptedDaemon

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
    script = """
        import os, signal, threading
        from robot_sdk.app.signals import stop_on_signals
        event = threading.Event()
        stop_on_signals(event)
        for bad in (4000, os.pipe()[1]):
            try: signal.set_wakeup_fd(bad)
            except (OSError, ValueError) as error: print(type(error).__name__)
        os.kill(os.getpid(), signal.SIGINT)
        print(event.wait(60))
    """
    assert run_python(script) == (0, "OSError\nValueError\nTrue\n", "")


def test_a_closed_descriptor_of_the_app_does_not_stop_the_relay() -> None:
    script = """
        import os, signal, threading, socket
        from robot_sdk.app.signals import stop_on_signals
        event = threading.Event()
        stop_on_signals(event)
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer)
        os.close(writer)
        os.kill(os.getpid(), signal.SIGINT)
        print(event.wait(60))
    """
    assert run_python(script) == (0, "True\n", "")


def test_a_stop_while_python_ends_does_not_change_the_exit_code() -> None:
    script = """
        import os, signal, threading
        from robot_sdk.app.signals import stop_on_signals
        stop_on_signals(threading.Event())
        class LastObject:
            def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGINT):
                kill(pid, number)
                print('deleted')
        last = LastObject()
    """
    assert run_python(script) == (0, "deleted\n", "")
