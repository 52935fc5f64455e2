"""The simulated robot of a test: a process of the workbench that computes it in virtual time."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from robot_sdk.testing.process_group import kill_group
from robot_sdk.version import VERSION

PROGRAM = "robot-daemon"
VARIABLE = "ROBOT_DAEMON"
"""The environment variable with the path of the program."""
READY_S = 180.0
"""Real seconds that the robot may take to stand ready."""
ANSWER_S = 180.0
"""Real seconds that it may take to answer a request, which advances its time by a fraction of a second."""


class WorkbenchMissingError(Exception):
    """There is no robot-daemon on this machine."""


class WorkbenchNotStartedError(Exception):
    """robot-daemon, or the Node.js that runs it, cannot be started."""


class RobotEndedError(Exception):
    """The process that computes the robot has ended."""


def find_program() -> list[str]:
    """The command that starts robot-daemon: `ROBOT_DAEMON`, else the one on PATH, else that of an npm project.

    Raises:
        WorkbenchMissingError: There is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return ["node", named] if named.endswith((".mjs", ".js")) else [named]
    if shutil.which(PROGRAM):
        return [PROGRAM]
    if shutil.which("npx") and _is_in_npm_project():
        return ["npx", "--no-install", PROGRAM]
    raise WorkbenchMissingError(
        f"the tests need {PROGRAM}, which computes the robot: install it (npm install --global robot-daemon), "
        f"or set {VARIABLE} to its path"
    )


def _is_in_npm_project() -> bool:
    found = subprocess.run(["npx", "--no-install", PROGRAM, "--version"], capture_output=True, check=False)
    return found.returncode == 0


@dataclass
class RobotReport:
    """What the robot did since the last report. All times are seconds since it stood ready."""

    time: float
    messages: list[tuple[float, str]]
    """Messages of the SDK socket: JSON."""
    goals: list[tuple[float, list[float]]]
    """The angles to which the servos are sent, radians, in the order of `GOALS` in motion_recording.py."""
    audio: list[tuple[float, str]]
    """Messages of the audio socket: JSON, or samples in base64."""
    answers: list[tuple[float, dict[str, Any]]]
    """Answers of the REST interface: `id`, `status`, `type`, `body` (zlib, base64)."""
    played: list[tuple[float, str]]
    """What the speaker played: samples in base64."""
    events: list[tuple[float, dict[str, Any]]]
    """Events of the robot, each with a `message` for people."""
    error: str | None = None
    """Why the robot cannot do what was requested; None when it has."""
    need: str | None = None
    """What is missing on this machine for an app that has ended with an error, and the command that installs it."""


_idle: list[subprocess.Popen[str]] = []
"""Processes of closed robots, for reuse: there, a new robot is ready in a fifth of the time."""


class SimulatedRobot:
    """A robot that stands awake in its default pose until the test advances its time."""

    def __init__(self) -> None:
        """Starts the process, or a new robot in an idle one; `wait_until_ready` waits for it.

        Raises:
            WorkbenchMissingError: There is no robot-daemon.
            WorkbenchNotStartedError: It cannot be started.
        """
        self._process = _start_robot_process([*find_program(), "test-robot"])
        self._owes_report = True

    def wait_until_ready(self) -> None:
        """Waits until the robot stands ready.

        Raises:
            RobotEndedError: robot-daemon has ended, or does not answer.
        """
        try:
            self._read(READY_S)
        except (RobotEndedError, TypeError, ValueError):
            raise RobotEndedError(
                f"{' '.join(self._process.args)} has not started a simulated robot (exit code {self._process.poll()}): "  # type: ignore[arg-type]
                f"is {PROGRAM} as new as robot-sdk {VERSION}? What it says is on the error output."
            ) from None

    def request(self, advance: float, **what: object) -> RobotReport:
        """Does something with the robot, then advances its time.

        Args:
            advance: Seconds since the robot stood ready; the call stops earlier at a message to the app.
            what: The fields of `Request` in daemon/test-robot/serve-test-robot.ts.

        Raises:
            ValueError: It cannot be done.
            RobotEndedError: The process has ended, or does not answer.
        """
        self._owes_report = True
        _write(self._process, advance=advance, **what)
        report = self._read(ANSWER_S)
        if report.error is not None:
            raise ValueError(report.error)
        return report

    def close(self) -> None:
        """Keeps the process for the next robot; ends it when the robot has not answered its last request."""
        if self._owes_report:
            _end(self._process)
        else:
            self._owes_report = True
            _idle.append(self._process)

    def _read(self, limit: float) -> RobotReport:
        line = self._read_line(limit)
        if not line.endswith(b"\n"):
            # Its exit code comes after the end of its output.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            kill_group(self._process)
            raise RobotEndedError(f"the simulated robot has ended with exit code {self._process.wait()}")
        report = RobotReport(**json.loads(line))
        self._owes_report = False
        return report

    def _read_line(self, limit: float) -> bytes:
        """What the process prints until the end of the line, of its output, or of so many real seconds."""
        assert self._process.stdout is not None
        deadline = time.monotonic() + limit
        line = b""
        with selectors.DefaultSelector() as selector:
            output = self._process.stdout.fileno()
            selector.register(output, selectors.EVENT_READ)
            # One line answers a request, so that nothing comes after it.
            while not line.endswith(b"\n") and selector.select(max(0.0, deadline - time.monotonic())):
                part = os.read(output, 65_536)
                if part == b"":
                    break
                line += part
        return line


def _start_robot_process(command: list[str]) -> subprocess.Popen[str]:
    """Requests a new robot of the process of this command that became idle last; starts one when there is none.

    Raises:
        WorkbenchNotStartedError: The command cannot be started.
    """
    for process in reversed(_idle.copy()):
        if process.args == command:
            _idle.remove(process)
            if process.poll() is None:
                _write(process, restart=True, advance=0)
                return process
            _end(process)
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf8", start_new_session=True
        )
    except OSError as error:
        raise WorkbenchNotStartedError(
            f"{' '.join(command)} cannot be started ({error.strerror}): it computes the robot. Is Node.js on PATH, and "
            f"is {VARIABLE}, if it is set, the path of {PROGRAM}?"
        ) from None


def _write(process: subprocess.Popen[str], **request: object) -> None:
    assert process.stdin is not None
    # When the process has ended, the next read raises the error.
    with contextlib.suppress(OSError):
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()


def _end(process: subprocess.Popen[str]) -> None:
    # npx and shell scripts run robot-daemon as a child.
    kill_group(process)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


@atexit.register
def _end_idle() -> None:
    while _idle:
        _end(_idle.pop())
