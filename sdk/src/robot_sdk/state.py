"""What the daemon has told so far. Message names and shapes are those of its SDK socket."""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from robot_sdk.connection import Message, logger

# A loop that sends a wrong target 50 times a second is told once in this time.
REPEAT_S = 5.0


class Complaints:
    """Logs what the daemon refuses; the same thing once in a while."""

    def __init__(self) -> None:
        self._last = ("", 0.0)

    def __call__(self, detail: str, what: str = "the daemon refuses") -> None:
        """Tells of one refusal, or of something else."""
        text, told = self._last
        now = time.monotonic()
        if detail != text or now - told > REPEAT_S:
            logger.warning("%s: %s", what, detail)
            self._last = (detail, now)


class RobotState:
    """The newest state, the ends of awaited moves, and a finished recording."""

    def __init__(self) -> None:
        self.head_pose: NDArray[np.float64] = np.eye(4)
        self.head_joints: list[float] = []
        self.antennas: list[float] = []
        self.status: Message = {}
        self.recording: list[Message] | None = None
        self._has_pose = False
        self._moves: dict[str, Message | None] = {}
        self._complain = Complaints()

    def is_known(self) -> bool:
        """Whether joints, pose and status have all arrived."""
        return bool(self._has_pose and self.head_joints and self.status)

    def expect(self, task: str) -> Callable[[], bool]:
        """Awaits the end of a move; the result tells whether it has been reported."""
        self._moves[task] = None
        return lambda: self._moves[task] is not None

    def forget(self, task: str) -> str | None:
        """Ends to await a move; why it failed, if it did."""
        report = self._moves.pop(task) or {}
        error = report.get("error")
        return None if error is None else str(error)

    def receive(self, message: Message | bytes) -> None:
        """Takes in one message; skips types it does not know.

        Raises:
            KeyError, TypeError, ValueError: A known type in a wrong shape.
        """
        if isinstance(message, bytes):
            raise TypeError("binary messages belong on the audio socket")
        match message["type"]:
            case "joint_positions":
                joints = _numbers(message["head_joint_positions"], 7)
                self.antennas = _numbers(message["antennas_joint_positions"], 2)
                self.head_joints = joints
            case "head_pose":
                self.head_pose = np.array(message["head_pose"], dtype=np.float64).reshape(4, 4)
                self._has_pose = True
            case "daemon_status":
                self.status = message
            case "task_progress":
                if message["uuid"] in self._moves and message["finished"]:
                    self._moves[message["uuid"]] = message
            case "recorded_data":
                self.recording = list(message["data"])
            case "error":
                self._complain(str(message["detail"]))


def _numbers(values: list[float], count: int) -> list[float]:
    numbers = [float(value) for value in values]
    if len(numbers) != count:
        raise ValueError(f"{len(numbers)} numbers instead of {count}")
    return numbers
