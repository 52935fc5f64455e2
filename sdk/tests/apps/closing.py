from threading import Event

from robot_sdk import Robot, RobotApp


class Closing(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        robot.close()


if __name__ == "__main__":
    app = Closing()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
