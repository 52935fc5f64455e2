"""The robot, as an app uses it: targets, moves, motors, sound and sensors."""

from robot_sdk.robot.robot import Robot

__all__ = ["Robot"]
