"""A main thread that waits without noticing the signal, as when the signal comes just before it blocks."""

import signal
from threading import Event

from robot_sdk import Robot, RobotApp


class Unnoticing(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        robot.set_target(body_yaw=0.0)
        stop_event.wait()


if __name__ == "__main__":
    app = Unnoticing()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
