"""The robot's state as the daemon has sent it. Message names and shapes are those of the daemon's SDK socket."""

from collections.abc import Callable
from typing import Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from robot_sdk.connection.callbacks import Callbacks
from robot_sdk.connection.connection import Message
from robot_sdk.connection.rate_limited_logger import RateLimitedLogger

Side: TypeAlias = Literal["left", "right"]
SIDES: tuple[Side, ...] = ("left", "right")


class InertialReading(TypedDict):
    """What the inertial sensor in a wireless robot's head measures, in the head's frame (x forward, y left, z up)."""

    accelerometer: list[float]
    """m/s²: a head at rest measures 9.81 upwards."""
    gyroscope: list[float]
    """rad/s"""
    quaternion: list[float]
    """Orientation of the head in the world: w, x, y, z."""
    temperature: float
    """Of the sensor, °C."""


class RobotState:
    """The newest state, the ends of moves, and touches of the antennas."""

    def __init__(self) -> None:
        self.head_pose: NDArray[np.float64] = np.eye(4)
        self.head_joints: list[float] = []
        self.antennas: list[float] = []
        self.status: Message = {}
        self.imu: InertialReading | None = None
        self.touches: Callbacks[Side] = Callbacks("on_antenna_touch")
        self._touched: set[Side] = set()
        self._has_pose = False
        self._moves: dict[str, Message | None] = {}
        self._log = RateLimitedLogger()

    def is_known(self) -> bool:
        """Whether joints, pose and status have all been received."""
        return bool(self._has_pose and self.head_joints and self.status)

    def expect_end(self, move: str) -> Callable[[], bool]:
        """Registers a move. The returned function says whether its end was reported."""
        self._moves[move] = None
        return lambda: self._moves[move] is not None

    def take_result(self, move: str) -> str | None:
        """Removes a move. Returns why it failed, or None when it succeeded or its end was not reported."""
        report = self._moves.pop(move) or {}
        error = report.get("error")
        return None if error is None else str(error)

    def take_touch(self, side: Side) -> bool:
        """Whether an antenna was touched since the last call with the same side."""
        was_touched = side in self._touched
        self._touched.discard(side)
        return was_touched

    def receive(self, message: Message | bytes) -> None:
        """Handles one message; ignores unknown types.

        Raises:
            KeyError, TypeError, ValueError: A known type has a wrong shape.
        """
        if isinstance(message, bytes):
            raise TypeError("binary messages belong to the audio socket")
        match message["type"]:
            case "joint_positions":
                joints = _numbers(message["head_joint_positions"], 7)
                self.antennas = _numbers(message["antennas_joint_positions"], 2)
                self.head_joints = joints
            case "head_pose":
                self.head_pose = np.array(message["head_pose"], dtype=np.float64).reshape(4, 4)
                self._has_pose = True
            case "imu_data":
                self.imu = InertialReading(
                    accelerometer=_numbers(message["accelerometer"], 3),
                    gyroscope=_numbers(message["gyroscope"], 3),
                    quaternion=_numbers(message["quaternion"], 4),
                    temperature=float(message["temperature"]),
                )
            case "daemon_status":
                self.status = message
            case "task_progress":
                if message["uuid"] in self._moves and message["finished"]:
                    self._moves[message["uuid"]] = message
            case "antenna_touched":
                side: Side = message["antenna"]
                if side in SIDES:
                    self._touched.add(side)
                    self.touches.call(side)
            case "error":
                self._log(str(message["detail"]))


def _numbers(values: list[float], count: int) -> list[float]:
    numbers = [float(value) for value in values]
    if len(numbers) != count:
        raise ValueError(f"{len(numbers)} numbers instead of {count}")
    return numbers
