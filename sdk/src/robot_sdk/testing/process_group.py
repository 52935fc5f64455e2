"""Processes that are started in a session of their own, together with what they start."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import Any


def kill_group(process: subprocess.Popen[Any]) -> None:
    """Kills a process and those of its group; on Windows the process alone."""
    if sys.platform == "win32":
        process.kill()
        return
    # macOS: PermissionError when all processes of the group have ended and one has not been waited for.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
