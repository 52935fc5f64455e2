import os
from threading import Event

from robot_sdk import Robot, RobotApp


class Paged(RobotApp):
    custom_app_url = os.environ["PAGE_URL"]

    def run(self, robot: Robot, stop_event: Event) -> None:
        robot.set_target(body_yaw=0.0)

        @self.settings_app.post("/greet/{name}")
        def greet(name: str) -> dict[str, str]:
            return {"status": f"hello {name}"}

        print("routes declared", flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = Paged()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
