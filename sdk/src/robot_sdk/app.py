"""The class that every app extends."""

from __future__ import annotations

import atexit
import gc
import logging
import sys
import threading
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from robot_sdk.robot import Robot
from robot_sdk.signals import stop_on_signals

if TYPE_CHECKING:
    from fastapi import FastAPI

logger = logging.getLogger("robot_sdk")


class RobotApp(ABC):
    """An app that the daemon runs with `python -u -m <app_name>.main`, and stops with SIGINT.

    Its module ends with a block that makes the app, calls `wrapped_run()`, and `stop()` on KeyboardInterrupt.
    """

    custom_app_url: str | None = None
    """Address of the app's web page with its port, as `http://localhost:8042`; None for no page."""

    def __init__(self) -> None:
        self.stop_event = threading.Event()
        self._settings_app: FastAPI | None = None
        self._settings_lock = threading.Lock()

    @abstractmethod
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """What the app does. Its loop must poll `stop_event` and end when it is set.

        Args:
            robot: A connected robot.
            stop_event: Set when the app shall stop, or when the daemon has gone.
        """

    def wrapped_run(self) -> None:
        """Connects to the robot, serves the web page if there is one, and calls `run`.

        Returns when `run` does, or when told to stop before. The first SIGINT or SIGTERM sets the stop event; a second
        one raises KeyboardInterrupt.

        Raises:
            SystemExit: With a message and exit code 1: no daemon, the daemon went, or the page's port is taken.
            Exception: Whatever `run` raises.
        """
        stop_on_signals(self.stop_event)
        # Spares the interpreter to visit every object as it ends: with FastAPI imported that takes 50 ms of each stop.
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
            self.run(robot, self.stop_event)
            if robot.failure is not None:
                sys.exit(robot.failure)

    def stop(self) -> None:
        """Sets the stop event, so that `run` ends."""
        self.stop_event.set()

    @property
    def settings_app(self) -> FastAPI:
        """The FastAPI application behind `custom_app_url`, to declare routes on in `run`.

        Beneath the routes it serves the `static` folder beside the app's module.

        Raises:
            RuntimeError: `custom_app_url` is None.
        """
        if self.custom_app_url is None:
            raise RuntimeError("there is no settings_app without custom_app_url: set it, as to http://localhost:8042")
        with self._settings_lock:
            if self._settings_app is None:
                from robot_sdk.settings import create_settings_app

                self._settings_app = create_settings_app(self._static_folder())
            return self._settings_app

    def _static_folder(self) -> Path:
        module = sys.modules[type(self).__module__]
        return Path(module.__file__ or "").parent / "static"

    def _serve_settings(self, robot: Robot, stack: ExitStack) -> None:
        from robot_sdk.settings import SettingsServer

        assert self.custom_app_url is not None
        if not (self._static_folder() / "index.html").is_file():
            logger.warning("no %s/index.html: is static/ listed as package data?", self._static_folder())
        wireless = bool(robot.daemon_status.get("wireless_version"))
        try:
            server = SettingsServer(self.custom_app_url, wireless, lambda: self.settings_app)
        except (ImportError, OSError, ValueError) as error:
            sys.exit(str(error))
        stack.callback(server.close)
