"""Signals that arrive wherever the main thread is inside Event.wait, many times over."""

import os
import signal
import threading

from robot_sdk.app.signals import stop_on_signals

for _ in range(50):
    stop_event = threading.Event()
    stop_on_signals(stop_event)
    thread = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
    thread.start()
    while not stop_event.wait(0):
        pass
    thread.join()
print("all ended", flush=True)
