"""Apps in virtual time, whatever they wait with, on the robot that the workbench simulates."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from conftest import ROOT, StartTested
from robot_sdk.testing import AppFailedError
from robot_sdk.testing.app_process import AppProcess
from ways_to_wait import REAL, REFUSED, VIRTUAL


@pytest.mark.parametrize("wait", VIRTUAL.values(), ids=VIRTUAL.keys())
def test_waits_take_no_time_and_end_when_due(start_tested: StartTested, wait: str) -> None:
    tested = start_tested(f"import threading, time\nprint(time.monotonic())\n{wait}\nprint(round(time.monotonic(), 3))")
    tested.advance(4.9)
    assert tested.lines == [(0, "0.0")]
    tested.advance(0.2)
    ((at, line),) = tested.lines[1:]
    assert (at, float(line)) == pytest.approx((5, 5), abs=0.01)
    assert tested.exit_code == 0
    assert tested.real_time_because is None


@pytest.mark.parametrize("body", REAL.values(), ids=REAL.keys())
def test_waits_that_cannot_be_virtual_take_real_time_without_loss(tmp_path: Path, body: str) -> None:
    """Each waits for two seconds of another clock; the time that passes until that is noticed is not lost."""
    (tmp_path / "tested_app.py").write_text(f"import time\n{body}\nprint('on')", "utf8")
    app = AppProcess("tested_app", str(tmp_path), [str(tmp_path), str(ROOT / "sdk/src")])
    try:
        report = app.step(0.0, [], [], [])
        assert report is not None
        because = report.real_time_because or ""
        assert "tested_app.py" in because or "asyncio" in because
        assert because.startswith(("starts", "forks")) or report.waited > 0.9
        began = time.monotonic()
        while report is not None:
            time.sleep(0.01)
            report = app.step(time.monotonic() - began, [], [], [])
        assert app.read_output(is_last=True) == ["on"]
    finally:
        app.kill()


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_waits_that_are_mistakes_fail_with_their_line(start_tested: StartTested, body: str) -> None:
    tested = start_tested(f"import time\nfrom robot_sdk import Robot\nrobot = Robot()\n{body}")
    tested.most_work = 3
    with pytest.raises(AppFailedError, match=r"tested_app\.py:\d+ \("):
        tested.advance(5.0)


def test_each_way_to_wait_of_the_page_has_a_test() -> None:
    page = (ROOT / "docs/testing-apps.md").read_text("utf8")
    rows = {
        kind: set(re.findall(rf"^\| ([^|]+) \| {kind}\b", page, re.MULTILINE))
        for kind in ("virtual", "real", "refused")
    }
    rows["real"].remove("a connection to another machine")  # tests/test_real_time.py
    assert {"virtual": set(VIRTUAL), "real": set(REAL), "refused": set(REFUSED)} == rows


def test_the_locks_are_still_those_of_python(start_tested: StartTested) -> None:
    tested = start_tested("""
        import threading, weakref
        for kind in (threading.Lock, threading.RLock):
            lock = kind()
            with lock: print(type(lock).__module__, isinstance(lock, type(kind())), weakref.ref(lock)() is lock)
        lock = threading.RLock()
        condition = threading.Condition(lock)
        with lock, lock, condition: condition.notify()
        class Own(threading.Event): pass
        class OwnThread(threading.Thread): pass
        print(isinstance(Own(), threading.Event), isinstance(OwnThread(), threading.Thread))
    """)
    tested.advance(0.1)
    assert tested.log.splitlines() == ["_thread True True"] * 2 + ["True True"]


SWING = """
    import random, time
    from robot_sdk import Robot

    with Robot() as robot:
        while True:
            robot.set_target(antennas=[random.uniform(-1, 1), 0.5])
            time.sleep(0.02)
