"""Apps of a few lines; the environment variable APP names the class of the one that runs."""

import multiprocessing
import os
import signal
import time
from threading import Event, Thread

from robot_sdk import Robot, RobotApp


class Closing(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        robot.close()


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


class Going(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        while not stop_event.is_set():
            arrived = robot.goto_target(antennas=[1.0, -1.0], duration=30.0)
            print(f"{arrived=}", flush=True)


class Lingering(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        Thread(target=time.sleep, args=(600,), daemon=True).start()


class Looping(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        while not stop_event.is_set():
            robot.set_target(antennas=[0.1, -0.1])
            time.sleep(0.02)
        print("left by stop_event", flush=True)


class Stubborn(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        robot.set_target(body_yaw=0.0)
        stop_event.wait()
        print("cleaning up for long", flush=True)
        time.sleep(600)


class Unnoticing(RobotApp):
    """A main thread that waits without noticing the signal, as when the signal comes just before it blocks."""

    def run(self, robot: Robot, stop_event: Event) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        robot.set_target(body_yaw=0.0)
        stop_event.wait()


if __name__ == "__main__":
    app: RobotApp = globals()[os.environ["APP"]]()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        app.stop()
