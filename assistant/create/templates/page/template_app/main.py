"""Looks from side to side while the antennas sway; its page sets how fast."""

import math
import threading
import time

from robot_sdk import Robot, RobotApp
from robot_sdk.utils import create_head_pose

PERIOD_S = 0.02


class TemplateApp(RobotApp):
    """What the daemon starts and stops."""

    custom_app_url = "http://localhost:8042"
    speed = 1.0

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Moves the robot until the stop event is set."""
        self.add_routes()
        seconds = 0.0
        while not stop_event.is_set():
            swing = math.sin(2 * math.pi * seconds / 4)  # once to and fro in four seconds
            head = create_head_pose(yaw=25 * swing, pitch=-6 * swing * swing)  # degrees
            robot.set_target(head=head, antennas=[0.5 * swing, 0.5 * swing])  # radians: right, left
            time.sleep(PERIOD_S)
            seconds += PERIOD_S * self.speed

    def add_routes(self) -> None:
        """What the page in static/ calls."""

        @self.settings_app.get("/speed")
        def get_speed() -> dict[str, int]:
            return {"percent": round(100 * self.speed)}

        @self.settings_app.post("/speed/{percent}")
        def set_speed(percent: int) -> dict[str, str]:
            self.speed = min(max(percent, 0), 300) / 100
            return {"status": f"speed is {self.speed:.0%}"}


if __name__ == "__main__":
    app = TemplateApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
