"""Apps that wait for something outside of the test: the test runs in real time from then on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import TESTED_APP, StartTested
from robot_sdk.testing import AppUnderTest
from scripted_daemon import DEADLINE_S


def advance_until(tested: AppUnderTest, is_done: Callable[[], bool]) -> None:
    """Advances an app that runs in real time, for which a busy machine may need long."""
    deadline = tested.time + DEADLINE_S
    while not is_done() and tested.time < deadline:
        tested.advance(0.1)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import subprocess; subprocess.run(['sleep', '60'])", r"waits in .*tested_app\.py:\d+ \(run\)"),
        (
            "import multiprocessing as m; m.get_context('spawn').Process(target=int).start(); stop_event.wait()",
            r"starts another process in .*tested_app\.py:\d+ \(run\)",
        ),
        (
            "import socket; socket.socket().connect_ex(('127.0.0.1', 9)); stop_event.wait()",
            r"connects to 127\.0\.0\.1:9",
        ),
    ],
)
def test_programs_and_connections_make_the_test_run_in_real_time(
    start_tested: StartTested, body: str, why: str
) -> None:
    tested = start_tested(TESTED_APP.format(body=body))
    began = time.monotonic()
    tested.advance(2.0)
    assert tested.real_time_because is not None
    assert re.search(why, tested.real_time_because)
    assert time.monotonic() - began > 1.0
    assert "runs in real time from here on" in tested.log


def test_an_app_that_forks_runs_in_real_time_and_leaves_no_process(start_tested: StartTested) -> None:
    tested = start_tested(
        "import os, time\npid = os.fork()\nif pid == 0:\n  time.sleep(1000)\ntime.sleep(0.2)\nprint(pid)"
    )
    advance_until(tested, lambda: not tested.is_running)
    assert re.search(r"forks in .*tested_app\.py:2", tested.real_time_because or "")
    assert tested.exit_code == 0
    tested.close()
    pid = int(tested.lines[-1][1])
    # On a loaded machine, a process that was killed needs a processor for its end.
    deadline = time.monotonic() + DEADLINE_S
    while not has_ended(pid) and time.monotonic() < deadline:
        pass
    assert has_ended(pid)


def has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_forked_child_of_multiprocessing_works(start_tested: StartTested) -> None:
    tested = start_tested("""
        import multiprocessing, time
        def work(queue): time.sleep(0.1); queue.put(5)
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=work, args=(queue,))
        child.start()
        print(queue.get(timeout=60))
        child.join()
    """)
    advance_until(tested, lambda: not tested.is_running)
    assert "5" in tested.log.split()
    assert tested.exit_code == 0


@pytest.mark.thorough
def test_a_program_that_sleeps_is_waited_for_in_real_time(start_tested: StartTested) -> None:
    tested = start_tested("""
        import subprocess, time
        time.sleep(0.5)
        print(subprocess.run(["sh", "-c", "sleep 8; echo hi"], capture_output=True, timeout=60).stdout)
    """)
    advance_until(tested, lambda: not tested.is_running)
    assert "b'hi\\n'" in tested.log
    assert re.search(r"waits in .*tested_app\.py:4", tested.real_time_because or "")


def test_a_program_that_does_not_sleep_takes_no_time(start_tested: StartTested) -> None:
    work = "import time; began = time.monotonic()\nwhile time.monotonic() < began + 1.3: pass\nprint('hi')"
    tested = start_tested(f"""
        import subprocess, sys, time
        for options in ({{}}, {{"timeout": 0.1}}):
            print(subprocess.run([sys.executable, "-c", {work!r}], capture_output=True, text=True, **options).stdout)
            print(time.monotonic())
    """)
    tested.advance(0.1)
    assert tested.log.split() == ["hi", "0.0"] * 2
    assert tested.real_time_because is None
