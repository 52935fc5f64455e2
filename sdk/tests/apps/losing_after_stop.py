"""Uses the robot after its stop event was set, until the daemon is lost."""

import os
import sys
from threading import Event

import robot_sdk.connection.connection
from robot_sdk import Robot, RobotApp

# The apps folder is the working directory.
sys.path.insert(0, ".")
from stopped_in_a_call import CALLS

robot_sdk.connection.connection.OUTAGE_S = 0.3


class LosingAfterStop(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        call = CALLS[os.environ["CALL"]]
        print("calling", flush=True)
        call(robot, stop_event)
        stop_event.wait()
        print("stopping", flush=True)
        while True:
            robot.check()


if __name__ == "__main__":
    app = LosingAfterStop()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
