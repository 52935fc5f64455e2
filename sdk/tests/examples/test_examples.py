"""The tests that authors begin with notice a wrong app: those of the templates, and each of docs/testing-apps.md."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mutant import MOVING_ANTENNAS, WAYS

from conftest import ROOT, StartTested
from robot_sdk.testing import AppUnderTest

TEMPLATES = ROOT / "assistant/create/templates"
PAGE = ROOT / "docs/testing-apps.md"
MAIN = """

if __name__ == "__main__":
    app = MyApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
"""


@dataclass(frozen=True)
class Example:
    """An app, and the text of its tests."""

    name: str
    folder: Path | None
    """Of a template; None for an app of the page."""
    app: str
    tests: str

    @property
    def ways(self) -> list[str]:
        """The ways in which the app can be broken: one antenna can only be still where the app moves both."""
        return [way for way in WAYS if way not in MOVING_ANTENNAS or "antennas" in self.tests]


def examples() -> list[Example]:
    found = []
    for name in ("default", "page", "settings", "conversation"):
        folders = [TEMPLATES / "default", TEMPLATES / name]
        tests = next(path for folder in reversed(folders) if (path := folder / "tests/test_on_robot.py").is_file())
        found.append(
            Example(
                name, TEMPLATES / name, (folders[1] / "template_app/main.py").read_text("utf8"), tests.read_text("utf8")
            )
        )
    app = ""
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf8"), re.MULTILINE | re.DOTALL):
        if "class MyApp" in block:
            app = block + MAIN
        for name in re.findall(r"^def (test_\w+)\(robot_app\)", block, re.MULTILINE):
            found.append(Example(name, None, nodding(app, found) if "nods" in name else app, block))
    return found


def nodding(app: str, found: list[Example]) -> str:
    """The page shows its first app once; further examples name it."""
    return next((each.app for each in found if each.folder is None), app)


EXAMPLES = {each.name: each for each in examples()}
RECORDED: dict[str, Path] = {}
"""Folders with the motions of the apps as they are, by the names of the examples."""


def run_tests(example: Example, tested: AppUnderTest) -> None:
    module: dict[str, Any] = {}
    exec(compile(example.tests, f"the tests of {example.name}", "exec"), module)
    tests: list[Callable[[AppUnderTest], None]] = [module[name] for name in module if name.startswith("test_")]
    assert len(tests) == 1, "an example has one test: the apps of further ones are not started"
    tests[0](tested)


def start(example: Example, folder: Path, start_tested: StartTested, way: str | None) -> AppUnderTest:
    """Starts the app of an example, broken in a way, with the recordings that belong to it."""
    package = folder / "template_app" if example.folder is not None else folder
    if example.folder is not None:
        shutil.copytree(example.folder / "template_app", package)
        shutil.copytree(TEMPLATES / "default/tests", folder / "tests")
        if (example.folder / "tests").is_dir():
            shutil.copytree(example.folder / "tests", folder / "tests", dirs_exist_ok=True)
    text = example.app
    if way is not None:
        shutil.copy(Path(__file__).parent / "mutant.py", folder)
        name = re.findall(r"^class (\w+)\(RobotApp\)", text, re.MULTILINE)[0]
        text = text.replace(
            'if __name__ == "__main__":',
            f'if __name__ == "__main__":\n    __import__("mutant").break_app({name}, {way!r})',
        )
    main = "template_app.main" if example.folder is not None else "main"
    (folder / f"{main.replace('.', '/')}.py").write_text(text, "utf8")
    motions = folder / "tests/motions" if example.folder is not None else RECORDED.get(example.name, folder / "motions")
    return start_tested(module=main, folder=folder, motions=motions)


def record(example: Example, folder: Path, start_tested: StartTested) -> None:
    """Runs the tests of an example with the app as it is, once for all that break it."""
    if example.name not in RECORDED:
        folder.mkdir()
        tested = start(example, folder, start_tested, None)
        assert example.folder is None or list((folder / "tests/motions").iterdir()), "the template has no recording"
        run_tests(example, tested)
        RECORDED[example.name] = folder / "motions"


def test_each_test_of_the_page_is_an_example() -> None:
    named = re.findall(r"^def (test_\w+)", PAGE.read_text("utf8"), re.MULTILINE)
    assert named == [name for name, example in EXAMPLES.items() if example.folder is None]
    assert len(named) >= 5


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_app_of_an_example_passes_its_test(name: str, start_tested: StartTested, tmp_path: Path) -> None:
    record(EXAMPLES[name], tmp_path / "app", start_tested)


@pytest.mark.parametrize(("name", "way"), [(each.name, way) for each in EXAMPLES.values() for way in each.ways])
def test_a_broken_app_fails_the_test_of_its_example(
    name: str, way: str, start_tested: StartTested, tmp_path_factory: pytest.TempPathFactory
) -> None:
    example = EXAMPLES[name]
    record(example, tmp_path_factory.mktemp("recorded") / "app", start_tested)
    tested = start(example, tmp_path_factory.mktemp("broken"), start_tested, way)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        run_tests(example, tested)
    # Not because the way to break it does not work.
    assert "mutant.py" not in tested.log
