"""The app and the robot of a test."""

from __future__ import annotations

import json
import os
import signal
import time
from base64 import b64decode, b64encode
from concurrent.futures import wait
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from robot_sdk.audio.samples import mono, read_wav
from robot_sdk.testing.app_process import AppProcess, AppReport
from robot_sdk.testing.film import check_film
from robot_sdk.testing.measured_motion import MeasuredMotion
from robot_sdk.testing.messages_underway import MessagesUnderway
from robot_sdk.testing.motion_difference import EXACT_S
from robot_sdk.testing.motion_files import MotionFiles
from robot_sdk.testing.motion_page import MotionPage
from robot_sdk.testing.motion_recording import GOALS
from robot_sdk.testing.objects import Objects
from robot_sdk.testing.page_request import request_page
from robot_sdk.testing.recorded import Antennas, Head, Series
from robot_sdk.testing.simulated_robot import RobotReport, SimulatedRobot
from robot_sdk.testing.sound import Sound

GRACE_PERIOD_S = 5.0
"""Seconds that the daemon gives an app to end after SIGINT, unless it was started with another `--grace-period`."""
PAGE_TIMEOUT_S = 10.0
"""Seconds that the app's page may take to answer."""
PAGE_WAIT_S = 0.02
"""Real seconds between two steps of its time in which the page may answer: the answer comes over a real socket."""
STEP_S = 0.01
"""Seconds between two looks for what happens outside virtual time: an answer of the page, or the real clock."""
STOP_STEP_S = 0.1
"""Seconds between two looks whether an app that is stopped has ended."""
SHOWN_LINES = 200
"""Lines of the app that a message shows."""
LONGEST_LINE = 2000
"""Characters of a line that a message shows."""
RETURN_S = 3.0
"""Seconds that the robot may take to return to its default pose."""


class AppFailedError(AssertionError):
    """The app, or one of its threads, tasks or callbacks, has ended with an error, or cannot go on."""


