"""An app that goes wrong fails its test by its own name: dead, in a thread or task, in a deadlock, without a pause."""

from __future__ import annotations

import re

import pytest

from conftest import TESTED_APP, StartTested
from robot_sdk.testing import AppFailedError

LOOP = "while not stop_event.is_set(): robot.set_target(antennas=[0, 0]); time.sleep(0.02)"


def app(body: str) -> str:
    return TESTED_APP.format(body=body.replace("\n", "\n            "))


FAIL = "def fail(): time.sleep(0.5); raise ValueError('out of ideas')\n"
AFAIL = "import asyncio\nasync def fail(): await asyncio.sleep(0.5); raise ValueError('out of ideas')\n"
DEATHS = {
    "run": (FAIL + "fail()", "the app ended with exit code 1 at 0.50 s"),
    "exit": ("import sys; time.sleep(0.5); sys.exit('out of ideas')", "exit code 1"),
    "run beside a thread": (
        "threading.Thread(target=stop_event.wait).start()\n" + FAIL + "fail()",
        "the main thread of the app",
    ),
    "thread": (FAIL + f"threading.Thread(target=fail, name='blinker').start()\n{LOOP}", "thread blinker of the app"),
    "timer": (
        FAIL + f"threading.Timer(0.1, fail).start()\n{LOOP}",
        "thread Thread-",
    ),
    "thread of _thread": (FAIL + f"import _thread; _thread.start_new_thread(fail, ())\n{LOOP}", "thread .* of the app"),
    "thread whose error a hook prints": (
        FAIL + f"threading.excepthook = print\nthreading.Thread(target=fail, name='blinker').start()\n{LOOP}",
        "thread blinker",
    ),
    "executor": (
        FAIL + "from concurrent.futures import ThreadPoolExecutor\n"
        f"pool = ThreadPoolExecutor(); pool.submit(fail)\n{LOOP}",
        "a future",
    ),
    "task that is lost": (
        AFAIL + "async def main():\n  asyncio.create_task(fail(), name='blinker')\n  await asyncio.sleep(5)\n"
        "asyncio.run(main())",
        "task blinker",
    ),
    "task that is kept": (
        AFAIL + "async def main():\n  task = asyncio.create_task(fail(), name='blinker')\n  await asyncio.sleep(5)\n"
        "asyncio.run(main())",
        "task blinker",
    ),
    "callback of a loop": (
        "import asyncio\nasync def main():\n  loop = asyncio.get_running_loop()\n"
        "  def fail(): raise ValueError('out of ideas')\n"
        "  loop.call_later(0.5, fail)\n  await asyncio.sleep(5)\nasyncio.run(main())",
        "TimerHandle",
    ),
    "job of a loop's executor": (
        FAIL + "import asyncio\nasync def main():\n  asyncio.get_running_loop().run_in_executor(None, fail)\n"
        "  await asyncio.sleep(5)\nasyncio.run(main())",
        "a future",
    ),
    "coroutine of another thread": (
        AFAIL + "loop = asyncio.new_event_loop(); threading.Thread(target=loop.run_forever, daemon=True).start()\n"
        f"future = asyncio.run_coroutine_threadsafe(fail(), loop)\n{LOOP}",
        "a future",
    ),
    "callback of the robot": (
        f"def fail(on): raise ValueError('out of ideas')\nrobot.on_antenna_touch(fail)\n{LOOP}",
        "a callback of ",
    ),
}


@pytest.mark.parametrize(("body", "name"), DEATHS.values(), ids=DEATHS.keys())
def test_what_dies_in_the_app_fails_the_test_by_its_name(start_tested: StartTested, body: str, name: str) -> None:
    tested = start_tested(app(body))
    with pytest.raises(AppFailedError, match=rf"(?s){name}.*out of ideas") as raised:
        tested.advance(0.4)
        tested.touch("left")
        tested.advance(4.0)
    assert raised.value.args[0].count("ValueError: out of ideas") <= 1
    tested.advance(0.2)  # it is raised once
    assert tested.real_time_because is None


