"""Runs the whole public surface of the public SDK against a daemon, one row of JSON a call.

Usage: sdk_surface.py PORT NOT_HERE.json. The second file names what is documented as not here, with the reason.
A public name of the SDK that no row calls is a row of its own, so that a new version cannot add one unnoticed.
"""

import json
import math
import pathlib
import sys
import threading
import time
import warnings

import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.motion.move import Move
from reachy_mini.utils import create_head_pose
from surface_devices import Devices
from surface_table import Table, until

port = int(sys.argv[1])
table = Table(json.loads(pathlib.Path(sys.argv[2]).read_text()))
row = table.add


def yaw_of_body():
    return mini.get_current_joint_positions()[0][0]


def near(get, wanted, tolerance=0.05):
    until(f"{wanted} wanted, {get()} seen", lambda: abs(get() - wanted) < tolerance)


class Swing(Move):
    """Swings the body by half a radian to both sides."""

    @property
    def duration(self):
        return 4.0

    def evaluate(self, t):
        yaw = 0.5 * math.sin(2 * math.pi * t / 4)
        return create_head_pose(pitch=5 * math.sin(t)), np.array([0.1 * math.sin(t), 0.0]), yaw


def connect():
    global mini, devices
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        mini = ReachyMini(port=port, connection_mode="localhost_only", timeout=20)
    devices = Devices(mini, port)
    return f"{mini.connection_mode}, no warning about versions"


row(
    "ReachyMini()",
    connect,
    ["client", "connection_mode", "host", "port", "robot_name", "logger", "is_recording", "T_head_cam"],
)


def awake():
    """The daemon wakes the robot at its start."""
    return mini.client.get_status().backend_status.motor_control_mode.value == "enabled"


def wake():
    until("motors on", awake, 60)
    mini.wake_up()
    near(lambda: float(mini.get_current_head_pose()[2, 3]), 0, 0.01)


row("wake_up()", wake)
row("get_current_joint_positions()", lambda: f"{[len(part) for part in mini.get_current_joint_positions()]}")
row("get_present_antenna_joint_positions()", lambda: f"{len(mini.get_present_antenna_joint_positions())}")
row("get_current_head_pose()", lambda: f"{mini.get_current_head_pose().shape}")
row("imu", lambda: f"{mini.imu}")
row("media", lambda: f"{mini.media.backend.name}", ["media", "media_manager"])
for method in ("linear", "minjerk", "ease_in_out", "cartoon"):
    row(
        f"goto_target({method})",
        lambda method=method: mini.goto_target(
            create_head_pose(yaw=10), antennas=[0.2, -0.2], duration=0.4, method=method
        ),
    )
row("goto_target(body_yaw=0.3)", lambda: (mini.goto_target(body_yaw=0.3, duration=0.5), near(yaw_of_body, 0.3))[0])


def superseded():
    failed = []

    def first():
        try:
            mini.goto_target(create_head_pose(yaw=20), duration=2)
        except Exception as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    time.sleep(0.3)
    mini.goto_target(create_head_pose(yaw=0), duration=0.4)
    thread.join(10)
    if failed or thread.is_alive():
        raise failed[0] if failed else TimeoutError("the first goto never ended")


row("goto_target() superseded by another", superseded)


def assert_raises(error, work):
    try:
        work()
    except error as raised:
        return f"{type(raised).__name__}, as there"
    raise AssertionError("nothing was raised")


row("goto_target(duration=0)", lambda: assert_raises(ValueError, lambda: mini.goto_target(create_head_pose(), duration=0)))
row("look_at_world()", lambda: f"{mini.look_at_world(0.5, 0.1, 0.1, duration=0.4).shape}")


row("look_at_image()", lambda: devices.look_at_ball())
row("set_target()", lambda: mini.set_target(create_head_pose(yaw=5), antennas=[0, 0], body_yaw=0.0))
row("set_target_head_pose()", lambda: mini.set_target_head_pose(create_head_pose(pitch=5)))
row(
    "set_target_head_pose(5 % off rigid)",
    lambda: mini.set_target_head_pose(np.diag([1.05, 1.05, 1.0, 1.0]) @ create_head_pose(pitch=5)),
)


def keeps():
    mini.set_target_body_yaw(0.4)
    for step in range(30):
        mini.set_target_head_pose(create_head_pose(yaw=step / 3))
        mini.set_target_antenna_joint_positions([0.01 * step, 0])
        time.sleep(0.02)
    near(yaw_of_body, 0.4)


row("set_target_body_yaw() kept by other messages", keeps)


def antennas_beyond_range():
    mini.set_target_antenna_joint_positions([4, -7])
    near(lambda: mini.get_present_antenna_joint_positions()[0], math.pi, 0.1)
    mini.set_target_antenna_joint_positions([0, 0])


