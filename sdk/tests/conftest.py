import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from scripted_daemon import ScriptedDaemon

APPS = Path(__file__).parent / "apps"
DEADLINE_S = 30.0

App = subprocess.Popen[str]
StartApp = Callable[..., App]


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
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", module],
            cwd=folder,
            env={**os.environ, **env},
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
