"""A robot to talk to: starts the conversation and the settings page, and moves."""

import logging
import threading
import time
from typing import TYPE_CHECKING

from robot_sdk import Robot, RobotApp

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
        """Moves and converses until told to stop."""
        store, motion = Store(settings_file()), Motion()
        head, antennas = motion.advance(0)
        robot.goto_target(head, antennas, duration=0.5)  # smoothly, from wherever the robot is
        conversation = Conversation(robot, motion, store, stop_event)
        # A request to the server may take long; nobody waits for it when the app shall stop.
        threading.Thread(target=conversation.run, name="conversation", daemon=True).start()
        add_routes(self.settings_app, store, conversation)
        before = time.monotonic()
        while not stop_event.is_set():
            now = time.monotonic()
            robot.set_target(*motion.advance(min(now - before, 2 * PERIOD_S)))  # no leap after a pause
            before = now
            time.sleep(PERIOD_S)


def add_routes(app: "FastAPI", store: Store, conversation: Conversation) -> None:
    """What the settings page in static/ calls."""
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

    @app.delete("/settings/api_key")
    def forget_key() -> dict[str, str]:
        store.forget_key()
        return {"status": "The key is forgotten"}


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    app = TemplateApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
