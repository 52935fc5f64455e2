"""Drives the robot of a public daemon with the public SDK, and prints how well it followed.

Usage: drive.py PORT SECONDS. Exits with 1 when the daemon reports an error or the robot does not follow.
"""

import math
import sys
import time

import numpy as np
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

port, seconds = int(sys.argv[1]), float(sys.argv[2])
HZ = 50
# Radians between where the body is and where it was sent half a second before, on average.
FOLLOWS = 0.1

mini = ReachyMini(port=port, connection_mode="localhost_only", media_backend="no_media", timeout=30)
mini.wake_up()
began = time.monotonic()
errors, frequencies, sent = [], [], []
while (now := time.monotonic() - began) < seconds:
    yaw = 0.4 * math.sin(2 * math.pi * now / 6)
    swing = 0.3 * math.sin(2 * math.pi * now / 2)
    mini.set_target(create_head_pose(roll=8 * math.sin(now), pitch=6 * math.cos(now)), [swing, -swing], yaw)
    sent.append((now, yaw))
    joints, _ = mini.get_current_joint_positions()
    # What was sent 0.2 s ago: targets take a while to the servos and back.
    past = next((angle for at, angle in reversed(sent) if at < now - 0.2), None)
    if past is not None and now > 3:
        errors.append(abs(joints[0] - past))
    sent = sent[-2 * HZ :]
    if len(errors) % (5 * HZ) == 1:
        status = mini.client.get_status()
        if status.error or status.backend_status.error:
            sys.exit(f"after {now:.0f} s: {status.error or status.backend_status.error}")
        stats = getattr(status.backend_status, "control_loop_stats", None) or {}
        frequencies.append(stats.get("mean_control_loop_frequency", 0))
    time.sleep(max(0, (round(now * HZ) + 1) / HZ - (time.monotonic() - began)))
mini.goto_sleep()
mini.client.disconnect()
mean = float(np.mean(errors))
known = [each for each in frequencies if each]
rate = f"{np.mean(known):.1f} Hz (lowest {min(known):.1f})" if known else "no frequency reported"
print(f"{rate}, body {mean:.3f} rad from its target on average")
if mean > FOLLOWS:
    sys.exit(f"the body was {mean:.3f} rad from its target on average")
