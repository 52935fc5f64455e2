"""Golden motion: `robot_app.motion.matches(NAME)`."""

from __future__ import annotations

import json
import math
import re
import textwrap
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from conftest import ROOT, TESTED_APP, StartTested
from robot_sdk.testing import AppFailedError
from robot_sdk.testing.measured_motion import MeasuredMotion
from robot_sdk.testing.motion_difference import Tolerance, Values
from robot_sdk.testing.motion_files import MotionFiles
from robot_sdk.testing.motion_page import MotionPage
from robot_sdk.testing.motion_recording import HEADER, UNITS, MotionRecording
from robot_sdk.testing.recorded import Series
from robot_sdk.testing.simulated_robot import RobotEndedError
from robot_sdk.testing.used_recordings import UsedRecordings

ZEROS = " ".join(["0"] * (len(HEADER) - 2))
WAVE = TESTED_APP.format(body="robot.goto_target(antennas=[{}, 0], duration=0.5); stop_event.wait()")


def motion(files: MotionFiles, height: float = 20.0, *, late: float = 0.0, seconds: float = 2.0) -> MeasuredMotion:
    """The head nods after half a second; everything else stands still."""
    times = [0.02 * at for at in range(round(seconds / 0.02) + 1)]
    nod = [height * math.sin(math.pi * min(1.0, max(0.0, time - 0.5 - late))) for time in times]
    still = {name: Series(times, [0.04] * len(times)) for name in UNITS}
    return MeasuredMotion({**still, "head.pitch": Series(times, nod)}, files, 0.0, seconds)


@pytest.fixture
def files(tmp_path: Path) -> MotionFiles:
    return MotionFiles(tmp_path / "motions", tmp_path)


def test_the_first_motion_is_recorded_and_later_ones_are_compared(files: MotionFiles, tmp_path: Path) -> None:
    assert motion(files).matches("nod")
    text = (tmp_path / "motions/nod.txt").read_text("utf8")
    assert text.splitlines()[1].split() == HEADER
    assert text.splitlines()[2].split() == ["0.00", *["0.0"] * 18]
    assert len(text.splitlines()) < 60  # rows in which nothing changes are left out
    assert motion(files, 21.5).matches("nod")
    assert motion(files, late=0.03).matches("nod")
    (tmp_path / "motions/nod.txt").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert motion(files).matches("nod")


def test_a_difference_says_which_joint_when_and_by_how_much(files: MotionFiles, tmp_path: Path) -> None:
    assert motion(files).matches("nod")
    later = MotionFiles(tmp_path / "motions", tmp_path)
    with pytest.raises(AssertionError) as raised:
        motion(later, 12.0).matches("nod")
    said = str(raised.value)
    assert re.search(r"head\.pitch from 0\.\d+ s on, most at \S+ s: expected \S+°, measured \S+° \(2° are", said)
    assert "antennas" not in said
    assert f"plot: {tmp_path / 'nod.svg'}" in said
    assert "pytest --motion-update" in said
    plot = ElementTree.parse(tmp_path / "nod.svg").getroot()
    titles = [each.text for each in plot.iter("{http://www.w3.org/2000/svg}text") if each.get("class") == "title"]
    assert titles == ["nod: ", "head.pitch"]
    assert motion(files, 12.0).matches("nod", degrees=9)
    with pytest.raises(AssertionError, match="head.pitch"):
        motion(files, late=0.2).matches("nod")
    assert motion(files, late=0.2).matches("nod", seconds=0.2)


def test_a_difference_has_a_page_with_both_robots(files: MotionFiles, tmp_path: Path) -> None:
    pages: list[MotionPage] = []
    files.write_page = pages.append
    assert motion(files).matches("nod")
    assert pages == []
    later = MotionFiles(tmp_path / "motions", tmp_path, test="test_nod")
    later.write_page = pages.append
    with pytest.raises(AssertionError, match=rf"both robots: {tmp_path}/nod\.html"):
        motion(later, math.nan).matches("nod")
    request = pages[0].to_request()
    assert request["title"] == "nod: test_nod"
    assert request["differing"] == ["head.pitch"]
    measured, expected = request["motions"]
    assert expected["label"] == "the recording nod.txt"
    assert expected["rows"][50] == [1.0, 0.0, 20.0, *[0.0] * 7]
    assert json.loads(json.dumps(measured["rows"], allow_nan=False))[50][2] == 0

    def fail(page: MotionPage) -> None:
        raise RobotEndedError("the robot has ended")

    later.write_page = fail
    with pytest.raises(AssertionError, match=r"(?s)plot: .*there is no page: the robot has ended"):
        motion(later, 12.0).matches("nod")


