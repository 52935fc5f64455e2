"""Apps in virtual time, whatever they wait with, on the robot that the workbench simulates."""

from __future__ import annotations

import pytest

from conftest import StartTested
from robot_sdk.testing import AppFailedError

WAITS = {
    "sleep": "time.sleep(5)",
    "event": "threading.Event().wait(5)",
    "condition": "c = threading.Condition()\nwith c: c.wait(5)",
    "queue": "import queue\ntry: queue.Queue().get(timeout=5)\nexcept queue.Empty: pass",
    "simple queue": "import queue\ntry: queue.SimpleQueue().get(timeout=5)\nexcept queue.Empty: pass",
    "lock": "l = threading.Lock(); l.acquire(); l.acquire(timeout=5)",
    "join": "threading.Thread(target=time.sleep, args=(5,)).start()\nfor t in threading.enumerate():\n"
    "  if t is not threading.main_thread(): t.join()",
    "timer": "e = threading.Event(); threading.Timer(5, e.set).start(); e.wait()",
    "asyncio": "import asyncio; asyncio.run(asyncio.sleep(5))",
    "asyncio thread": "import asyncio; asyncio.run(asyncio.to_thread(time.sleep, 5))",
    "uvloop": "import asyncio, uvloop; uvloop.run(asyncio.sleep(5))",
    "thread of _thread": "import _thread\ne = threading.Event()\n"
    "_thread.start_new_thread(lambda: (time.sleep(5), e.set()), ()); e.wait()",
    "executor": "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(2) as pool: list(pool.map(time.sleep, [5, 5]))",
    "select": "import selectors, socket\na, b = socket.socketpair()\ns = selectors.DefaultSelector()\n"
    "s.register(a, 1); s.select(5)",
    "select function": "import select; select.select([], [], [], 5)",
    "poll": "import select, socket\na, b = socket.socketpair()\np = select.poll()\np.register(a, 1); p.poll(5000)",
    "alarm": "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.alarm(5); signal.pause()",
    "interval timer": "import signal\ne = threading.Event()\nsignal.signal(signal.SIGALRM, lambda *_: e.set())\n"
    "signal.setitimer(signal.ITIMER_REAL, 5); e.wait()",
    "own port": "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 8042)); s.listen()\n"
    "def answer(): c, _ = s.accept(); time.sleep(5); c.sendall(b'x')\n"
    "threading.Thread(target=answer).start()\nsocket.create_connection(('127.0.0.1', 8042)).recv(1)",
    "socket": "import socket\na, b = socket.socketpair(); a.settimeout(5)\ntry: a.recv(1)\nexcept TimeoutError: pass",
}


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS.keys())
def test_waits_take_no_time_and_end_when_due(start_tested: StartTested, wait: str) -> None:
    tested = start_tested(f"import threading, time\nprint(time.monotonic())\n{wait}\nprint(round(time.monotonic(), 3))")
    tested.advance(4.9)
    assert tested.lines == [(0, "0.0")]
    tested.advance(0.2)
    assert tested.lines[1:] == [(5.0, "5.0")]
    assert tested.exit_code == 0
    assert tested.real_time_because is None


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
