"""What `robot-app-assistant create` makes apps from: each template is an app itself."""

import py_compile
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from conftest import StartApp, finish
from scripted_daemon import ScriptedDaemon

TEMPLATES = Path(__file__).parents[2] / "assistant" / "create" / "templates"
# Three radians a second, in 20 ms.
MAX_STEP = 0.06


@pytest.fixture(params=["default", "page", "settings", "conversation"])
def template(request: pytest.FixtureRequest, tmp_path: Path, free_port: int) -> Path:
    """A template that serves its page, if it has one, on a free port."""
    folder = tmp_path / "template"
    shutil.copytree(TEMPLATES / str(request.param), folder)
    main = folder / "template_app" / "main.py"
    main.write_text(main.read_text().replace("8042", str(free_port)))
    return folder


def test_every_file_compiles(template: Path) -> None:
    files = list(template.rglob("*.py"))
    assert files
    for file in files:
        py_compile.compile(str(file), doraise=True)


def test_it_moves_without_a_jump_and_a_sigint_ends_it_with_code_0(
    template: Path, daemon: ScriptedDaemon, start_app: StartApp
) -> None:
    app = start_app("template_app.main", folder=template, XDG_CONFIG_HOME=str(template))
    daemon.received("set_full_target", 50)
    app.send_signal(signal.SIGINT)
    code, _, errors = finish(app)
    assert code == 0, errors
    targets = daemon.all("set_full_target")
    heads = np.array([target["head"] for target in targets])
    assert np.ptp(heads, axis=0).max() > 0.001
    assert np.abs(np.diff(heads, axis=0)).max() < MAX_STEP
    assert np.abs(heads[0] - np.eye(4).ravel()).max() < MAX_STEP
