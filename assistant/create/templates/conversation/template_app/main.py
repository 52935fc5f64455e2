"""A robot to talk to: starts the conversation and the settings page, and moves."""

import contextlib
import logging
import threading
import time
from typing import TYPE_CHECKING

from robot_sdk import MoveError, Robot, RobotApp

from template_app.conversation import Conversation
from template_app.motion import Motion
from template_app.settings import Store, settings_file

if TYPE_CHECKING:
    from fastapi import FastAPI

PERIOD_S = 0.02


class TemplateApp(RobotApp):
    """What the daemon starts and stops."""

    custom_app_url = "http://localhost:8042"

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Moves and converses until the stop event is set."""
        store, motion = Store(settings_file()), Motion()
        head, antennas = motion.advance(0)
        conversation = Conversation(robot, motion, store, stop_event)
        add_routes(self.settings_app, store, conversation)  # before anything that takes time: the page asks at once
        with contextlib.suppress(MoveError):  # a servo may fail; the conversation works without
            robot.goto_target(head, antennas, duration=0.5)  # seconds
        conversation.start()
        before = time.monotonic()
        while not stop_event.is_set():
            now = time.monotonic()
            robot.set_target(*motion.advance(min(now - before, 2 * PERIOD_S)))  # without a jump after a pause
            before = now
            time.sleep(PERIOD_S)


def add_routes(app: "FastAPI", store: Store, conversation: Conversation) -> None:
    """Adds the routes that the settings page in static/ uses."""
    from fastapi import HTTPException

    @app.get("/status")
    def status() -> dict[str, str]:
        return conversation.status()

    @app.get("/settings")
    def get_settings() -> dict[str, str | bool]:
        return store.shown()

    @app.post("/settings")
    def set_settings(given: dict[str, str]) -> dict[str, str]:
        try:
            store.change(given)
        except (OSError, ValueError) as error:
            raise HTTPException(422, str(error)) from None
        return {"status": "Saved"}

    @app.delete("/settings/{provider}/key")
    def remove_key(provider: str) -> dict[str, str]:
        try:
            store.remove_key(provider)
        except (OSError, ValueError) as error:
            raise HTTPException(422, str(error)) from None
        return {"status": "The key is removed"}


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    app = TemplateApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
