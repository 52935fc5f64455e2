"""Apps in virtual time, whatever they wait with, on the robot that the workbench simulates."""

from __future__ import annotations

import os
import re
import signal
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from robot_sdk.testing import AppUnderTest
from robot_sdk.testing.app_process import AppProcess
from robot_sdk.testing.simulated_robot import SimulatedRobot, WorkbenchMissingError, find_program

ROOT = Path(__file__).parents[2]
Start = Callable[[str], AppUnderTest]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts an app whose main module has a text."""
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    started: list[AppUnderTest] = []

    def start(text: str) -> AppUnderTest:
        (tmp_path / "tested_app.py").write_text(textwrap.dedent(text), "utf8")
        robot = SimulatedRobot()
        path = os.pathsep.join([str(tmp_path), str(ROOT / "sdk/src")])
        started.append(AppUnderTest(robot, AppProcess("tested_app", str(tmp_path), {"PYTHONPATH": path})))
        robot.wait_until_ready()
        return started[-1]

    yield start
    for tested in started:
        tested.close()


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
    "executor": "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(2) as pool: list(pool.map(time.sleep, [5, 5]))",
    "select": "import selectors, socket\na, b = socket.socketpair()\ns = selectors.DefaultSelector()\n"
    "s.register(a, 1); s.select(5)",
    "socket": "import socket\na, b = socket.socketpair(); a.settimeout(5)\ntry: a.recv(1)\nexcept TimeoutError: pass",
}


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS.keys())
def test_waits_take_no_time_and_end_when_due(start: Start, wait: str) -> None:
    tested = start(f"import threading, time\nprint(time.monotonic())\n{wait}\nprint(round(time.monotonic(), 3))")
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


def test_runs_are_bit_identical(start: Start) -> None:
    first, second = start(SWING), start(SWING)
    for tested in (first, second):
        tested.advance(3.0)
    assert first.antennas.right.values == second.antennas.right.values
    assert len(set(first.antennas.right.values)) > 50


def test_threads_run_in_the_same_order_each_time(start: Start) -> None:
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
    first, second = start(text), start(text)
    for tested in (first, second):
        tested.advance(1.0)
    assert first.log.split() == [word for number in "01234" for name in "abc" for word in (name, number)]
    assert first.lines == second.lines


APP = """
    import threading, time
    from robot_sdk import RobotApp

    class Tested(RobotApp):
        def run(self, robot, stop_event):
            {body}

    if __name__ == "__main__":
        app = Tested()
        try:
            app.wrapped_run()
        except KeyboardInterrupt:
            app.stop()
"""


def test_sees_touches_and_moves_the_robot(start: Start) -> None:
    tested = start(APP.format(body="robot.on_antenna_touch(lambda side: print('touched', side)); stop_event.wait()"))
    tested.advance(1.5)
    tested.touch("left")
    tested.advance(1.0)
    assert "touched left" in tested.log
    tested.stop()
    assert tested.exit_code == 0


def test_stop_returns_the_robot_to_its_default_pose(start: Start) -> None:
    tested = start(APP.format(body="robot.goto_target(antennas=[1, 1], duration=0.5); stop_event.wait()"))
    tested.advance(2.0)
    assert tested.antennas.right.now == pytest.approx(57.3, abs=3)
    tested.stop()
    assert tested.antennas.right.now == pytest.approx(-10, abs=3)


def test_an_app_that_ignores_the_stop_is_killed_and_fails_the_test(start: Start) -> None:
    tested = start(APP.format(body="threading.Event().wait()"))
    tested.advance(1.0)
    with pytest.raises(AssertionError, match=r"did not end within 20 s of SIGINT and was killed"):
        tested.stop()
    assert tested.time == pytest.approx(21, abs=0.2)
    assert tested.exit_code == -signal.SIGKILL


def test_an_error_of_the_app_fails_the_stop_with_its_traceback(start: Start) -> None:
    tested = start(APP.format(body="time.sleep(0.5); raise RuntimeError('out of ideas')"))
    tested.advance(1.0)
    assert not tested.is_running
    with pytest.raises(AssertionError, match=r"(?s)exit code 1.*RuntimeError: out of ideas"):
        tested.stop()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import subprocess; subprocess.run(['sleep', '1.5'])", r"waits in .*tested_app\.py:\d+ \(run\)"),
        (
            "import socket; socket.socket().connect_ex(('127.0.0.1', 9)); stop_event.wait()",
            r"connects to 127\.0\.0\.1:9",
        ),
    ],
)
def test_what_has_a_time_of_its_own_makes_the_test_run_in_real_time(start: Start, body: str, why: str) -> None:
    tested = start(APP.format(body=body))
    began = time.monotonic()
    tested.advance(2.0)
    assert tested.real_time_because is not None
    assert re.search(why, tested.real_time_because)
    assert time.monotonic() - began > 1.0
    assert "runs in real time from here on" in tested.log


def test_two_apps_with_a_page_at_the_same_port(start: Start) -> None:
    text = APP.format(body="self.settings_app.get('/n')(lambda: 7); stop_event.wait()")
    text = text.replace("def run", "custom_app_url = 'http://localhost:8042'\n        def run")
    first, second = start(text), start(text)
    for tested in (first, second):
        tested.advance(1.0)
    for tested in (first, second):
        assert tested.request("GET", "/n") == (200, "7")
        tested.stop()


@pytest.mark.parametrize("template", ["default", "page", "settings"])
def test_every_template_moves_and_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, template: str) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    path = os.pathsep.join([str(ROOT / "assistant/create/templates" / template), str(ROOT / "sdk/src")])
    robot = SimulatedRobot()
    tested = AppUnderTest(robot, AppProcess("template_app.main", str(tmp_path), {"PYTHONPATH": path}))
    try:
        robot.wait_until_ready()
        tested.advance(5.0)
        assert tested.antennas.right.max() - tested.antennas.right.min() > 5
        tested.stop()
        assert tested.real_time_because is None
    finally:
        tested.close()


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_advance_takes_seconds(start: Start, seconds: float) -> None:
    with pytest.raises(ValueError, match="advance takes seconds from 0, not"):
        start("").advance(seconds)


def test_there_are_two_antennas(start: Start) -> None:
    with pytest.raises(ValueError, match=r'the antennas are "right" and "left", not \'top\''):
        start("").touch("top")  # type: ignore[arg-type]


def test_a_missing_workbench_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_DAEMON", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WorkbenchMissingError, match=r"npm install --global robot-daemon.*ROBOT_DAEMON"):
        find_program()
