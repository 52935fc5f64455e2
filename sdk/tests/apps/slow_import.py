import time

import robot_sdk  # noqa: F401

print("importing", flush=True)
time.sleep(600)
