"""Tests of the app without a robot: python -m unittest discover tests."""

import threading
import unittest
from unittest.mock import create_autospec

from robot_sdk import Robot
from template_app.main import TemplateApp


class StopTest(unittest.TestCase):
    """What the daemon asks for: run() moves the robot, and ends when the app is stopped."""

    def test_run_moves_the_robot_and_ends_soon_after_the_stop_event(self) -> None:
        """The robot is a stand-in that takes every call."""
        stand_in, moved, stop_event = create_autospec(Robot, instance=True), threading.Event(), threading.Event()
        stand_in.set_target.side_effect = lambda *_args, **_kwargs: moved.set()
        run = threading.Thread(target=TemplateApp().run, args=(stand_in, stop_event), daemon=True)
        run.start()
        self.assertTrue(moved.wait(10), "run() has set no target within 10 s")
        stop_event.set()
        run.join(5)
        self.assertFalse(run.is_alive(), "run() goes on 5 s after the stop event")


if __name__ == "__main__":
    unittest.main()
