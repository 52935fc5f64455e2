"""Tests of apps on a simulated robot, in virtual time: the pytest fixture `robot_app`."""

from robot_sdk.testing.app_under_test import AppFailedError, AppUnderTest

__all__ = ["AppFailedError", "AppUnderTest"]