def test_a_motion_of_another_length_differs(files: MotionFiles) -> None:
    assert motion(files).matches("nod")
    with pytest.raises(AssertionError, match=r"it is 3\.00 s long, the recording 2\.00 s"):
        motion(files, seconds=3).matches("nod")
    with pytest.raises(AssertionError, match=r"it is 1\.00 s long, the recording 2\.00 s"):
        motion(files, seconds=1).matches("nod")


TIMES: Values = 0.02 * np.arange(301, dtype=np.float64)
"""Six seconds: at the half, where the motion is the fastest, it has 48 degrees a second."""


def swing(times: Values) -> Values:
    """A second of rest, then 15 degrees to and fro in two seconds."""
    return np.where(times < 1, 0.0, 15 * np.sin(np.pi * (times - 1)))


def ways_to_differ() -> dict[str, Values]:
    """Motions that are not `swing`, though most of their values are near it."""
    base, noise = swing(TIMES), np.random.default_rng(1).uniform(-1, 1, len(TIMES))
    spike = np.where(np.arange(len(TIMES)) == 175, 1.0, 0.0)
    return {
        "60 ms late": swing(TIMES - 0.06),
        "60 ms early": swing(TIMES + 0.06),
        "slow and 60 ms late": swing(TIMES - 0.06) / 2,
        "50 ms late and 3 degrees off": swing(TIMES - 0.05) + 3,
        "more and more late": swing(TIMES - 0.02 * np.maximum(0, TIMES - 1)),
        "9.5 degrees off where it is fast": base + 9.5 * np.exp(-(((TIMES - 3) / 0.1) ** 2)),
        "6 degrees off where it is fast": base + 6 * np.exp(-(((TIMES - 3) / 0.1) ** 2)),
        "2.5 degrees off": base + 2.5,
        "3 degrees of noise": base + 3 * noise,
        "1 degree of noise": base + noise,
        "a spike": base + 10 * spike,
        "a spike within the tolerance": base + 1.9 * spike,
        "a buzz of 10 Hz": base + 3 * np.sin(20 * np.pi * TIMES),
        "a buzz of 10 Hz within the tolerance": base + 0.5 * np.sin(20 * np.pi * TIMES),
        "a buzz of 7 Hz for a second": base + np.where(TIMES > 5, 0.8 * np.sin(14 * np.pi * TIMES), 0),
        "a step": base + np.where(TIMES > 4, 1.9, 0),
        "still": 0 * base,
        "reversed": -base,
        "twice the speed": swing(2 * TIMES - 1),
        "twice the size": 2 * base,
        "a fifth larger": 1.2 * base,
        "without its end": np.where(TIMES < 5.5, base, 0),
    }


def of_values(files: MotionFiles, name: str, values: Values) -> MeasuredMotion:
    times = list(TIMES)
    still = {each: Series(times, [0.0] * len(times)) for each in UNITS}
    return MeasuredMotion({**still, name: Series(times, list(values))}, files, 0.0, 6.0)


@pytest.mark.parametrize("name", ["head.pitch", "head.yaw", "head.z", "goal.stewart_1"])
@pytest.mark.parametrize("way", ways_to_differ())
def test_a_motion_that_is_another_differs(files: MotionFiles, name: str, way: str) -> None:
    base = swing(TIMES) / 2 if "slow" in way else swing(TIMES)
    assert of_values(files, name, base).matches("swing")
    with pytest.raises(AssertionError, match=f"the motion differs.*\n  {name} "):
        of_values(files, name, ways_to_differ()[way]).matches("swing")