row("set_target_antenna_joint_positions(4, -7)", antennas_beyond_range)


def automatic_body_yaw():
    mini.set_automatic_body_yaw(True)
    mini.set_target(create_head_pose(yaw=60), antennas=[0, 0], body_yaw=0.0)
    near(yaw_of_body, 0)
    mini.set_target_head_pose(create_head_pose(yaw=100))
    near(yaw_of_body, math.radians(35))
    mini.set_target(create_head_pose(), body_yaw=0.0)
    near(yaw_of_body, 0)
    return "follows from 65 degrees"


row("set_automatic_body_yaw()", automatic_body_yaw)


def play():
    low = high = 0.0
    ended = threading.Event()

    def watch():
        nonlocal low, high
        while not ended.is_set():
            yaw = yaw_of_body()
            low, high = min(low, yaw), max(high, yaw)
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    mini.play_move(Swing(), initial_goto_duration=0.5)
    ended.set()
    thread.join()
    note = f"body yaw {low:.2f} to {high:.2f} of -0.50 to 0.50"
    if not (abs(low + 0.5) < 0.03 and abs(high - 0.5) < 0.03):
        raise AssertionError(note)
    return note


row("play_move(body yaw +-0.5)", play, ["play_move", "async_play_move"])


def cancel():
    thread = threading.Thread(target=lambda: mini.play_move(Swing()))
    thread.start()
    time.sleep(0.5)
    mini.cancel_move()
    thread.join(2)
    if thread.is_alive():
        raise TimeoutError("the move went on")


row("cancel_move()", cancel)


def record():
    mini.start_recording()
    for _ in range(10):
        mini.set_target(create_head_pose(), antennas=[0, 0], body_yaw=0.0)
        time.sleep(0.02)
    return f"{len(mini.stop_recording())} records"


row("start_recording(), stop_recording()", record, ["start_recording", "stop_recording"])
row(
    "enable_wobbling(), disable_wobbling()",
    lambda: (mini.enable_wobbling(), mini.disable_wobbling())[0],
    ["enable_wobbling", "disable_wobbling"],
)
row(
    "start_head_tracking(), stop_head_tracking()",
    lambda: (mini.start_head_tracking(0.5), mini.stop_head_tracking())[0],
    ["start_head_tracking", "stop_head_tracking"],
)
row("get_tracked_face()", lambda: f"detected: {mini.get_tracked_face().detected}")


row("release_media(), acquire_media()", lambda: devices.release_and_acquire(), ["release_media", "acquire_media", "media_released"])


for name, work in {
    "media.get_frame()": lambda: f"{devices.picture().shape}",
    "media.start_recording()": lambda: mini.media.start_recording(),
    "media.get_audio_sample()": lambda: devices.loudest_sample(),
    "media.stop_recording()": lambda: mini.media.stop_recording(),
    "media.start_playing()": lambda: mini.media.start_playing(),
    "media.push_audio_sample()": lambda: devices.sway(),
    "media.stop_playing()": lambda: mini.media.stop_playing(),
    "media.play_sound()": lambda: mini.media.play_sound("wake_up.wav"),
    "media.get_DoA()": lambda: mini.media.get_DoA(),
}.items():
    row(name, lambda work=work: f"{work()}", ["media"])
row("disable_motors(body_rotation)", lambda: mini.disable_motors(["body_rotation"]), ["disable_motors"])
row("enable_motors()", lambda: (mini.enable_motors(), time.sleep(0.3))[0])
row("enable_gravity_compensation()", lambda: mini.enable_gravity_compensation())
row("disable_gravity_compensation()", lambda: (mini.disable_gravity_compensation(), time.sleep(0.3))[0])


def off():
    mini.disable_motors()
    time.sleep(0.3)
    mini.goto_target(create_head_pose(), duration=0.3)
    mini.enable_motors()
    return "no exception, as there"


row("goto_target() with the motors off", off)
row("goto_sleep()", lambda: mini.goto_sleep())
status = mini.client.get_status()
row(
    "client.get_status()",
    lambda: f"{status.robot_name}, {status.state.value}, simulated: {status.simulation_enabled}",
    ["client"],
)
with_context = ReachyMini(port=port, connection_mode="localhost_only", timeout=20)
row(
    "with ReachyMini() as mini",
    lambda: (with_context.__enter__(), with_context.__exit__(None, None, None))[1],
    ["client"],
)
missing = sorted({name for name in dir(ReachyMini) if not name.startswith("_")} - table.called)


def covered():
    if missing:
        raise AssertionError(f"not called: {', '.join(missing)}")


row("every public name is called", covered)
mini.client.disconnect()
sys.exit(1 if any(each["status"] == "failed" for each in table.rows) else 0)
