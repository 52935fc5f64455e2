"""Signals that arrive wherever the main thread is inside Event.wait, many times over."""

import os
import signal
import threading

from robot_sdk.signals import stop_on_signals

for _ in range(50):
    stop_event = threading.Event()
    stop_on_signals(stop_event)
    waiting = threading.Event()

    def interrupt(waiting: threading.Event = waiting) -> None:
        waiting.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    waiting.set()
    while not stop_event.wait(0):
        pass
    thread.join()
print("all ended", flush=True)
