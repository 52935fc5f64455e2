"""The process of the app that a test runs, in virtual time."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robot_sdk.connection.address import DEFAULT_URL
from robot_sdk.testing.process_group import kill_group

REAL_TIMEOUT_S = 180.0
"""Real seconds without a sign of the app's process after which its test fails."""
MOST_WORK_S = 30.0
"""Seconds of processor time that an app may use at once, and in a second of its time, unless the test allows more."""


@dataclass
class AppReport:
    """All threads of the app wait."""

    next: float | None
    """The earliest virtual time at which one of them wants to run; None when they wait for the robot."""
    sent: list[str]
    """Messages that the app has sent to the robot."""
    sent_audio: list[str]
    """What it has done with its audio socket; see `TestAudio.receive` in daemon/test-robot/test-audio.ts."""
    requests: list[dict[str, Any]]
    """Requests to the daemon's REST interface: `id`, `method`, `path`, `body`."""
    real_time_because: str | None
    """Why the app needs real time; None while all its waiting is virtual."""
    waited: float
    """Real seconds that the app had waited for something outside when that was noticed."""
    ports: dict[str, int]
    """The free ports that the app got, by the ports that it asked for."""
    positions: list[str]
    """Where each thread and task of the app stands, if the test has asked."""


class AppProcess:
    """`python -u -m MODULE` in virtual time."""

    def __init__(self, module: str, folder: str, import_path: Sequence[str]) -> None:
        """Starts the process.

        Args:
            module: The app's main module.
            folder: The working folder.
            import_path: Folders that Python imports modules from, besides its own.
        """
        own, child = socket.socketpair()
        output, path = tempfile.mkstemp(prefix="robot-test-")
        # What the app prints is in the file before it lets the time go on.
        self._output = Path(path).open("rb")  # noqa: SIM115
        Path(path).unlink()
        with child:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-m", "robot_sdk_virtual_time", str(child.fileno()), module],
                cwd=folder,
                env=_environment(import_path),
                pass_fds=[child.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._socket = own
        self._socket.settimeout(REAL_TIMEOUT_S)
        self._answers = own.makefile("r", encoding="utf8")
        os.close(output)
        self._incomplete_line = b""
        self.failures: list[str] = []
        """How the app has failed so far while it went on, for example in a thread."""
        self.most_work = MOST_WORK_S
        """Seconds of processor time that the app may use at once, and in a second of its time."""

    def step(
        self,
        now: float,
        messages: list[str],
        audio: list[str],
        answers: list[dict[str, Any]],
        signal_number: int | None = None,
        disconnected_until: float | None = None,
        wants_positions: bool = False,
    ) -> AppReport | None:
        """Lets the app run at a time until all its threads wait.

        Args:
            now: Virtual seconds since the start.
            messages: What the robot sends to it.
            audio: What the audio socket sends to it.
            answers: Answers to its requests: `id`, `status`, `type`, `body`.
            signal_number: A signal to send to it; None for none.
            disconnected_until: Drops its connection to the robot until this virtual time; None keeps the connection.
            wants_positions: Whether the report says where its threads stand.

        Returns:
            None when the app has ended.

        Raises:
            TimeoutError: The app's process has given no sign for `REAL_TIMEOUT_S` real seconds.
        """
        request = {
            "now": now,
            "messages": messages,
            "audio": audio,
            "answers": answers,
            "signal": signal_number,
            "disconnected_until": disconnected_until,
            "most_work": self.most_work,
            "wants_positions": wants_positions,
        }
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            # A line with a failure, or an empty one, says that the app goes on.
            for line in self._answers:
                answer = json.loads(line)
                if "next" in answer:
                    return AppReport(**answer)
                self.failures += answer.values()
        except TimeoutError:
            kill_group(self._process)
            raise TimeoutError(f"the app's process has given no sign for {REAL_TIMEOUT_S:g} real seconds") from None
        except OSError:
            pass
        return None

    def read_output(self, is_last: bool = False) -> list[str]:
        """The lines printed since the last call; `is_last` adds the one that has no newline."""
        *lines, self._incomplete_line = (self._incomplete_line + self._output.read()).split(b"\n")
        if is_last and self._incomplete_line:
            lines, self._incomplete_line = [*lines, self._incomplete_line], b""
        return [line.decode("utf8", "replace") for line in lines]

    def wait(self) -> int:
        """Waits for the end of the process. Returns its exit code, negative for a signal.

        Raises:
            subprocess.TimeoutExpired: It has not ended after `REAL_TIMEOUT_S` real seconds.
        """
        return self._process.wait(REAL_TIMEOUT_S)

    def kill(self) -> None:
        """Ends the process and those that it has started, and closes everything."""
        kill_group(self._process)
        self._process.wait()
        self._output.close()
        self._answers.close()
        self._socket.close()


def _environment(import_path: Sequence[str]) -> dict[str, str]:
    """The variables of the test, without the token of this machine's daemon, and with the address of a daemon."""
    own = {name: value for name, value in os.environ.items() if name != "ROBOT_DAEMON_TOKEN"}
    return {
        **own,
        "ROBOT_DAEMON_URL": DEFAULT_URL,
        # Sets have the same order in each run.
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join(import_path),
    }
