"""Python apps for a desktop robot: `Robot` moves it, `RobotApp` is what the daemon starts and stops."""

from robot_sdk.app import RobotApp
from robot_sdk.errors import MoveError
from robot_sdk.robot import Robot

__all__ = ["MoveError", "Robot", "RobotApp"]