class AppUnderTest:
    """An app that runs on a simulated robot, in virtual time: the clock goes on only in `advance` and `stop`.

    Example:
        def test_it_nods_when_touched(robot_app):
            robot_app.advance(2.0)  # seconds
            robot_app.touch("left")
            robot_app.advance(1.0)
            assert robot_app.head.pitch.max() > 8  # degrees
            robot_app.stop()
    """

    def __init__(
        self, robot: SimulatedRobot, app: AppProcess, motion_files: MotionFiles, folder: Path = Path()
    ) -> None:
        self._robot = robot
        self._app = app
        self._motion_files = motion_files
        self._folder = folder
        self._output = motion_files.output
        motion_files.write_page = self._write_page
        self._report: AppReport | None = AppReport(None, [], [], [], None, 0.0, {}, [])
        self._started = False
        self._ended_at: float | None = None
        """When the app has ended; None while it runs."""
        self._is_stopped = False
        self._failures: list[str] = []
        """How the app has failed, as long as no call has raised it."""
        self._underway = MessagesUnderway()
        self._began = 0.0
        """Real time, in seconds of `time.monotonic`, at virtual time 0; known when the test runs in real time."""
        self.time = 0.0
        """Seconds since the app was started."""
        self.head = Head()
        """The head, as measured so far."""
        self.antennas = Antennas()
        """The antennas, as measured so far."""
        self.body_yaw = Series()
        """The turn of the body, degrees."""
        self._goals = {name: Series() for name in GOALS}
        self.sound = Sound()
        """What the robot's speaker has played so far."""
        self.objects = Objects(self._act)
        """The objects beside the robot, which its camera sees."""
        self.events: list[tuple[float, str]] = []
        """What the robot reported, with the times: moves, touches, refused targets."""
        self.lines: list[tuple[float, str]] = []
        """The lines that the app has printed, with the times."""
        self.real_time_because: str | None = None
        """Why the test runs in real time; None while it does not."""

    @property
    def motion(self) -> MeasuredMotion:
        """The motion so far, to compare with a recording."""
        head, antennas = self.head, self.antennas
        series = {
            **{f"head.{name}": each for name, each in vars(head).items()},
            "body_yaw": self.body_yaw,
            **{f"antennas.{name}": each for name, each in vars(antennas).items()},
            **self._goals,
        }
        failure = f"the app ended with exit code {self.exit_code}" if self.exit_code else None
        return MeasuredMotion(series, self._motion_files, 0.0, self.time, failure)

    @property
    def log(self) -> str:
        """Everything that the app has printed."""
        return "".join(f"{line}\n" for _, line in self.lines)

    @property
    def end_of_log(self) -> str:
        """The last lines that the app has printed, for messages."""
        return "".join(f"{line}\n" for line in self._last_lines)

    @property
    def _last_lines(self) -> list[str]:
        return [line[:LONGEST_LINE] for _, line in self.lines[-SHOWN_LINES:]]

    @property
    def is_running(self) -> bool:
        """Whether the app still runs."""
        return self._report is not None

    @property
    def exit_code(self) -> int | None:
        """The exit code of the app; None while it runs."""
        return None if self.is_running else self._app.wait()

    @property
    def most_work(self) -> float:
        """Seconds of processor time that the app may use at once, and in a second of its time; 30 unless set."""
        return self._app.most_work

    @most_work.setter
    def most_work(self, seconds: float) -> None:
        self._app.most_work = seconds

    def advance(self, seconds: float) -> None:
        """Lets the app and the robot run for some seconds of robot time.

        Raises:
            ValueError: The seconds are negative or not finite.
            AppFailedError: The app has ended with an error, or an error has ended one of its threads, tasks or
                callbacks; or it works without a pause, or is in a deadlock. Each is raised once; the test can go on.
            RobotEndedError: The process that computes the robot has ended.
        """
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"advance takes seconds from 0, not {seconds!r}")
        self._advance_to(self.time + seconds)

    def touch(self, antenna: Literal["right", "left"]) -> None:
        """Touches an antenna, as a hand does. The app is notified within the next tenths of a second.

        Raises:
            ValueError: There is no such antenna.
        """
        if antenna not in ("right", "left"):
            raise ValueError(f'the antennas are "right" and "left", not {antenna!r}')
        self._act(touch=antenna)

    def hear(self, sound: str | os.PathLike[str] | ArrayLike) -> None:
        """Lets the robot's microphone hear a sound once, from now on; otherwise it hears silence.

        Args:
            sound: A WAV file, beside the test unless the path is absolute; or samples as of `Robot.push_audio_sample`.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It is not a WAV file of integer samples and at most 60 s, or these are not samples.
        """
        is_path = isinstance(sound, (str, os.PathLike))
        samples = read_wav(self._folder / sound) if is_path else mono(sound)  # type: ignore[arg-type,operator]
        self._act(hear=b64encode(samples.tobytes()).decode())

    def see(self, picture: str | os.PathLike[str] | None) -> None:
        """Lets the robot's camera show a picture from now on, whatever the robot does; without one it sees the objects.

        Args:
            picture: A JPEG or PNG file, beside the test unless the path is absolute; None to see the objects again.

        Raises:
            ValueError: There is no such file, or it is not a picture.
        """
        self._act(see=None if picture is None else str((self._folder / picture).resolve()))

    def fault(self, fault: str) -> None:
        """Begins a fault of servos or bus, as `robot-sim --fault` does.

        Args:
            fault: For example "overheat:servo=stewart_3" or "stuck:servo=body_yaw,at=1,for=5": seconds from now.

        Raises:
            ValueError: There is no such fault, servo or key.
        """
        self._act(fault=fault)

    def clear_faults(self) -> None:
        """Ends all faults, and plugs the robot in."""
        self._act(fault=None)

    def unplug(self, seconds: float) -> None:
        """Unplugs the robot's cable for some seconds from now: the daemon has no robot, the app keeps its connection.

        Raises:
            ValueError: The seconds are not from 0 to a million.
        """
        self._act(fault=f"unplug:for={seconds}")

    def disconnect(self, seconds: float) -> None:
        """Drops the app's connection to the daemon; the app can connect again after some seconds.

        Raises:
            ValueError: The seconds are negative or not finite.
        """
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"disconnect takes seconds from 0, not {seconds!r}")
        if not self._started:
            # Without this step, the speed of this machine would decide whether the app has connected by now.
            self._step()
        self._act(disconnect=True)
        self._step(disconnected_until=self.time + seconds)

    def film(self, path: str | os.PathLike[str], start: float = 0.0, end: float | None = None) -> Path:
        """Draws what the robot did and the objects beside it, as seen from outside. It takes no graphics hardware.

        Args:
            path: `.png` for up to twelve pictures in rows, `.apng` for an animation that browsers play, `.html` for a
                page with the robot to turn and plots, without the objects; in the test's `tmp_path` unless absolute.
            start: Seconds since the start of the app.
            end: Likewise; up to now when None.

        Returns:
            Where the film is.

        Raises:
            ValueError: The suffix or the times are wrong, or the file cannot be written.
        """
        file = self._output / path
        last = self.time if end is None else end
        check_film(file, start, last, self.time)
        if file.suffix == ".html":
            measured = self.motion.between(start, last).sample()
            self._write_page(MotionPage(file, f"{file.stem}: {start:g} to {last:.2f} s", [], {"measured": measured}))
        else:
            self._act(film={"file": str(file.resolve()), "start": start, "end": last})
        return file

    def request(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Sends a request to the app's page, as a browser on this machine does. The app's time goes on meanwhile.

        Args:
            method: For example "GET".
            path: For example "/energy".
            body: Sent as JSON.

        Returns:
            Status and text of the answer.

        Raises:
            AssertionError: The app has no page, or does not answer within 10 s of its time.
            AppFailedError: As of `advance`.
            OSError: The connection failed, for example because the app has ended.
            http.client.HTTPException: The answer is not HTTP.
        """
        ports = self._report.ports if self._report is not None else {}
        assert ports, "the app listens on no port: has it custom_app_url, and has the test advanced far enough?"
        asked, port = next(iter(ports.items()))
        answer = request_page(port, int(asked), method, path, body)
        until = self.time + PAGE_TIMEOUT_S
        while not wait([answer], PAGE_WAIT_S).done and self.time < until:
            self._advance_to(self.time + STEP_S)
        assert wait([answer], PAGE_WAIT_S).done, f"{method} {path} was not answered within {PAGE_TIMEOUT_S:g} s"
        return answer.result()

    def stop(self) -> None:
        """Stops the app as the daemon does, with SIGINT, and returns the robot to its default pose.

        Raises:
            AssertionError: The app had ended by itself, had to be killed, or ended with another exit code than 0.
            AppFailedError: As of `advance`.
        """
        by_itself = None if self._is_stopped else self._ended_at
        self._is_stopped = True
        if self.is_running:
            self._step(signal.SIGINT)
            until = self.time + GRACE_PERIOD_S
            while self.is_running and self.time < until - EXACT_S:
                self._advance_to(min(until, self.time + STOP_STEP_S))
        if self.is_running:
            positions = "".join(f"{line}\n" for line in self.positions())
            self._kill()
            raise AssertionError(
                f"the app did not end within {GRACE_PERIOD_S:g} s of SIGINT and was killed\n"
                f"{positions}{self.end_of_log}"
            )
        self._advance_to(self.time + RETURN_S)
        self._raise_failures()
        assert by_itself is None, (
            f"the app had ended by itself at {by_itself:.2f} s with exit code {self.exit_code}, before it was stopped: "
            f"where that is right, assert not robot_app.is_running in place of stop()\n{self.end_of_log}"
        )
        assert self.exit_code == 0, self._end()

    def positions(self) -> list[str]:
        """Where each thread and task of the app stands, a line for each. It does not let the time go on."""
        if self._started:
            self._step(wants_positions=True)
        return [] if self._report is None else self._report.positions

    def close(self) -> None:
        """Ends app and robot."""
        try:
            self._app.kill()
        finally:
            self._robot.close()

    def _write_page(self, page: MotionPage) -> None:
        self._act(page=page.to_request())

    def _end(self) -> str:
        return f"the app ended with exit code {self.exit_code} at {self._ended_at:.2f} s\n{self.end_of_log}"

    def _kill(self) -> None:
        self._app.kill()
        self._report, self._ended_at = None, self.time

    def _raise_failures(self) -> None:
        """Raises AppFailedError with what has failed since the last call, and how the app has ended."""
        failures, self._failures = [*self._failures, *self._app.failures], []
        self._app.failures = []
        if failures:
            raise AppFailedError("\n".join(failures))

    def _act(self, **what: object) -> None:
        """Sends a request to the robot at the present time. The app gets the robot's messages when time goes on."""
        self._take(self._robot.request(self.time, **what))

    def _advance_to(self, end: float) -> None:
        """Lets robot and app run in turn until a time, seconds, and until the robot has all that the app has sent.

        Raises:
            AppFailedError: As of `advance`, unless the test stops the app.
        """
        if not self._started:
            self._step()
        while True:
            next_time = end if self._report is None or self._report.next is None else min(end, self._report.next)
            if self.real_time_because is not None:
                next_time = min(end, max(self.time + STEP_S, time.monotonic() - self._began))
                time.sleep(max(0.0, self._began + next_time - time.monotonic()))
            self._take(self._robot.request(next_time, **(self._underway.take_for_robot() if self.is_running else {})))
            # In virtual time the app takes its turn after each message; a real clock does not wait for it.
            while self.real_time_because is not None and self.time < next_time - EXACT_S:
                self._take(self._robot.request(next_time))
            self._step()
            if not self._is_stopped:
                self._raise_failures()
            if self.time >= end - EXACT_S and not (self.is_running and self._underway.is_for_robot):
                return

    def _step(
        self,
        signal_number: int | None = None,
        disconnected_until: float | None = None,
        wants_positions: bool = False,
    ) -> None:
        """Lets the app run at the present time, with the messages of the robot; arguments as of `AppProcess.step`."""
        if self._report is None:
            return
        if not self._started:
            self._started, self._began = True, time.monotonic()
        for_app = self._underway.take_for_app()
        self._report = self._app.step(self.time, *for_app, signal_number, disconnected_until, wants_positions)
        self.lines += [(self.time, line) for line in self._app.read_output(self._report is None)]
        if self._report is None:
            self._ended_at = self.time
            report = self._robot.request(self.time, end=True, output=self._last_lines if self.exit_code else [])
            self._take(report)
            if report.need is not None:
                self.lines.append((self.time, f"[{report.need}]"))
            if self.exit_code and not self._is_stopped:
                self._failures.append(self._end())
            return
        self._underway.add_from_app(self._report)
        if self._report.real_time_because is not None and self.real_time_because is None:
            self.real_time_because = self._report.real_time_because
            self._began = time.monotonic() - self.time - self._report.waited
            self.lines.append(
                (self.time, f"[the test runs in real time from here on: the app {self._report.real_time_because}]")
            )

    def _take(self, report: RobotReport) -> None:
        """Records what the robot did, and keeps its messages for the app's next step."""
        self.time = float(report.time)
        for at, text in report.messages:
            message = json.loads(text)
            if message["type"] == "head_pose":
                self.head.add(at, np.array(message["head_pose"]))
            elif message["type"] == "joint_positions":
                self.antennas.add(at, *message["antennas_joint_positions"])
                self.body_yaw.add(at, float(np.degrees(message["head_joint_positions"][0])))
        for at, angles in report.goals:
            for series, angle in zip(self._goals.values(), angles, strict=True):
                series.add(at, float(np.degrees(angle)))
        self.events += [(at, event["message"]) for at, event in report.events]
        for at, samples in report.played:
            self.sound.add(at, b64decode(samples))
        self._underway.add_from_robot(report)