def test_an_error_at_the_stop_fails_the_stop(start_tested: StartTested) -> None:
    body = "def fail(): stop_event.wait(); raise ValueError('out of ideas')\nthreading.Thread(target=fail).start()"
    tested = start_tested(app(f"{body}\nstop_event.wait()"))
    tested.advance(1.0)
    with pytest.raises(AppFailedError, match=r"(?s)thread Thread-.*in fail.*ValueError: out of ideas"):
        tested.stop()


HANDLED = {
    "a future that is read": FAIL + "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor() as pool: future = pool.submit(fail)\nprint(future.exception())",
    "a task that is awaited": AFAIL + "async def main():\n  task = asyncio.create_task(fail())\n"
    "  await asyncio.sleep(1)\n  try: await task\n  except ValueError: print('handled')\nasyncio.run(main())",
    "a task that is cancelled": AFAIL + "async def main():\n  task = asyncio.create_task(asyncio.sleep(9))\n"
    "  await asyncio.sleep(1)\n  task.cancel()\n  await asyncio.sleep(2)\nasyncio.run(main())",
    "tasks that are gathered": AFAIL + "async def main():\n"
    "  print(await asyncio.gather(fail(), fail(), return_exceptions=True))\nasyncio.run(main())",
    "a thread that exits": "import sys; threading.Thread(target=sys.exit).start()",
}


@pytest.mark.parametrize("body", HANDLED.values(), ids=HANDLED.keys())
def test_what_the_app_handles_fails_nothing(start_tested: StartTested, body: str) -> None:
    tested = start_tested(app(f"{body}\n{LOOP}"))
    tested.advance(4.0)
    tested.stop()


def test_a_crash_of_c_shows_where(start_tested: StartTested) -> None:
    tested = start_tested(app("import ctypes\nctypes.string_at(0)"))
    with pytest.raises(AppFailedError, match=r"(?s)exit code -11.*tested_app\.py\", line \d+ in run"):
        tested.advance(1.0)


def test_an_app_that_ends_by_itself_is_said_before_the_stop_succeeds(start_tested: StartTested) -> None:
    tested = start_tested(app("time.sleep(0.5)"))
    tested.advance(1.0)
    assert not tested.is_running
    with pytest.raises(AssertionError, match=r"ended by itself at 0\.50 s with exit code 0"):
        tested.stop()


DEADLOCKS = {
    "two locks": "a, b = threading.Lock(), threading.Lock()\n"
    "def other():\n  with b:\n    time.sleep(0.1)\n    with a: pass\n"
    "threading.Thread(target=other, name='other').start()\n"
    "with a:\n  time.sleep(0.1)\n  with b: pass",
    "two locks by calls": "a, b = threading.RLock(), threading.Lock()\n"
    "def other(): b.acquire(); time.sleep(0.1); a.acquire()\n"
    "threading.Thread(target=other, name='other').start()\na.acquire(); time.sleep(0.1); b.acquire()",
    "a lock in itself": "a = threading.Lock()\nwith a:\n  with a: pass",
    "a join under a lock": "a = threading.Lock()\n"
    "def other():\n  with a: pass\n"
    "with a:\n  t = threading.Thread(target=other, name='other'); t.start(); t.join()",
}


@pytest.mark.parametrize("body", DEADLOCKS.values(), ids=DEADLOCKS.keys())
def test_a_deadlock_says_where_each_thread_stands(start_tested: StartTested, body: str) -> None:
    tested = start_tested(app(body))
    with pytest.raises(AppFailedError) as raised:
        tested.advance(1.0)
    said = str(raised.value)
    assert said.startswith("the app is in a deadlock:")
    named = ["MainThread", "other"] if "other" in body else ["MainThread"]
    for name in named:
        assert re.search(rf"thread {name} waits in .*tested_app\.py:\d+ \(\w+\) for thread", said)