SAME = {
    "recorded again": swing(TIMES),
    "20 ms late": swing(TIMES - 0.02),
    "50 ms late": swing(TIMES - 0.05),
    "50 ms early": swing(TIMES + 0.05),
    "early, then late": swing(TIMES - 0.03 * np.tanh(2 * (TIMES - 3))),
    "a little larger": 1.1 * swing(TIMES),
    "1.9 degrees off": swing(TIMES) + 1.9,
    "of another rounding": swing(TIMES) + 0.05 * np.random.default_rng(1).uniform(-1, 1, len(TIMES)),
}


@pytest.mark.parametrize("name", ["head.pitch", "head.yaw", "head.z", "goal.stewart_1"])
@pytest.mark.parametrize("values", SAME.values(), ids=SAME.keys())
def test_a_motion_within_the_tolerance_matches(files: MotionFiles, name: str, values: Values) -> None:
    assert of_values(files, name, swing(TIMES)).matches("swing")
    assert of_values(files, name, values).matches("swing")


@pytest.mark.parametrize("seconds", [0.02, 0.06, 0.3, 0.7])
def test_short_motions_are_compared(files: MotionFiles, seconds: float) -> None:
    def short(values: Values) -> MeasuredMotion:
        return of_values(files, "head.pitch", values).between(2.0, 2.0 + seconds)

    for late in (0.0, 0.0, 0.02):
        assert short(swing(TIMES - late)).matches("short")
    with pytest.raises(AssertionError, match="head.pitch"):
        short(swing(TIMES) + 6).matches("short")


def test_goals_that_jump_may_come_a_little_earlier_or_later(files: MotionFiles) -> None:
    """Jumps every 0.23 s; 10 ms later some of them fall into the next value, and others do not."""

    def jumps(late: float) -> Values:
        return np.where(np.floor((TIMES - late) / 0.23) % 2 == 0, 30.0, -30.0)

    for late in (0.0, 0.01, 0.03, -0.04):
        assert of_values(files, "goal.left_antenna", jumps(late)).matches("jumps")
    with pytest.raises(AssertionError, match="goal.left_antenna"):
        of_values(files, "goal.left_antenna", jumps(0.08)).matches("jumps")


def test_the_head_may_turn_through_the_back(files: MotionFiles) -> None:
    def turned(degrees: float) -> MeasuredMotion:
        yaw = Series([0.0, 1.0], [(degrees + 180) % 360 - 180] * 2)
        return MeasuredMotion({**motion(files).series, "head.yaw": yaw}, files, 0.0, 1.0)

    assert turned(179.5).matches("turned")
    assert turned(180.5).matches("turned")
    with pytest.raises(AssertionError, match="head.yaw"):
        turned(182).matches("turned")


def test_nan_differs_from_a_recording(files: MotionFiles) -> None:
    assert motion(files).matches("nod")
    with pytest.raises(AssertionError, match="measured nan"):
        motion(files, math.nan).matches("nod")


def test_an_update_records_again_only_what_differs(files: MotionFiles, tmp_path: Path) -> None:
    assert motion(files).matches("nod")
    path = tmp_path / "motions/nod.txt"
    before = path.read_text("utf8")

    def updated(name: str, used: dict[Path, str]) -> MotionFiles:
        return MotionFiles(tmp_path / "motions", tmp_path, update=True, may_record=False, used=used, test=name)

    run: dict[Path, str] = {}
    assert motion(updated("first", run), 21).matches("nod")
    assert path.read_text("utf8") == before
    with pytest.raises(AssertionError, match="first has this motion: give motions that differ different names"):
        motion(updated("second", run), 40).matches("nod")
    later: dict[Path, str] = {}
    assert motion(updated("first", later), 40).matches("nod")
    assert motion(files, 40).matches("nod")
    with pytest.raises(AssertionError, match="first has this motion: give motions that differ different names"):
        motion(updated("second", later), 12).matches("nod")


