"""The base class of all apps."""

from __future__ import annotations

import atexit
import gc
import logging
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robot_sdk.app.debugging import listen_for_debugger
from robot_sdk.app.signals import stop_on_signals
from robot_sdk.app.tracebacks import print_app_tracebacks
from robot_sdk.errors import DaemonLostError, StopRequestedError
from robot_sdk.robot.robot import Robot

if TYPE_CHECKING:
    from fastapi import FastAPI

logger = logging.getLogger("robot_sdk")


class RobotApp(ABC):
    """An app that the daemon runs with `python -u -m <app_name>.main` and stops with SIGINT.

    Extend it, implement `run`, and end the module with a block that calls `wrapped_run()`, and `stop()` on
    KeyboardInterrupt.

    Example:
        class Hello(RobotApp):
            def run(self, robot, stop_event):
                while not stop_event.is_set():
                    robot.set_target(antennas=[0.3, -0.3])  # radians
                    time.sleep(0.02)
    """

    custom_app_url: str | None = None
    """Address of the app's web page with its port, for example `http://localhost:8042`; None for no page."""

    custom_app_hosts: Collection[str] = ()
    """Further host names by which browsers may open the page, for example those of a reverse proxy."""

    def __init__(self) -> None:
        self.stop_event = threading.Event()
        self._settings_app: FastAPI | None = None
        self._settings_lock = threading.Lock()

    @abstractmethod
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """What the app does; the only method that an app must implement. Its loop must end when `stop_event` is set.

        Args:
            robot: A connected robot.
            stop_event: Set when the app must stop, and when the daemon is lost.

        Example:
            class Nod(RobotApp):
                def run(self, robot, stop_event):
                    while not stop_event.is_set():
                        robot.goto_target(head=create_head_pose(pitch=10), duration=0.5)  # degrees, seconds
                        robot.goto_target(head=create_head_pose(), duration=0.5)
        """

    def wrapped_run(self) -> None:
        """Connects to the robot, serves the web page if there is one, and calls `run`.

        Returns when `run` returns, and when a stop interrupts a call of the robot. The first SIGINT or SIGTERM sets the
        stop event; a second one raises KeyboardInterrupt.

        Raises:
            SystemExit: With a message and exit code 1: there is no daemon, the daemon is lost, or the page's port is in
                use.
            Exception: An error that `run` raises; its traceback shows the app's own code.

        Example:
            if __name__ == "__main__":
                app = Hello()
                try:
                    app.wrapped_run()
                except KeyboardInterrupt:
                    app.stop()
        """
        stop_on_signals(self.stop_event)
        print_app_tracebacks()
        listen_for_debugger()
        # Otherwise the interpreter visits every object at its end: 50 ms of each stop when FastAPI is imported.
        atexit.register(gc.freeze)
        try:
            robot = Robot(stop_event=self.stop_event)
        except (ConnectionError, ValueError) as error:
            if self.stop_event.is_set():
                return
            sys.exit(str(error))
        with ExitStack() as stack:
            stack.enter_context(robot)
            if self.custom_app_url is not None:
                self._serve_settings(robot, stack)
            try:
                self.run(robot, self.stop_event)
            except StopRequestedError:
                return
            except DaemonLostError:
                if robot.failure is None and not robot.lost_after_stop:
                    raise
            if robot.failure is not None:
                sys.exit(robot.failure)

    def stop(self) -> None:
        """Sets the stop event, so that `run` ends.

        Example:
            app = Hello()
            threading.Timer(5.0, app.stop).start()  # seconds
            app.wrapped_run()
        """
        self.stop_event.set()

    def read_settings(self) -> dict[str, Any]:
        """Reads the settings that `robot_settings.json` beside the app's module declares, as they are set now.

        The app's page on the dashboard shows and sets them, also while the app is stopped; they are kept in the app's
        working folder. A setting has a `default` (true or false, a number or a text), and may have a `title`, `min` and
        `max`, or `choices`. Without the daemon, or where nothing is set, the values are the defaults.

        Raises:
            FileNotFoundError: The app has no `robot_settings.json`, or its package does not bring it.
            ValueError: `robot_settings.json` is not valid.

        Example:
            class Swing(RobotApp):
                def run(self, robot, stop_event):
                    # robot_settings.json: {"speed": {"title": "Speed, percent", "default": 100, "min": 0, "max": 300}}
                    print(self.read_settings()["speed"])
        """
        from robot_sdk.app.declared_settings import read_settings

        return read_settings(self._static_folder().parent, Path())

    @property
    def settings_app(self) -> FastAPI:
        """The FastAPI application behind `custom_app_url`; declare its routes in `run`.

        Below these routes it serves the `static` folder beside the app's module. It refuses requests of other sites'
        pages, and on a network those without the daemon's token.

        Raises:
            RuntimeError: `custom_app_url` is None.

        Example:
            class Page(RobotApp):
                custom_app_url = "http://localhost:8042"

                def run(self, robot, stop_event):
                    @self.settings_app.get("/pose")
                    def get_pose() -> list[float]:
                        return robot.get_current_head_pose().ravel().tolist()

                    stop_event.wait()
        """
        if self.custom_app_url is None:
            raise RuntimeError(
                "there is no settings_app without custom_app_url: set it, for example to http://localhost:8042"
            )
        with self._settings_lock:
            if self._settings_app is None:
                from robot_sdk.app.settings_page import create_settings_app

                self._settings_app = create_settings_app(self._static_folder())
            return self._settings_app

    def _static_folder(self) -> Path:
        module = sys.modules[type(self).__module__]
        # An interactive session has no file.
        return Path(getattr(module, "__file__", None) or "").parent / "static"

    def _serve_settings(self, robot: Robot, stack: ExitStack) -> None:
        from robot_sdk.app.settings_page import SettingsServer

        assert self.custom_app_url is not None
        if not (self._static_folder() / "index.html").is_file():
            logger.warning("no %s/index.html: is static/ listed as package data?", self._static_folder())
        wireless = bool(robot.daemon_status.get("wireless_version"))
        try:
            server = SettingsServer(self.custom_app_url, wireless, lambda: self.settings_app, self.custom_app_hosts)
        except (ImportError, OSError, ValueError) as error:
            sys.exit(str(error))
        stack.callback(server.close)