NO_DEADLOCKS = {
    "a lock as a gate": "gate = threading.Lock(); gate.acquire()\n"
    "threading.Timer(1, gate.release).start()\ngate.acquire()",
    "an event": "e = threading.Event(); threading.Timer(1, e.set).start(); e.wait()",
    "a lock with a limit": "a = threading.Lock()\nwith a: a.acquire(timeout=1)",
    "a join": "t = threading.Thread(target=time.sleep, args=(1,)); t.start(); t.join()",
    "a condition": "c = threading.Condition()\ndef other():\n  time.sleep(1)\n  with c: c.notify()\n"
    "threading.Thread(target=other).start()\nwith c: c.wait()",
}


@pytest.mark.parametrize("body", NO_DEADLOCKS.values(), ids=NO_DEADLOCKS.keys())
def test_a_wait_that_ends_is_no_deadlock(start_tested: StartTested, body: str) -> None:
    tested = start_tested(app(f"{body}\nprint('on')\n{LOOP}"))
    tested.advance(2.0)
    assert "on" in tested.log
    tested.stop()


def test_an_app_that_ignores_the_stop_says_where_its_threads_and_tasks_stand(start_tested: StartTested) -> None:
    body = "import asyncio\nasync def wait(): await asyncio.Event().wait()\nasyncio.run(wait())"
    tested = start_tested(app("threading.Thread(target=threading.Event().wait, name='unused').start()\n" + body))
    tested.advance(1.0)
    with pytest.raises(AssertionError, match=r"(?s)was killed.*thread MainThread: .*\(run\).*task Task-1: .*\(wait\)"):
        tested.stop()


SPINS = {
    "targets": "while not stop_event.is_set(): robot.set_target(antennas=[0, 0])",
    "targets between looks at the clock": "while time.monotonic() < 1000: robot.set_target(antennas=[0, 0])",
    "targets with a pause of nothing": "while True: robot.set_target(antennas=[0, 0]); time.sleep(0)",
    "in a thread": "def spin():\n  while True: robot.set_target(antennas=[0, 0])\n"
    "threading.Thread(target=spin).start()\nstop_event.wait()",
    "an event": "while not stop_event.is_set(): pass",
    "nothing": "while True: pass",
}


@pytest.mark.parametrize("body", SPINS.values(), ids=SPINS.keys())
def test_a_loop_without_a_pause_fails_with_its_line(start_tested: StartTested, body: str) -> None:
    tested = start_tested(app(f"time.sleep(0.1)\n{body}"))
    tested.most_work = 3
    with pytest.raises(AppFailedError, match=r"works without a pause in .*tested_app\.py:\d+ \((run|spin)\)"):
        tested.advance(100.0)
    assert tested.time < 2
    assert tested.real_time_because is None
    assert not tested.is_running


def test_a_coroutine_that_is_not_awaited_fails_with_its_line(start_tested: StartTested) -> None:
    body = (
        "import asyncio\nasync def main():\n  while not stop_event.is_set(): asyncio.sleep(0.02)\nasyncio.run(main())"
    )
    tested = start_tested(app(body))
    tested.most_work = 3
    with pytest.raises(AppFailedError, match=r"the coroutine sleep is not awaited in .*tested_app\.py:\d+ \(main\)"):
        tested.advance(1.0)


def test_work_within_the_budget_is_no_loop_without_a_pause(start_tested: StartTested) -> None:
    """Of each tenth of a second, a part is work: much in all, and never too much in one second."""
    body = (
        "began = time.process_time()\nfor at in range(40):\n  time.sleep(0.1)\n"
        "  while time.process_time() < began + 0.1 * at: pass\nprint('on')\nstop_event.wait()"
    )
    tested = start_tested(app(body))
    tested.most_work = 3
    tested.advance(5.0)
    assert "on" in tested.log
    tested.stop()
    assert tested.real_time_because is None