def test_of_two_tests_that_record_at_the_same_moment_one_is_compared_with_the_other(
    files: MotionFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_text = MotionRecording.to_text

    def while_another_records(recording: MotionRecording, comment: str) -> str:
        monkeypatch.setattr(MotionRecording, "to_text", to_text)
        assert motion(MotionFiles(tmp_path / "motions", tmp_path), 40).matches("nod")
        return to_text(recording, comment)

    monkeypatch.setattr(MotionRecording, "to_text", while_another_records)
    with pytest.raises(AssertionError, match=r"expected (40|39)\.\d°, measured (20|19)\.\d°"):
        motion(files).matches("nod")
    assert [each.name for each in (tmp_path / "motions").iterdir()] == ["nod.txt"]


def test_of_two_processes_that_update_one_records(files: MotionFiles, tmp_path: Path) -> None:
    assert motion(files).matches("nod")

    def in_process(test: str) -> MotionFiles:
        used = UsedRecordings(tmp_path / "run")
        return MotionFiles(tmp_path / "motions", tmp_path, update=True, used=used, test=test)

    with pytest.raises(AssertionError, match=r"not recorded.*exit code 1"):
        replace(motion(in_process("failed"), 40), failure="the app ended with exit code 1").matches("nod")
    assert motion(in_process("first"), 40).matches("nod")
    with pytest.raises(AssertionError, match="first has this motion: give motions that differ different names"):
        motion(in_process("second"), 12).matches("nod")


def test_what_is_no_number_is_not_recorded(files: MotionFiles, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"not recorded.*head\.pitch was measured as something that is no number"):
        motion(files, math.nan).matches("nod")
    assert not (tmp_path / "motions").exists()


def test_a_missing_recording_fails_in_ci(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"nod\.txt is missing.*CI is set.*commit the file"):
        motion(MotionFiles(tmp_path, tmp_path, may_record=False)).matches("nod")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it has not the columns time, roll, pitch"),
        ("<<<<<<< HEAD\n", "it has not the columns"),
        ("{header}", "it has no rows"),
        ("{header}0 1 2\n", "line 2 is not a row of 19 numbers"),
        ("{header}{zeros} nan\n", "line 2 is not"),
        ("{header}{row}{row}", "line 3 is not a row of 19 numbers at a later time than the one before"),
        ("{header}{zeros} 1e300\n", "line 2 is not"),
        ("{header}1e12 0 {zeros}\n", "line 2 is not"),
    ],
)
def test_a_recording_that_cannot_be_read_says_the_line(
    files: MotionFiles, tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "motions/nod.txt"
    path.parent.mkdir()
    path.write_text(text.format(header=" ".join(HEADER) + "\n", zeros=ZEROS, row=f"0 0 {ZEROS}\n"), "utf8")
    with pytest.raises(AssertionError, match=f"cannot be read: {problem}"):
        motion(files).matches("nod")
    assert motion(MotionFiles(path.parent, tmp_path, update=True)).matches("nod")
    assert motion(files).matches("nod")


def test_a_folder_that_cannot_be_made_says_so(files: MotionFiles, tmp_path: Path) -> None:
    (tmp_path / "motions").write_text("", "utf8")
    with pytest.raises(AssertionError, match=r"motions/nod\.txt"):
        motion(files).matches("nod")


def test_a_plot_that_cannot_be_written_does_not_hide_the_difference(tmp_path: Path) -> None:
    assert motion(MotionFiles(tmp_path, tmp_path)).matches("nod")
    with pytest.raises(AssertionError, match=r"(?s)expected 20.*there is no plot, .*none/nod\.svg cannot be written"):
        motion(MotionFiles(tmp_path, tmp_path / "none"), 12).matches("nod")


@pytest.mark.parametrize("name", ["a/b", "..", "", "a\n", "x" * 101, "é" * 101, "漢" * 80, "C:x"])
def test_a_name_that_is_no_file_is_refused(files: MotionFiles, name: str) -> None:
    with pytest.raises(ValueError, match="the name of a motion is made of letters"):
        motion(files).matches(name)


@pytest.mark.parametrize("tolerance", [{"degrees": -1}, {"millimetres": math.nan}, {"seconds": math.inf}])
def test_a_tolerance_is_a_number_from_0(files: MotionFiles, tolerance: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="of a tolerance is a number from 0, not"):
        motion(files).matches("nod", **tolerance)


@pytest.mark.parametrize("times", [(-1.0, 1.0), (1.0, 1.0), (1.0, 3.0), (math.nan, 1.0)])
def test_between_takes_times_of_the_motion(files: MotionFiles, times: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"two times from 0\.00 to 2\.00 s"):
        motion(files).between(*times)


def test_a_part_of_the_motion_counts_from_its_start(files: MotionFiles) -> None:
    assert motion(files).between(0.5, 1.5).matches("nod")
    assert motion(files, late=0.3).between(0.8, 1.8).matches("nod")


def test_a_recording_reads_what_it_has_written() -> None:
    generator = np.random.default_rng(1)
    values = {
        name: Series([0.05 * at for at in range(50)], list(generator.normal(0, 90, 50).clip(-90, 90))) for name in UNITS
    }
    recorded = MotionRecording.sample(values, 0, 49 * 0.05)
    read = MotionRecording.parse(recorded.to_text("x"))
    assert read.differences(recorded, Tolerance(0, 0, 0)) == []
    assert read.to_text("x") == recorded.to_text("x")


def test_the_motion_of_an_app(start_tested: StartTested) -> None:
    for angle in (0.5, 0.5, -0.5):
        tested = start_tested(WAVE.format(angle))
        tested.advance(2.0)
        if angle > 0:
            assert tested.motion.matches("wave")
    with pytest.raises(
        AssertionError, match=r"antennas\.right from \d\.\d\d s on.*expected 2\d\.\d°, measured -2\d\.\d°"
    ):
        tested.motion.matches("wave")


def test_the_motion_of_an_app_that_has_failed_is_not_recorded(start_tested: StartTested) -> None:
    tested = start_tested(TESTED_APP.format(body="raise RuntimeError"))
    with pytest.raises(ValueError, match="there are no values"):
        tested.motion.matches("nothing")
    with pytest.raises(AppFailedError, match="exit code 1"):
        tested.advance(2.0)
    with pytest.raises(AssertionError, match=r"the motion is not recorded in .*: the app ended with exit code 1"):
        tested.motion.matches("nothing")


@pytest.mark.thorough
def test_pytest_records_compares_and_records_again(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON", str(ROOT / "bin/robot-daemon.mjs"))
    monkeypatch.delenv("CI", raising=False)
    folder = pytester.path
    (folder / "pyproject.toml").write_text('[project.entry-points.robot_apps]\nx = "app:X"\n', "utf8")
    (folder / "test_waving.py").write_text(
        textwrap.dedent("""
        import pytest

        @pytest.mark.parametrize("way", ["in/out"])
        def test_it_waves(robot_app, way):
            robot_app.advance(1.5)
            assert robot_app.motion.matches("wave")

        def test_that_is_left_out():
            pass
        """),
        "utf8",
    )

    def run(angle: float, *options: str, **environment: str) -> str:
        (folder / "app.py").write_text(textwrap.dedent(WAVE.format(angle)), "utf8")
        with monkeypatch.context() as during:
            for name, value in environment.items():
                during.setenv(name, value)
            # In this process, in which one process of the workbench computes the robots of all runs.
            result = pytester.runpytest_inprocess("-p", "no:cacheprovider", f"--basetemp={folder / 'output'}", *options)
        return str(result.stdout)

    path = folder / "motions/wave.txt"
    assert "wave.txt is missing" in run(0.5, CI="true")
    assert f"motion recorded: {path}" in run(0.5, "-n2", "-k", "waves")
    assert "motion recorded" not in run(0.5, CI="true")
    said = run(-0.5)
    assert "antennas.right from" in said
    assert {each.name for each in (folder / "output").glob("*/*.svg")} == {"wave.svg"}
    assert f"motion recorded: {path}" in run(-0.5, "--motion-update", CI="true")
    assert "1 passed, 1 deselected" in run(-0.5, "-k", "waves")
