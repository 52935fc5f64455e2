import os
from threading import Event, Thread

from robot_sdk import Robot, RobotApp


def divide() -> None:
    raise ZeroDivisionError("the app's own mistake")


class Failing(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        way = os.environ.get("WAY")
        if way is None:
            divide()
        elif way == "argument":
            robot.set_target(body_yaw=90.0)
        elif way == "thread":
            thread = Thread(target=lambda: robot.set_target(body_yaw=90.0))
            thread.start()
            thread.join()
        else:
            try:
                robot.set_target(body_yaw=90.0)
            except ValueError as error:
                raise RuntimeError("the app gives up") from error


if __name__ == "__main__":
    app = Failing()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
