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
from robot_sdk_virtual_time.activity import is_anything_runnable
from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread
from robot_sdk_virtual_time.signal_patches import Alarm
from robot_sdk_virtual_time.virtual_daemon import PendingRequests
from robot_sdk_virtual_time.virtual_websocket import AUDIO, ROBOT, VirtualWebSocket

STUCK_S = 1.0
"""Real seconds for which nothing of the app can run after which it counts as waiting for something outside."""
LOOK_S = 0.05
"""Real seconds between two looks at a thread."""
MOST_LOOKS = 1200
"""Looks after which a program that works, or a disk, is not waited for any longer: the test waits for 180 s at most."""
REQUEST_S = 1e-3
"""Seconds that a request to the robot takes at least: an app that sends one after the other lets the time go on."""
LONGEST_S = 30.0
"""Seconds of processor time for which a thread may work without a pause."""


class ConnectionToTest:
    """The controlling thread's end of the connection to the test."""

    def __init__(self, file_descriptor: int, scheduler: Scheduler) -> None:
        self._socket = socket.socket(fileno=file_descriptor)
        self._reader = self._socket.makefile("r", encoding="utf8")
        self.scheduler = scheduler
        self._sent: dict[str, list[str]] = {ROBOT: [], AUDIO: []}
        self._requests = PendingRequests()
        self._real_time_because: str | None = None
        self.sockets: list[VirtualWebSocket] = []
        self.alarm = Alarm(scheduler)
        self.disconnected_until = 0.0
        """Until when the app cannot connect to the robot."""
        if sys.platform != "win32":
            os.register_at_fork(before=self._notice_fork, after_in_child=self._leave_to_parent)
        self.ports: dict[int, int] = {}
        """Ports that the app listens on: the one that it asks for, and the free one that it gets."""

    def send(self, name: str, message: str) -> None:
        """Passes a message of the app to the robot, at the present time; `name` of the socket."""
        self._sent[name].append(message)

    def request(self, method: str, path: str, body: str) -> tuple[int, str, bytes]:
        """Passes a request of the app to the robot's REST interface. Returns status, media type and body."""
        number = self._requests.add(method, path, body)
        began = self.scheduler.now
        self.scheduler.park(self._requests.waiter(number))
        if self.scheduler.now < began + REQUEST_S:
            self.scheduler.park(WaitingThread(began + REQUEST_S))
        return self._requests.answer(number)

    def check_reachable(self) -> None:
        """Raises ConnectionRefusedError while the test has disconnected the app."""
        if self.scheduler.now < self.disconnected_until:
            raise ConnectionRefusedError("the test has disconnected the app")

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
        self._requests.deliver(request["answers"])
        number = request["signal"]
        if number is not None:
            self._send_signal(number)
        self._run()
        if sys.platform != "win32" and self.alarm.is_due():
            self._send_signal(signal.SIGALRM)
            self._run()
        sent, self._sent = self._sent, {ROBOT: [], AUDIO: []}
        deadlines = (scheduler.next_deadline, self.alarm.deadline)
        return {
            "next": min((at for at in deadlines if at is not None), default=None),
            "sent": sent[ROBOT],
            "sent_audio": sent[AUDIO],
            "requests": self._requests.take_new(),
            "real_time_because": self._real_time_because,
            "ports": self.ports,
        }

    def _send_signal(self, number: int) -> None:
        if sys.platform != "win32":
            if callable(signal.getsignal(number)):
                self.scheduler.begin_signal()
            signal.pthread_kill(threading.main_thread().ident or 0, number)

    def _run(self) -> None:
        if self._real_time_because is not None:
            if not self.scheduler.run_until_idle(LOOK_S / 10):
                self.scheduler.let_others_run()
            return
        quiet, what = 0, "works without a pause"
        began = real_time.process_time()
        for _ in range(MOST_LOOKS):
            before = real_time.process_time()
            if before - began > LONGEST_S:
                break
            if self.scheduler.run_until_idle(LOOK_S):
                return
            worked = real_time.process_time() - before
            # Not the clock decides: on a loaded machine, a thread that is about to run may need seconds.
            is_quiet = self.scheduler.current is not None and worked < LOOK_S / 50
            quiet = quiet + 1 if is_quiet and not is_anything_runnable(self.scheduler.looking) else 0
            if quiet * LOOK_S >= STUCK_S:
                what = "waits"
                break
        self.use_real_time(f"{what} in {place_of(self.scheduler.current)}")
        self.scheduler.let_others_run()

    def _write(self, answer: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(answer).encode() + b"\n")


def place_of(thread: int | None) -> str:
    """File, line and function of the app where a thread is."""
    frame = sys._current_frames().get(thread or 0)
    frames = traceback.extract_stack(frame) if frame is not None else []
    libraries = ("site-packages", "/lib/python", str(Path(__file__).parent))
    own = [entry for entry in frames if not any(part in entry.filename for part in libraries)]
    for entry in (own or frames)[-1:]:
        return f"{entry.filename}:{entry.lineno} ({entry.name})"
    return "a thread that cannot be seen"
