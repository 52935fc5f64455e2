import time
from threading import Event

from robot_sdk import Robot, RobotApp


class Looping(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        while not stop_event.is_set():
            robot.set_target(antennas=[0.1, -0.1])
            time.sleep(0.02)
        print("left by stop_event", flush=True)


if __name__ == "__main__":
    app = Looping()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
