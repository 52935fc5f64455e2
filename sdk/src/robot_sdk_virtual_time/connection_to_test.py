"""The connection to the test, which decides the time."""

from __future__ import annotations

import _thread
import contextlib
import json
import math
import os
import signal
import socket
import sys
import threading
import traceback
from typing import Any

from robot_sdk_virtual_time import real_time
from robot_sdk_virtual_time.activity import is_a_thread_running, is_anything_runnable
from robot_sdk_virtual_time.deadlocks import deadlock_of
from robot_sdk_virtual_time.exchange import AUDIO, ROBOT, Budget, Exchange
from robot_sdk_virtual_time.failures import Failures
from robot_sdk_virtual_time.positions import place_of, positions_of_threads
from robot_sdk_virtual_time.scheduler import Scheduler

STUCK_S = 1.0
"""Real seconds for which nothing of the app can run after which it counts as waiting for something outside."""
SHORT_WAIT_S = 0.15
"""Real seconds of such a wait that count when the app goes on before `STUCK_S`."""
LOOK_S = 0.05
"""Real seconds between two looks at a thread."""
MOST_LOOKS = 1200
"""Looks after which a program that works, or a disk, is not waited for any longer: the test waits for 180 s at most."""


class ConnectionToTest:
    """The controlling thread's end of the connection to the test."""

    def __init__(self, file_descriptor: int, scheduler: Scheduler) -> None:
        self._socket = socket.socket(fileno=file_descriptor)
        self._reader = self._socket.makefile("r", encoding="utf8")
        self._writing = _thread.allocate_lock()
        self.scheduler = scheduler
        self.exchange = Exchange(scheduler, self._fail, end_processes)
        self.failures: Failures | None = None
        self._waited = 0.0
        self._deadlock: str | None = None
        self._work = Budget(math.inf)
        """Of processor time; the test says how much."""
        if sys.platform != "win32":
            os.register_at_fork(before=self._notice_fork, after_in_child=self._leave_to_parent)

    def _notice_fork(self) -> None:
        self.exchange.use_real_time(f"forks in {place_of(threading.get_ident())}")

    def _leave_to_parent(self) -> None:
        """Called in a forked process: the end of its parent has to end the connection."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, self._socket.fileno(), inheritable=False)
        os.close(nothing)
        self.scheduler.continue_forked()

    def serve(self) -> None:
        """Advances the time as the test says, until the app ends. Runs in the controlling thread."""
        if sys.platform != "win32":
            # As without a test: the signals that the app blocks in its threads wait for it.
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            for line in self._reader:
                self._write(self._advance(json.loads(line)))
        except BaseException:
            traceback.print_exc()
        finally:
            # The test has ended: so do the programs that the app has started.
            end_processes()

    def _advance(self, request: dict[str, Any]) -> dict[str, Any]:
        scheduler, exchange = self.scheduler, self.exchange
        scheduler.advance(float(request["now"]))
        self._work.most = float(request["most_work"])
        if request["disconnected_until"] is not None:
            exchange.disconnected_until = float(request["disconnected_until"])
            for end in exchange.sockets:
                end.drop()
        for name, key in ((ROBOT, "messages"), (AUDIO, "audio")):
            for end in exchange.sockets:
                if end.name == name:
                    end.deliver(request[key])
        exchange.requests.deliver(request["answers"])
        number = request["signal"]
        if number is not None:
            if self.failures is not None:
                self.failures.is_stopped = True
            self._send_signal(number)
        self._run()
        if sys.platform != "win32" and exchange.alarm.is_due():
            self._send_signal(signal.SIGALRM)
            self._run()
        if self.failures is not None:
            self.failures.look()
        before, self._deadlock = self._deadlock, deadlock_of(scheduler)
        if self._deadlock is not None and self._deadlock != before:
            self._fail(self._deadlock)
        sent = exchange.take_sent()
        deadlines = (scheduler.next_deadline, exchange.alarm.deadline)
        return {
            "next": min((at for at in deadlines if at is not None), default=None),
            "sent": sent[ROBOT],
            "sent_audio": sent[AUDIO],
            "requests": exchange.requests.take_new(),
            "real_time_because": exchange.real_time_because,
            "waited": self._waited,
            "ports": exchange.ports,
            "positions": self._positions() if request["wants_positions"] else [],
        }

    def _positions(self) -> list[str]:
        tasks = self.failures.positions_of_tasks() if self.failures is not None else []
        return [*positions_of_threads(), *tasks]

    def _send_signal(self, number: int) -> None:
        if sys.platform != "win32":
            if callable(signal.getsignal(number)):
                self.scheduler.begin_signal()
            signal.pthread_kill(threading.main_thread().ident or 0, number)

    def _run(self) -> None:
        began = work_of_app()
        if self.exchange.real_time_because is not None:
            if not self.scheduler.run_until_idle(LOOK_S / 10):
                self.scheduler.let_others_run()
            return
        looks = 0
        place, quiet_since = "", real_time.monotonic()
        while looks < MOST_LOOKS:
            is_idle = self.scheduler.run_until_idle(LOOK_S)
            ended = work_of_app()
            worked, began = ended - began, ended
            self._check_work(worked)
            quiet = real_time.monotonic() - quiet_since if place else 0.0
            # Not the clock decides: on a loaded machine, a thread that is about to run may need seconds.
            looks_only = worked < LOOK_S / 50 or bool(self.scheduler.looking)
            is_quiet = not is_idle and self.scheduler.current is not None and looks_only
            is_quiet = is_quiet and not is_anything_runnable(self.scheduler.looking)
            if quiet >= (STUCK_S if is_quiet else SHORT_WAIT_S):
                self._use_real_time(place, quiet)
                return
            if is_idle:
                return
            if not is_quiet:
                place, quiet_since = "", real_time.monotonic()
            elif not place:
                place = place_of(self.scheduler.current)
            looks += not is_a_thread_running(self.scheduler.looking)
            self._write({})
        self._use_real_time(place_of(self.scheduler.current), 0.0)

    def _use_real_time(self, place: str, waited: float) -> None:
        """The app has waited for something outside for some real seconds: they have passed for the robot, too."""
        self.exchange.use_real_time(f"waits in {place}")
        self._waited = waited
        self.scheduler.let_others_run()

    def _check_work(self, worked: float) -> None:
        """Ends the app when it has used more processor time than it may."""
        if self._work.spend(worked, self.scheduler.now):
            current = self.scheduler.current
            self.exchange.end_without_pause(current, f"{self._work.most:g} s of processor time")

    def _fail(self, failure: str) -> None:
        # Raised in a forked process, which has no connection.
        with contextlib.suppress(OSError):
            self._write({"failure": failure})

    def _write(self, answer: dict[str, Any]) -> None:
        with self._writing:
            self._socket.sendall(json.dumps(answer).encode() + b"\n")


def work_of_app() -> float:
    """Seconds of processor time that the process has used, without the calling thread, which looks at the others."""
    return real_time.process_time() - real_time.thread_time()


def end_processes() -> None:
    """Ends the app's process and those that it has started."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(70)
