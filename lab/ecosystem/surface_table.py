"""The table of an SDK's calls: a row of JSON for each, printed when it has run."""

import json
import re
import time

# What an older version of the SDK does not have yet.
ABSENT = re.compile(r"^AttributeError: '(ReachyMini|MediaManager)' object has no attribute")


class Table:
    """Runs calls and keeps what came of them.

    `not_here` names calls that are documented as not here, with the reason.
    """

    def __init__(self, not_here):
        self.not_here = not_here
        self.rows = []
        # Public names of the SDK that a row has called.
        self.called = set()

    def add(self, name, work, names=()):
        """Calls `work`; it returns a note, and raises when the SDK or the robot does something else."""
        self.called.update(names or [name.split("(")[0].split(" ")[0].split(".")[0]])
        # What does nothing without an exception is not here either.
        reason = self.not_here.get(name)
        try:
            note = work()
            result = {"name": name, "status": "not here" if reason else "ok", "note": reason or note or ""}
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what the table shows
            note = reason or f"{type(error).__name__}: {error}"
            status = "absent" if ABSENT.search(note) else "not here" if reason else "failed"
            result = {"name": name, "status": status, "note": note}
        self.rows.append(result)
        print(json.dumps(result), flush=True)


def until(what, holds, seconds=20):
    """Waits for a condition of the robot."""
    end = time.time() + seconds
    while not holds():
        if time.time() > end:
            raise TimeoutError(what)
        time.sleep(0.02)
