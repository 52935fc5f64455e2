"""The fixture `robot_app`: an app and its simulated robot."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from conftest import ROOT, TESTED_APP, StartTested
from robot_sdk.testing import AppFailedError
from robot_sdk.testing.plugin import folder_of_app, main_module_of
from robot_sdk.testing.simulated_robot import (
    RobotEndedError,
    SimulatedRobot,
    WorkbenchMissingError,
    WorkbenchNotStartedError,
    find_program,
)


def test_sees_touches_and_moves_the_robot(start_tested: StartTested) -> None:
    tested = start_tested(
        TESTED_APP.format(body="robot.on_antenna_touch(lambda side: print('touched', side)); stop_event.wait()")
    )
    tested.advance(1.5)
    tested.touch("left")
    tested.advance(1.0)
    assert "touched left" in tested.log
    tested.stop()
    assert tested.exit_code == 0


def test_stop_returns_the_robot_to_its_default_pose(start_tested: StartTested) -> None:
    tested = start_tested(TESTED_APP.format(body="robot.goto_target(antennas=[1, 1], duration=0.5); stop_event.wait()"))
    tested.advance(2.0)
    assert tested.antennas.right.now == pytest.approx(57.3, abs=3)
    tested.stop()
    assert tested.antennas.right.now == pytest.approx(-10, abs=3)


def test_an_app_that_ignores_the_stop_is_killed_and_fails_the_test(start_tested: StartTested) -> None:
    tested = start_tested(TESTED_APP.format(body="threading.Event().wait()"))
    tested.advance(1.0)
    with pytest.raises(AssertionError, match=r"did not end within 5 s of SIGINT and was killed"):
        tested.stop()
    assert tested.time == pytest.approx(6, abs=0.2)
    assert tested.exit_code == -signal.SIGKILL


def test_two_apps_with_a_page_at_the_same_port(start_tested: StartTested) -> None:
    text = TESTED_APP.format(body="self.settings_app.get('/n')(lambda: 7); stop_event.wait()")
    text = text.replace("def run", "custom_app_url = 'http://localhost:8042'\n        def run")
    first, second = start_tested(text), start_tested(text)
    for tested in (first, second):
        tested.advance(1.0)
    for tested in (first, second):
        assert tested.request("GET", "/n") == (200, "7")
        tested.stop()


@pytest.mark.parametrize("template", ["default", "page", "settings"])
def test_every_template_moves_and_stops(start_tested: StartTested, template: str) -> None:
    tested = start_tested(module="template_app.main", folder=ROOT / "assistant/create/templates" / template)
    tested.advance(5.0)
    assert tested.antennas.right.max() - tested.antennas.right.min() > 5
    tested.stop()
    assert tested.real_time_because is None


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_advance_takes_seconds(start_tested: StartTested, seconds: float) -> None:
    with pytest.raises(ValueError, match="advance takes seconds from 0, not"):
        start_tested().advance(seconds)


def test_there_are_two_antennas(start_tested: StartTested) -> None:
    with pytest.raises(ValueError, match=r'the antennas are "right" and "left", not \'top\''):
        start_tested().touch("top")  # type: ignore[arg-type]


def test_a_missing_workbench_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_DAEMON", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WorkbenchMissingError, match=r"npm install --global robot-daemon.*ROBOT_DAEMON"):
        find_program()


@pytest.mark.parametrize(("end", "code"), [("sys.exit(3)", 3), ("os._exit(4)", 4)])
def test_what_an_app_prints_at_its_end_is_in_the_log(start_tested: StartTested, end: str, code: int) -> None:
    tested = start_tested(f"import os, sys\nprint('no newline', end='', flush=True)\n{end}")
    with pytest.raises(AppFailedError, match=rf"(?s)exit code {code}.*no newline"):
        tested.advance(0.1)


def test_a_robot_that_ends_says_so(start_tested: StartTested) -> None:
    tested = start_tested("import time; time.sleep(100)")
    tested.advance(0.1)
    tested._robot._process.kill()
    with pytest.raises(RobotEndedError, match="the simulated robot has ended with exit code -9"):
        tested.advance(0.1)


def test_a_closed_robot_leaves_its_process_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))

    def start() -> SimulatedRobot:
        robot = SimulatedRobot()
        robot.wait_until_ready()
        return robot

    first = start()
    other = start()
    other.close()
    at_first = first.request(0.1)
    first.request(0.2, fault="unplug")
    first.close()
    second = start()
    assert second._process is first._process
    assert second.request(0.1) == at_first
    second.close()
    second._process.kill()
    second._process.wait()
    after_a_crash = start()
    assert after_a_crash._process is not first._process
    after_a_crash.close()


def test_a_robot_that_has_not_answered_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    robot = SimulatedRobot()
    robot.close()
    assert robot._process.returncode is not None


def test_a_daemon_without_test_robot_says_what_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", "false")
    robot = SimulatedRobot()
    with pytest.raises(RobotEndedError, match=r"exit code 1.*is robot-daemon as new as robot-sdk"):
        robot.wait_until_ready()
    robot.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize(
    "commands", ["sleep 600\nexit 1", 'printf "Starting ... "\nexec sleep 600', "exec sleep 600 >&-"]
)
def test_a_program_in_a_shell_script_that_does_not_answer_is_ended_with_its_child(
    commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "robot-daemon"
    script.write_text(f"#!/bin/sh\n{commands}\n", "utf8")
    script.chmod(0o755)
    monkeypatch.setenv("ROBOT_DAEMON", str(script))
    monkeypatch.setattr("robot_sdk.testing.simulated_robot.READY_S", 0.5)
    robot = SimulatedRobot()
    with pytest.raises(RobotEndedError, match=r"exit code -9"):
        robot.wait_until_ready()
    robot.close()


def test_a_program_that_cannot_be_started_says_what_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", "/no/such/program")
    with pytest.raises(WorkbenchNotStartedError, match=r"/no/such/program.*\(No such file.*Node\.js on PATH"):
        SimulatedRobot()


def test_an_app_in_a_folder_that_pythons_path_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pytest.UsageError, match=r"rename .*my:app"):
        main_module_of(tmp_path / "my:app")


def test_no_values_say_what_to_look_at(start_tested: StartTested) -> None:
    with pytest.raises(ValueError, match=r"has the app connected.*robot_app\.log"):
        start_tested().head.pitch.max()


def test_the_app_of_a_test_is_in_a_folder_above_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project.entry-points.robot_apps]\nx = "package.main:X"\n', "utf8")
    assert folder_of_app(tmp_path / "tests/test_x.py", Path("/")) == tmp_path
    assert main_module_of(tmp_path) == "package.main"
    (tmp_path / "pyproject.toml").write_text("[", "utf8")
    with pytest.raises(pytest.UsageError, match=r"pyproject\.toml cannot be read"):
        main_module_of(tmp_path)
