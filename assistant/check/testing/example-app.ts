/** An app named my_app that has the right example of every rule in it, word for word. */
export const exampleFiles: ReadonlyMap<string, string> = new Map([
  ["index.html", "<!doctype html><title>My App</title><p>Waves.</p>\n"],
  ["style.css", "body { font-family: system-ui; }\n"],
  [
    "pyproject.toml",
    `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "my_app"
version = "0.1.0"
dependencies = ["robot-sdk[web]"]

[project.entry-points.robot_apps]
my_app = "my_app.main:MyApp"

[tool.setuptools]
packages = ["my_app"]

[tool.setuptools.package-data]
my_app = ["static/*"]
`,
  ],
  ["README.md", "---\ntitle: My App\ntags:\n  - robot_python_app\n---\n\n# My App\n"],
  ["my_app/__init__.py", '"""My App."""\n'],
  [
    "my_app/main.py",
    `import os
import time

from robot_sdk import RobotApp

KEY = os.environ.get("MY_APP_KEY")


class MyApp(RobotApp):
    custom_app_url = "http://localhost:8042"

    def run(self, robot, stop_event):
        while not stop_event.is_set():
            robot.set_target(antennas=[0.3, -0.3])
            time.sleep(0.02)


if __name__ == "__main__":
    app = MyApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`,
  ],
  ["my_app/robot_settings.json", '{ "speed": { "default": 100, "max": 300 } }\n'],
  ["my_app/static/index.html", "<!doctype html><title>Settings</title>\n"],
]);
