import time
from threading import Event

from robot_sdk import Robot, RobotApp


class Stubborn(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        robot.set_target(body_yaw=0.0)
        stop_event.wait()
        print("cleaning up for long", flush=True)
        time.sleep(600)


if __name__ == "__main__":
    app = Stubborn()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        app.stop()
