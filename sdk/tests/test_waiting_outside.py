"""When an app counts as waiting for something outside: not while it can run, however loaded the machine is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from conftest import run_python
from robot_sdk_virtual_time.activity import is_anything_runnable
from scripted_daemon import DEADLINE_S

LOADED = """
import socket
from robot_sdk_virtual_time import connection_to_test
from robot_sdk_virtual_time.connection_to_test import ConnectionToTest
from robot_sdk_virtual_time.scheduler import Scheduler

connection_to_test.STUCK_S = 1e-9

class LoadedScheduler(Scheduler):
    looks = 40
    def run_until_idle(self, seconds):
        self.looks -= 1
        return self.looks < 0

scheduler = LoadedScheduler()
test, end = socket.socketpair()
connection = ConnectionToTest(end.detach(), scheduler)
scheduler.adopt_current()
if {is_about_to_run}:
    place = scheduler.new_thread()
    scheduler.leave()
request = dict(now=0, messages=[], audio=[], answers=[], signal=None, disconnected_until=None)
request |= dict(most_work=30, wants_positions=False)
print(connection._advance(request)["real_time_because"])
"""
"""A thread does not let the others run during 40 looks at it."""


@pytest.mark.parametrize(("is_about_to_run", "expected"), [(True, "None"), (False, "waits in")])
def test_a_thread_that_has_not_taken_its_turn_does_not_count_as_waiting(is_about_to_run: bool, expected: str) -> None:
    code, output, errors = run_python(LOADED.format(is_about_to_run=is_about_to_run))
    assert code == 0, errors
    assert output.startswith(expected), errors


INTERRUPTED = """
import _thread, os, signal, threading
from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread

def handle(*_): raise InterruptedError
signal.signal(signal.SIGALRM, handle)
main = threading.get_ident()
scheduler = Scheduler()
scheduler.adopt_current()

def control():
    scheduler.run_until_idle(30)
    scheduler.advance(1)
    scheduler.begin_signal()
    signal.pthread_kill(main, signal.SIGALRM)
    print(scheduler.run_until_idle(30), flush=True)
    os._exit(0)

_thread.start_new_thread(control, ())
try: scheduler.park(WaitingThread(1))
except InterruptedError: print("raised", flush=True)
scheduler.park(WaitingThread(2))
"""


def test_a_signal_whose_handler_raises_as_a_wait_ends_leaves_no_turn_behind() -> None:
    assert run_python(INTERRUPTED)[:2] == (0, "raised\nTrue\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the states of threads are files of Linux")
@pytest.mark.parametrize(
    ("work", "expected"),
    [
        ("time.sleep(60)", False),
        ("threading.Thread(target=time.sleep, args=(60,)).start()", False),
        ("while True: pass", True),
        ("subprocess.run([sys.executable, '-c', 'while True: pass'])", True),
    ],
)
def test_programs_that_the_app_has_started_are_seen_to_run_or_to_sleep(work: str, expected: bool) -> None:
    script = f"import subprocess, sys, threading, time\nprint('begun', flush=True)\n{work}"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as program:
        try:
            assert program.stdout is not None
            program.stdout.readline()
            # Other threads of these tests, and the program's start, run now and then, or wait for a processor.
            deadline = time.monotonic() + DEADLINE_S
            while is_anything_runnable() is not expected:
                assert time.monotonic() < deadline
        finally:
            os.killpg(program.pid, signal.SIGKILL)
