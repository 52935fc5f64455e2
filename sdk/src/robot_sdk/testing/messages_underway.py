"""What app and robot have sent, and the other one has not got yet."""

from __future__ import annotations

import json
from typing import Any

from robot_sdk.testing.app_process import AppReport
from robot_sdk.testing.simulated_robot import RobotReport

CONNECT = '{"connect": '
"""How the message begins with which the app opens its connection; the headers of its HTTP request follow."""


class MessagesUnderway:
    """Messages of the connection and of the audio socket, and requests with their answers, in both directions."""

    def __init__(self) -> None:
        self._sent: list[str] = []
        self._sent_audio: list[str] = []
        self._requests: list[dict[str, Any]] = []
        self._messages: list[str] = []
        self._audio: list[str] = []
        self._answers: list[dict[str, Any]] = []

    @property
    def is_for_robot(self) -> bool:
        """Whether the robot has not got all that the app has sent."""
        return bool(self._sent or self._sent_audio or self._requests)

    def add_from_app(self, report: AppReport) -> None:
        """Adds what the app has sent in a step."""
        self._sent += report.sent
        self._sent_audio += report.sent_audio
        self._requests += report.requests

    def add_from_robot(self, report: RobotReport) -> None:
        """Adds what the robot has sent."""
        self._messages += [text for _, text in report.messages]
        self._audio += [text for _, text in report.audio]
        self._answers += [answer for _, answer in report.answers]

    def take_for_robot(self) -> dict[str, Any]:
        """Takes what is for the robot, as arguments of `SimulatedRobot.request`."""
        sent, self._sent = self._sent, []
        audio, self._sent_audio = self._sent_audio, []
        requests, self._requests = self._requests, []
        what = {"send": [text for text in sent if not text.startswith(CONNECT)], "sendAudio": audio, "http": requests}
        connects = [json.loads(text) for text in sent if text.startswith(CONNECT)]
        return {**connects[-1], **what} if connects else what

    def take_for_app(self) -> tuple[list[str], list[str], list[dict[str, Any]]]:
        """Takes what is for the app: messages, audio and answers, as `AppProcess.step` takes them."""
        taken = self._messages, self._audio, self._answers
        self._messages, self._audio, self._answers = [], [], []
        return taken
