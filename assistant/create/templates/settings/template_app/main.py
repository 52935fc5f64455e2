"""Looks from side to side while the antennas sway; its settings on the dashboard say how."""

import math
import threading
import time

from robot_sdk import Robot, RobotApp
from robot_sdk.utils import create_head_pose

PERIOD_S = 0.02
YAW = {"both sides": (-25, 25), "left": (0, 25), "right": (-25, 0)}  # degrees
PACE = 0.02  # the part of a change of yaw in one period: the head never jumps


class TemplateApp(RobotApp):
    """What the daemon starts and stops."""

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Moves the robot until the stop event is set."""
        seconds = yaw = sway = 0.0
        while not stop_event.is_set():
            settings = self.read_settings()  # of robot_settings.json, as they are set now
            swing = math.sin(2 * math.pi * seconds / 4)  # once to and fro in four seconds
            low, high = YAW[settings["side"]]
            yaw += PACE * ((low + high + (high - low) * swing) / 2 - yaw)
            sway += PACE * ((0.5 * swing if settings["antennas"] else 0.0) - sway)
            robot.set_target(head=create_head_pose(yaw=yaw), antennas=[sway, sway])  # radians: right, left
            time.sleep(PERIOD_S)
            seconds += PERIOD_S * settings["speed"] / 100


if __name__ == "__main__":
    app = TemplateApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
