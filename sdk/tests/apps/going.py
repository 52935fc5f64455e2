from threading import Event

from robot_sdk import Robot, RobotApp


class Going(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        while not stop_event.is_set():
            arrived = robot.goto_target(antennas=[1.0, -1.0], duration=30.0)
            print(f"{arrived=}", flush=True)


if __name__ == "__main__":
    app = Going()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
