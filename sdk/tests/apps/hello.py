"""The bundled example, on a port of the test's choice."""

import os

from hello_robot.main import HelloRobot

if __name__ == "__main__":
    HelloRobot.custom_app_url = os.environ["PAGE_URL"]
    app = HelloRobot()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
