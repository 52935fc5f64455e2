"""Makes one call of the robot, which the environment names, over and over until its stop event is set."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np

import robot_sdk.connection.connection
from robot_sdk import Robot, RobotApp
from robot_sdk.utils import create_head_pose


def record_motion(robot: Robot) -> None:
    robot.start_motion_recording()
    robot.set_target(body_yaw=0.1)
    robot.stop_motion_recording()


def reconnect(robot: Robot, stop_event: Event) -> None:
    Robot(timeout=60, stop_event=stop_event)


def record(robot: Robot) -> None:
    robot.start_recording()
    robot.get_audio_sample()
    robot.stop_recording()


CALLS: dict[str, Callable[[Robot, Event], object]] = {
    "connect": reconnect,
    "set_target": lambda robot, _: robot.set_target(head=create_head_pose(yaw=10)),
    "goto_target": lambda robot, _: robot.goto_target(body_yaw=0.1, duration=60),
    "wake_up": lambda robot, _: robot.wake_up(),
    "goto_sleep": lambda robot, _: robot.goto_sleep(),
    "set_automatic_body_yaw": lambda robot, _: robot.set_automatic_body_yaw(True),
    "get_current_head_pose": lambda robot, _: robot.get_current_head_pose(),
    "get_current_joint_positions": lambda robot, _: robot.get_current_joint_positions(),
    "get_present_antenna_joint_positions": lambda robot, _: robot.get_present_antenna_joint_positions(),
    "daemon_status": lambda robot, _: robot.daemon_status,
    "check": lambda robot, _: robot.check(),
    "antenna_touched": lambda robot, _: robot.antenna_touched("left"),
    "on_antenna_touch": lambda robot, _: robot.on_antenna_touch(print)(),
    "on_connection_change": lambda robot, _: robot.on_connection_change(print)(),
    "enable_motors": lambda robot, _: robot.enable_motors(),
    "disable_motors": lambda robot, _: robot.disable_motors(),
    "enable_gravity_compensation": lambda robot, _: robot.enable_gravity_compensation(),
    "disable_gravity_compensation": lambda robot, _: robot.disable_gravity_compensation(),
    "start_recording": lambda robot, _: robot.start_recording(),
    "record": lambda robot, _: record(robot),
    "push_audio_sample": lambda robot, _: robot.push_audio_sample(np.zeros(16_000)),
    "play_sound": lambda robot, _: robot.play_sound("wake_up"),
    "play_sound_of_a_file": lambda robot, _: robot.play_sound(Path(os.environ["SOUND"])),
    "motion_recording": lambda robot, _: record_motion(robot),
    "media.start_recording": lambda robot, _: robot.media.start_recording(),
    "media.push_audio_sample": lambda robot, _: robot.media.push_audio_sample(np.zeros((16_000, 1))),
    "media.play_sound": lambda robot, _: robot.media.play_sound("wake_up"),
    "media.stop_playing": lambda robot, _: robot.media.stop_playing(),
}


class StoppedInACall(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        call = CALLS[os.environ["CALL"]]
        print("calling", flush=True)
        while not stop_event.is_set():
            call(robot, stop_event)
            time.sleep(0.001)
        # An app may go on to use the robot as it ends.
        if os.environ["CALL"] != "connect":
            call(robot, stop_event)


if __name__ == "__main__":
    # The test stops it during an outage, for which a busy machine may need long.
    robot_sdk.connection.connection.OUTAGE_S = 60.0
    app = StoppedInACall()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
