"""The connection to the test, which decides the time."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.scheduler import Scheduler
from robot_sdk_virtual_time.virtual_socket import AUDIO, ROBOT, VirtualSocket

STUCK_S = 1.0
"""Real seconds of sleep after which a thread counts as waiting for something outside."""
LOOK_S = 0.05
"""Real seconds between two looks at a thread."""
LONGEST_S = 30.0
"""Real seconds for which a thread may work without a pause."""


class ConnectionToTest:
    """The controlling thread's end of the connection to the test."""

    def __init__(self, file_descriptor: int, scheduler: Scheduler) -> None:
        self._socket = socket.socket(fileno=file_descriptor)
        self._reader = self._socket.makefile("r", encoding="utf8")
        self.scheduler = scheduler
        self._sent: dict[str, list[str]] = {ROBOT: [], AUDIO: []}
        self._real_time_because: str | None = None
        self.sockets: list[VirtualSocket] = []
        self.disconnected_until = 0.0
        """Until when the app cannot connect to the robot."""
        if sys.platform != "win32":
            os.register_at_fork(before=self._notice_fork, after_in_child=self._leave_to_parent)
        self.ports: dict[int, int] = {}
        """Ports that the app listens on: the one that it asks for, and the free one that it gets."""

    def send(self, name: str, message: str) -> None:
        """Passes a message of the app to the robot, at the present time; `name` of the socket."""
        self._sent[name].append(message)

    def use_real_time(self, what: str) -> None:
        """The app waits for something that has a time of its own: from now on, real and virtual time pass alike."""
        if self._real_time_because is None:
            self._real_time_because = what
            self.scheduler.is_real = True

    def _notice_fork(self) -> None:
        self.use_real_time(f"forks in {place_of(threading.get_ident())}")

    def _leave_to_parent(self) -> None:
        """Called in a forked process: the end of its parent has to end the connection."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, self._socket.fileno(), inheritable=False)
        os.close(nothing)
        self.scheduler.continue_forked()

    def serve(self) -> None:
        """Advances the time as the test says, until the app ends. Runs in the controlling thread."""
        try:
            for line in self._reader:
                self._write(self._advance(json.loads(line)))
        except BaseException:
            traceback.print_exc()
        finally:
            # The test has ended: so do the programs that the app has started.
            if sys.platform != "win32" and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            os._exit(70)

    def _advance(self, request: dict[str, Any]) -> dict[str, Any]:
        scheduler = self.scheduler
        scheduler.advance(float(request["now"]))
        if request["disconnected_until"] is not None:
            self.disconnected_until = float(request["disconnected_until"])
            for end in self.sockets:
                end.drop()
        for name, key in ((ROBOT, "messages"), (AUDIO, "audio")):
            for end in self.sockets:
                if end.name == name:
                    end.deliver(request[key])
        number = request["signal"]
        if number is not None and sys.platform != "win32":
            if callable(signal.getsignal(number)):
                scheduler.begin_signal()
            signal.pthread_kill(threading.main_thread().ident or 0, number)
        self._run()
        sent, self._sent = self._sent, {ROBOT: [], AUDIO: []}
        return {
            "next": scheduler.next_deadline,
            "sent": sent[ROBOT],
            "sent_audio": sent[AUDIO],
            "real_time_because": self._real_time_because,
            "ports": self.ports,
        }

    def _run(self) -> None:
        if self._real_time_because is not None:
            if not self.scheduler.run_until_idle(LOOK_S / 10):
                self.scheduler.let_others_run()
            return
        still, worked, what = 0, real_time.process_time(), "works without a pause"
        for _ in range(round(LONGEST_S / LOOK_S)):
            if self.scheduler.run_until_idle(LOOK_S):
                return
            worked, before = real_time.process_time(), worked
            still = still + 1 if worked - before < LOOK_S / 50 and is_sleeping(self.scheduler.current) else 0
            if still * LOOK_S >= STUCK_S:
                what = "waits"
                break
        self.use_real_time(f"{what} in {place_of(self.scheduler.current)}")
        self.scheduler.let_others_run()

    def _write(self, answer: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(answer).encode() + b"\n")


def is_sleeping(thread: int | None) -> bool:
    """Whether a thread waits in the operating system; True where that cannot be seen."""
    numbers = {each.ident: each.native_id for each in threading.enumerate()}
    try:
        stat = Path(f"/proc/self/task/{numbers.get(thread)}/stat").read_text("ascii")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "S"


def place_of(thread: int | None) -> str:
    """File, line and function of the app where a thread is."""
    frame = sys._current_frames().get(thread or 0)
    frames = traceback.extract_stack(frame) if frame is not None else []
    libraries = ("site-packages", "/lib/python", str(Path(__file__).parent))
    own = [entry for entry in frames if not any(part in entry.filename for part in libraries)]
    for entry in (own or frames)[-1:]:
        return f"{entry.filename}:{entry.lineno} ({entry.name})"
    return "a thread that cannot be seen"
