"""Runs an app's module in virtual time: `python -m robot_sdk_virtual_time FD MODULE`, by the test."""

from __future__ import annotations

import _thread
import random
import runpy
import sys

from robot_sdk_virtual_time.connection_to_test import ConnectionToTest
from robot_sdk_virtual_time.patches import install_patches
from robot_sdk_virtual_time.scheduler import Scheduler
from robot_sdk_virtual_time.virtual_socket import AUDIO, ROBOT, VirtualSocket


def main() -> None:
    """Waits for the test, then runs the module as `python -m MODULE` does."""
    file_descriptor, module = int(sys.argv[1]), sys.argv[2]
    scheduler = Scheduler()
    connection = ConnectionToTest(file_descriptor, scheduler)
    _thread.start_new_thread(connection.serve, ())
    install_patches(scheduler, connection.use_real_time, connection.ports)
    import websockets.sync.client as client

    def connect(url: str, **_options: object) -> VirtualSocket:
        name = next((each for each in (ROBOT, AUDIO) if url.endswith(each)), None)
        if name is None:
            raise ConnectionRefusedError(f"the robot of a test has only {ROBOT} and {AUDIO}, not {url}")
        if scheduler.now < connection.disconnected_until:
            raise ConnectionRefusedError("the test has disconnected the app")
        return VirtualSocket(connection, name)

    client.connect = connect  # type: ignore[assignment]
    random.seed(0)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
