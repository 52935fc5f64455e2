import time
from threading import Event, Thread

from robot_sdk import Robot, RobotApp


class Lingering(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        Thread(target=time.sleep, args=(600,), daemon=True).start()


if __name__ == "__main__":
    app = Lingering()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
