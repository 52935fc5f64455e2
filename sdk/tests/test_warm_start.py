"""An interpreter that waits for the start of an app, as the daemon starts it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import next_line
from robot_sdk.app.warm_start import TITLE, VARIABLE

DEFAULT_ACTION = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
WAIT = "from robot_sdk.app.warm_start import wait_for_start; wait_for_start()\n"
APP = "import os, sys; print('app', 'robot_sdk.utils' in sys.modules, os.environ.get('ROBOT_APP_WARM_START'))"


@dataclass
class Waiting:
    process: "subprocess.Popen[str]"
    pipe: int

    def end(self) -> tuple[int, str]:
        output, _ = self.process.communicate(timeout=60)
        return self.process.returncode, output.strip()


@pytest.fixture
def waiting(request: pytest.FixtureRequest) -> Iterator[Waiting]:
    modules = getattr(request, "param", "robot_sdk,robot_sdk.utils")
    read, write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", DEFAULT_ACTION + "print('waits', flush=True)\n" + WAIT + APP],
        env={**os.environ, VARIABLE: f"{read},{modules}"},
        pass_fds=[read],
        stdout=subprocess.PIPE,
        text=True,
    )
    os.close(read)
    assert next_line(process.stdout) == "waits\n"
    yield Waiting(process, write)
    process.kill()
    process.wait()


def test_it_imports_the_modules_and_runs_the_app_when_it_is_started(waiting: Waiting) -> None:
    os.write(waiting.pipe, b"\n")
    os.close(waiting.pipe)
    assert waiting.end() == (0, "app True None")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process change its command line")
def test_its_command_line_says_that_it_waits_until_it_runs_the_app(waiting: Waiting) -> None:
    file = Path(f"/proc/{waiting.process.pid}/cmdline")
    while not file.read_bytes().startswith(TITLE):
        assert waiting.process.poll() is None
    assert APP.encode() not in file.read_bytes()
    os.write(waiting.pipe, b"\n")
    while file.read_bytes().startswith(TITLE):
        assert waiting.process.poll() is None
    os.close(waiting.pipe)
    assert waiting.end() == (0, "app True None")


def test_it_ends_when_the_daemon_is_gone(waiting: Waiting) -> None:
    os.close(waiting.pipe)
    assert waiting.end() == (0, "")


def test_a_stop_before_the_app_ends_it_by_the_signal(waiting: Waiting) -> None:
    waiting.process.send_signal(signal.SIGINT)
    assert waiting.end() == (-signal.SIGINT, "")
    os.close(waiting.pipe)


@pytest.mark.parametrize("waiting", ["no_such_module,robot_sdk.utils"], indirect=True)
def test_a_module_that_cannot_be_imported_is_left_to_the_app(waiting: Waiting) -> None:
    os.write(waiting.pipe, b"\n")
    os.close(waiting.pipe)
    assert waiting.end() == (0, "app False None")
