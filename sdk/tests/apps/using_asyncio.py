"""An app that runs asyncio, which sets a wake-up descriptor and may install handlers of its own."""

import asyncio
import os
import signal
import time
from threading import Event

from robot_sdk import Robot, RobotApp


class UsingAsyncio(RobotApp):
    def run(self, robot: Robot, stop_event: Event) -> None:
        {"loop": self.handle_in_loop, "other": self.handle_other, "wakeup": self.set_wakeup}[os.environ["WAY"]](
            robot, stop_event
        )
        print(f"{stop_event.is_set()=}", flush=True)

    def handle_in_loop(self, robot: Robot, stop_event: Event) -> None:
        """The loop handles SIGINT itself."""

        async def main() -> None:
            stopped = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopped.set)
            robot.set_target(body_yaw=0.0)
            await stopped.wait()
            await asyncio.to_thread(stop_event.wait)

        asyncio.run(main())

    def handle_other(self, robot: Robot, stop_event: Event) -> None:
        """The loop handles another signal, which sets its wake-up descriptor."""

        async def main() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, print)
            robot.set_target(body_yaw=0.0)
            while not stop_event.is_set():
                await asyncio.sleep(0.02)

        asyncio.run(main())

    def set_wakeup(self, robot: Robot, stop_event: Event) -> None:
        """The app has a wake-up descriptor of its own."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        previous = signal.set_wakeup_fd(writer)
        assert previous == -1
        robot.set_target(body_yaw=0.0)
        assert os.read(reader, 10) == bytes([signal.SIGINT])
        while not stop_event.is_set():
            time.sleep(0.001)
        assert signal.set_wakeup_fd(-1) == writer


if __name__ == "__main__":
    app = UsingAsyncio()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
