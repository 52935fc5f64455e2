import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from robot_sdk.testing import AppUnderTest
from robot_sdk.testing.app_process import AppProcess
from robot_sdk.testing.motion_files import MotionFiles
from robot_sdk.testing.simulated_robot import SimulatedRobot
from scripted_daemon import DEADLINE_S, ScriptedDaemon

ROOT = Path(__file__).parents[2]
APPS = Path(__file__).parent / "apps"
LONG_TIMEOUTS = Path(__file__).parent / "long_timeouts"
MYPY_CACHE = ROOT / ".mypy_cache"
"""What the type checker knows of the standard library and of numpy takes most of its time."""

App = subprocess.Popen[str]
StartApp = Callable[..., App]
StartTested = Callable[[str], AppUnderTest]

TESTED_APP = """
    import threading, time
    from robot_sdk import RobotApp

    class Tested(RobotApp):
        def run(self, robot, stop_event):
            {body}

    if __name__ == "__main__":
        app = Tested()
        try:
            app.wrapped_run()
        except KeyboardInterrupt:
            app.stop()
"""
"""Main module of an app for `start_tested`; `body` is that of its `run`."""


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedDaemon]:
    monkeypatch.delenv("ROBOT_DAEMON_TOKEN", raising=False)
    with ScriptedDaemon().running() as running:
        monkeypatch.setenv("ROBOT_DAEMON_URL", running.url)
        yield running


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def start_app() -> Iterator[StartApp]:
    """Starts a module as the daemon does; kills what a failed test leaves behind."""
    started: list[App] = []

    def start(module: str, *, folder: Path = APPS, ignoring_sigint: bool = False, **env: str) -> App:
        folders = filter(None, (str(LONG_TIMEOUTS), env.get("PYTHONPATH"), os.environ.get("PYTHONPATH")))
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", module],
            cwd=folder,
            env={**os.environ, **env, "PYTHONPATH": os.pathsep.join(folders)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignoring_sigint else None,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def start_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartTested]:
    """Starts an app, of which it takes the text of the main module, on a simulated robot in virtual time."""
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    started: list[AppUnderTest] = []

    def start(text: str) -> AppUnderTest:
        (tmp_path / "tested_app.py").write_text(textwrap.dedent(text), "utf8")
        robot = SimulatedRobot()
        app = AppProcess("tested_app", str(tmp_path), [str(tmp_path), str(ROOT / "sdk/src")])
        started.append(AppUnderTest(robot, app, MotionFiles(tmp_path / "motions", tmp_path)))
        robot.wait_until_ready()
        return started[-1]

    yield start
    for tested in started:
        tested.close()


def next_line(stream: IO[str] | None) -> str:
    """The next line of an app's output, with its newline; empty at the end of the output.

    Fails when none comes within the deadline. One line at a time: it does not see lines that the stream has buffered.
    """
    assert stream is not None
    ready, _, _ = select.select([stream], [], [], DEADLINE_S)
    assert ready, f"no line within {DEADLINE_S:.0f} s"
    return stream.readline()


def finish(process: App) -> tuple[int, str, str]:
    """Waits for the end of an app: its exit code, output and error output."""
    output, errors = process.communicate(timeout=DEADLINE_S)
    return process.returncode, output, errors
