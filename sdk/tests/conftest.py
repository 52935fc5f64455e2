import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
import wave
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_sdk import Robot
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
StartTested = Callable[..., AppUnderTest]
T = TypeVar("T")

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
def robot(daemon: ScriptedDaemon) -> Iterator[Robot]:
    """A robot whose first message the daemon has received."""
    with Robot() as connected:
        assert daemon.received("set_automatic_body_yaw")
        yield connected


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
    """Starts an app on a simulated robot in virtual time: the text of a module, or a module of a folder."""
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    started: list[AppUnderTest] = []

    def start(
        text: str = "", module: str = "tested_app", folder: Path = tmp_path, motions: Path = tmp_path / "motions"
    ) -> AppUnderTest:
        (tmp_path / "tested_app.py").write_text(textwrap.dedent(text), "utf8")
        robot = SimulatedRobot()
        app = AppProcess(module, str(tmp_path), [str(folder), str(ROOT / "sdk/src")])
        started.append(AppUnderTest(robot, app, MotionFiles(motions, tmp_path)))
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


def run_python(script: str, **env: str) -> tuple[int, str, str]:
    """Runs a script to its end: its exit code, output and error output."""
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, timeout=2 * DEADLINE_S, check=False
    )
    return done.returncode, done.stdout, done.stderr


def in_thread(call: Callable[[], T]) -> Future[T]:
    """Calls a function in a thread, which may outlive a test that fails."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(call())
        except BaseException as error:
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return result


@contextmanager
def answering(answer: bytes, endless: bytes = b"") -> Iterator[str]:
    """The address of a server that answers one request, with `endless` over and over until the client has enough."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client, suppress(OSError):
                client.recv(65536)
                client.sendall(answer)
                while endless:
                    client.sendall(endless)

        thread = Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def write_wav(path: Path, frames: NDArray[Any], width: int, rate: int) -> Path:
    """Writes whole numbers, of shape (n,) or (n, channels), in `width` bytes each."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1 if frames.ndim == 1 else frames.shape[1])
        file.setsampwidth(width)
        file.setframerate(rate)
        # The lower bytes of little-endian integers.
        file.writeframes(frames.astype("<i4").reshape(-1, 1).view(np.uint8)[:, :width].tobytes())
    return path
