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
from robot_sdk.testing.plugin import folder_of_app, main_module_of
from robot_sdk.testing.simulated_robot import RobotEndedError, SimulatedRobot, WorkbenchMissingError, find_program

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
    "select function": "import select; select.select([], [], [], 5)",
    "own port": "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 8042)); s.listen()\n"
    "def answer(): c, _ = s.accept(); time.sleep(5); c.sendall(b'x')\n"
    "threading.Thread(target=answer).start()\nsocket.create_connection(('127.0.0.1', 8042)).recv(1)",
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


LOOKS = {
    "sleep(0)": "while time.monotonic() < 1: time.sleep(0)",
    "short sleeps": "while time.monotonic() < 1: time.sleep(1e-7)",
    "clock": "while time.monotonic() < 1: pass",
    "event": "e = threading.Event(); threading.Timer(1, e.set).start()\nwhile not e.wait(0): pass",
    "asyncio": "import asyncio\nasync def look():\n  while time.monotonic() < 1: await asyncio.sleep(0)\n"
    "asyncio.run(look())",
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_a_loop_that_looks_without_waiting_lets_the_time_go_on(start: Start, look: str) -> None:
    tested = start(f"import threading, time\n{look}\nprint('on')")
    tested.advance(1.1)
    assert "on" in tested.log
    assert tested.real_time_because is None


def test_a_wrong_sleep_raises(start: Start) -> None:
    tested = start("import time\ntime.sleep(float('nan'))")
    tested.advance(0.1)
    assert "ValueError: sleep length must be non-negative" in tested.log


def test_an_app_that_forks_runs_in_real_time_and_leaves_no_process(start: Start) -> None:
    tested = start("import os, time\npid = os.fork()\nif pid == 0:\n  time.sleep(1000)\ntime.sleep(0.2)\nprint(pid)")
    tested.advance(0.3)
    assert re.search(r"forks in .*tested_app\.py:2", tested.real_time_because or "")
    assert tested.exit_code == 0
    tested.close()
    pid = int(tested.lines[-1][1])
    stat = Path(f"/proc/{pid}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] in "ZX"


def test_the_child_of_multiprocessing_answers(start: Start) -> None:
    tested = start("""
        import multiprocessing, time
        def work(queue): time.sleep(0.1); queue.put(5)
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=work, args=(queue,))
        child.start()
        print(queue.get(timeout=5))
        child.join()
    """)
    tested.advance(1.0)
    assert "5" in tested.log.split()
    assert tested.exit_code == 0


def test_a_program_with_a_timeout_is_waited_for_in_real_time(start: Start) -> None:
    tested = start("""
        import subprocess, time
        time.sleep(0.5)
        print(subprocess.run(["sh", "-c", "sleep 0.1; echo hi"], capture_output=True, timeout=5).stdout)
    """)
    tested.advance(1.0)
    assert "b'hi\\n'" in tested.log
    assert re.search(r"waits for the program .* in .*tested_app\.py:4", tested.real_time_because or "")


def test_the_signal_handler_of_asyncio_ends_the_app(start: Start) -> None:
    tested = start("""
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


def test_an_app_that_ignores_signals_stays_in_virtual_time(start: Start) -> None:
    tested = start("import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(2)")
    tested.advance(1.0)
    tested.stop()
    assert tested.real_time_because is None


@pytest.mark.parametrize(("end", "code"), [("sys.exit(3)", 3), ("os._exit(4)", 4)])
def test_what_an_app_prints_at_its_end_is_in_the_log(start: Start, end: str, code: int) -> None:
    tested = start(f"import os, sys\nprint('no newline', end='', flush=True)\n{end}")
    with pytest.raises(AssertionError, match=rf"(?s)exit code {code}.*no newline"):
        tested.stop()


def test_a_robot_that_ends_says_so(start: Start) -> None:
    tested = start("import time; time.sleep(100)")
    tested.advance(0.1)
    tested._robot._process.kill()
    with pytest.raises(RobotEndedError, match="the simulated robot has ended with exit code -9"):
        tested.advance(0.1)


def test_a_daemon_without_test_robot_says_what_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", "false")
    robot = SimulatedRobot()
    with pytest.raises(RobotEndedError, match=r"exit code 1.*is robot-daemon as new as robot-sdk"):
        robot.wait_until_ready()
    robot.close()


def test_no_values_say_what_to_look_at(start: Start) -> None:
    with pytest.raises(ValueError, match=r"has the app connected.*robot_app\.log"):
        start("").head.pitch.max()


def test_the_app_of_a_test_is_in_a_folder_above_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project.entry-points.robot_apps]\nx = "package.main:X"\n', "utf8")
    assert folder_of_app(tmp_path / "tests/test_x.py", Path("/")) == tmp_path
    assert main_module_of(tmp_path) == "package.main"
    (tmp_path / "pyproject.toml").write_text("[", "utf8")
    with pytest.raises(pytest.UsageError, match=r"pyproject\.toml cannot be read"):
        main_module_of(tmp_path)
