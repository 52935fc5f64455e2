"""The base class of apps: start, stop, and the page of an app."""

from robot_sdk.app.robot_app import RobotApp

__all__ = ["RobotApp"]
