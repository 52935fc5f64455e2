"""docs/sdk.md and docs/sdk-reference.md are generated from the docstrings; their examples run."""

import inspect
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from api_page import DOCS, IMPORTS, Docs, examples, render

from conftest import MYPY_CACHE
from robot_sdk import Robot, RobotApp
from robot_sdk.audio.media import Media
from robot_sdk.utils import create_head_pose
from scripted_daemon import ScriptedDaemon

EXAMPLES = dict(examples())


def test_the_pages_match_the_docstrings() -> None:
    for name, text in render().items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, "run: python sdk/api_page.py"


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(
    daemon: ScriptedDaemon, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free_port: int, name: str
) -> None:
    code = EXAMPLES[name]
    main = ModuleType("__main__")
    main.__file__ = str(tmp_path / "main.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.chdir(tmp_path)
    for declared in re.findall(r"# robot_settings.json: (.*)", code):
        (tmp_path / "robot_settings.json").write_text(declared)
    assert code, f"{name} has no example"
    assert len(code.splitlines()) <= 10
    monkeypatch.setattr(threading.Timer, "start", lambda timer: timer.function())
    # They would stay in the process of the tests.
    monkeypatch.setattr("robot_sdk.app.robot_app.stop_on_signals", lambda stop_event: None)
    monkeypatch.setattr("robot_sdk.app.robot_app.print_app_tracebacks", lambda: None)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(IMPORTS, names)
    names["Hello"] = type("Hello", (RobotApp,), {"run": lambda self, robot, stop_event: None})
    exec(code.replace("http://127.0.0.1:8000", daemon.url).replace("8042", str(free_port)), names)
    for app in [value for value in names.values() if inspect.isclass(value) and issubclass(value, RobotApp)]:
        if app is not RobotApp and app.__name__ != "Hello":
            stop_event = threading.Event()
            stop_event.set()
            with Robot() as robot:
                app().run(robot, stop_event)


def test_the_types_of_all_examples_are_right(tmp_path: Path) -> None:
    source = tmp_path / "examples.py"
    hello = "class Hello(RobotApp):\n    def run(self, robot: Robot, stop_event: threading.Event) -> None: ...\n"
    functions = [
        f"def example_{index}() -> None:\n" + "\n".join(f"    {line}" for line in code.splitlines())
        for index, code in enumerate(EXAMPLES.values())
    ]
    source.write_text("\n".join([IMPORTS, hello, *functions]))
    options = ["--check-untyped-defs", "--no-error-summary", f"--cache-dir={MYPY_CACHE / 'examples'}"]
    command = [sys.executable, "-m", "mypy", *options, str(source)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 0, result.stdout


def test_every_parameter_and_public_name_is_documented() -> None:
    members = [
        *((owner, name) for owner in (Robot, RobotApp, Media) for name in dir(owner) if not name.startswith("_")),
        (Robot, "__init__"),
    ]
    for owner, name in members:
        member = inspect.getattr_static(owner, name)
        if not inspect.isfunction(member) and not isinstance(member, property):
            continue
        docs = Docs.of(member)
        assert docs.text, f"{owner.__name__}.{name}"
        if inspect.isfunction(member):
            parameters = [each for each in inspect.signature(member).parameters if each != "self"]
            listed = re.findall(r"^(\w+): ", docs.sections.get("Args", ""), re.MULTILINE)
            assert listed == parameters, f"{owner.__name__}.{name}"
    listed = re.findall(r"^(\w+): ", Docs.of(create_head_pose).sections["Args"], re.MULTILINE)
    assert listed == list(inspect.signature(create_head_pose).parameters)
