"""Runs the app in the main thread, as its main block does, and stops it without a signal.

Arguments: the app's module and class, and the exit code of a stop() that has not set the stop event.

A line on standard input sets the app's stop event, or calls stop() in another thread and ends with that exit code
where that has not set the event. The line has a secret word, too: lines of standard output with it report that
stop() is called, that it sets the event (before it does so, because it may end the process right after), and that
wrapped_run() has returned.
"""

import importlib
import os
import sys
import threading

module, class_name, event_not_set = sys.argv[1:]
sys.argv[1:] = []
app = getattr(importlib.import_module(module), class_name)()
secret: str | None = None


def print_report(what: str) -> None:
    """Writes a line with the secret word."""
    if secret is not None:
        os.write(1, (secret + " " + what + "\n").encode())


def wait() -> None:
    """Stops the app as the line on standard input says."""
    global secret
    cause, secret = sys.stdin.readline().split()
    event = app.stop_event
    if cause == "stop-event":
        event.set()
        return
    set_event = event.set

    def report_and_set_event() -> None:
        print_report("sets-event")
        set_event()

    event.set = report_and_set_event
    print_report("called")
    app.stop()
    if not app.stop_event.is_set():
        os._exit(int(event_not_set))
    print_report("sets-event")


threading.Thread(target=wait, daemon=True).start()
app.wrapped_run()
print_report("returned")