"""


def test_runs_are_bit_identical(start_tested: StartTested) -> None:
    first, second = start_tested(SWING), start_tested(SWING)
    for tested in (first, second):
        tested.advance(3.0)
    assert first.antennas.right.values == second.antennas.right.values
    assert len(set(first.antennas.right.values)) > 50


def test_random_numbers_are_the_same_each_time(start_tested: StartTested) -> None:
    text = "import random, numpy\nprint(random.random(), numpy.random.rand(), numpy.random.default_rng().random())"
    logs = set()
    for _ in range(2):
        tested = start_tested(text)
        tested.advance(0.1)
        logs.add(tested.log)
    assert len(logs) == 1
    assert len(logs.pop().split()) == 3


def test_threads_run_in_the_same_order_each_time(start_tested: StartTested) -> None:
    text = """
        import threading, time
        def count(name):
            for number in range(5):
                print(name, number)
                time.sleep(0.1)
        threads = [threading.Thread(target=count, args=(name,)) for name in "abc"]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """
    first, second = start_tested(text), start_tested(text)
    for tested in (first, second):
        tested.advance(1.0)
    assert first.log.split() == [word for number in "01234" for name in "abc" for word in (name, number)]
    assert first.lines == second.lines


def test_all_clocks_and_dates_are_virtual(start_tested: StartTested) -> None:
    tested = start_tested("""
        import datetime, pickle, time
        from datetime import timezone
        time.sleep(1.5)
        print(datetime.datetime.now(timezone.utc), datetime.datetime.utcnow(), datetime.date.today())
        print(time.gmtime()[:6], time.strftime("%Y"), time.clock_gettime(time.CLOCK_MONOTONIC))
        print(pickle.loads(pickle.dumps(datetime.datetime.now())).year, datetime.datetime.now().tzinfo)
    """)
    tested.advance(1.6)
    assert tested.log.splitlines() == [
        "2020-01-01 00:00:01.500000+00:00 2020-01-01 00:00:01.500000 2020-01-01",
        "(2020, 1, 1, 0, 0, 1) 2020 1.5",
        "2020 None",
    ]


def test_a_clock_is_no_method_of_a_class_that_has_it(start_tested: StartTested) -> None:
    tested = start_tested("""
        import logging, time
        class Timer:
            clock, sleep = time.monotonic, time.sleep
        Timer().sleep(1.5)
        logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%Y")
        logging.warning(Timer().clock())
    """)
    tested.advance(1.6)
    assert tested.log == "2020 1.5\n"


def test_an_alarm_without_a_handler_ends_the_app(start_tested: StartTested) -> None:
    tested = start_tested("import signal, time\nsignal.alarm(1)\ntime.sleep(5)")
    with pytest.raises(AppFailedError, match="exit code -14 at 1.00 s"):
        tested.advance(2.0)
    assert tested.real_time_because is None


def test_a_finished_thread_is_not_kept(start_tested: StartTested) -> None:
    tested = start_tested("""
        import gc, threading, weakref
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        kept = weakref.ref(thread)
        del thread
        gc.collect()
        print(kept())
    """)
    tested.advance(0.1)
    assert tested.log == "None\n"


LOOKS = {
    "sleep(0)": "while time.monotonic() < 0.2: time.sleep(0)",
    "short sleeps": "while time.monotonic() < 0.2: time.sleep(1e-7)",
    "clock": "while time.monotonic() < 0.2: pass",
    "event": "e = threading.Event(); threading.Timer(0.2, e.set).start()\nwhile not e.wait(0): pass",
    "asyncio": "import asyncio\nasync def look():\n  while time.monotonic() < 0.2: await asyncio.sleep(0)\n"
    "asyncio.run(look())",
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_a_loop_that_looks_without_waiting_lets_the_time_go_on(start_tested: StartTested, look: str) -> None:
    tested = start_tested(f"import threading, time\n{look}\nprint('on')")
    tested.advance(0.3)
    assert "on" in tested.log
    assert tested.real_time_because is None


def test_a_wrong_sleep_raises(start_tested: StartTested) -> None:
    tested = start_tested("import time\ntime.sleep(float('nan'))")
    with pytest.raises(AppFailedError, match="ValueError: sleep length must be non-negative"):
        tested.advance(0.1)


def test_the_signal_handler_of_asyncio_ends_the_app(start_tested: StartTested) -> None:
    tested = start_tested("""
        import asyncio, signal
        async def main():
            event = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, event.set)
            await event.wait()
            await asyncio.sleep(0.5)
            print("stopped")
        asyncio.run(main())
    """)
    tested.advance(1.0)
    tested.stop()
    assert tested.lines == [(1.5, "stopped")]
    assert tested.real_time_because is None


def test_an_app_that_ignores_signals_stays_in_virtual_time(start_tested: StartTested) -> None:
    tested = start_tested("import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(2)")
    tested.advance(1.0)
    tested.stop()
    assert tested.real_time_because is None


def test_functions_of_time_go_to_another_process_by_their_names(start_tested: StartTested) -> None:
    tested = start_tested("""
        import pickle, time
        for name in ("sleep", "monotonic", "monotonic_ns", "perf_counter", "time", "time_ns", "localtime"):
            function = getattr(time, name)
            print(pickle.loads(pickle.dumps(function)) is function)
    """)
    tested.advance(0.1)
    assert tested.log == "True\n" * 7
