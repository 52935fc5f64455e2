import multiprocessing
import time
from threading import Event

from robot_sdk import Robot, RobotApp


class Forking(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        for _ in range(20):
            child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,), daemon=True)
            child.start()
            child.terminate()
            child.join()
            print(child.exitcode, flush=True)
        robot.set_target(body_yaw=0.0)
        stop_event.wait()


if __name__ == "__main__":
    app = Forking()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
