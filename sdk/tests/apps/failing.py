from threading import Event

from robot_sdk import Robot, RobotApp


class Failing(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        raise ZeroDivisionError("the app's own mistake")


if __name__ == "__main__":
    app = Failing()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
