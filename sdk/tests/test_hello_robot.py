"""The bundled example app, whole."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import httpx
import numpy as np

from conftest import StartApp, finish
from scripted_daemon import DEADLINE_S, Message, ScriptedDaemon

HELLO = Path(__file__).parents[2] / "fixtures" / "apps" / "hello_robot"
# Two radians a second, in 20 ms.
MAX_STEP = 0.04


def steps(targets: list[Message], key: str) -> float:
    """The largest change of any number between two targets."""
    return float(np.abs(np.diff([target[key] for target in targets], axis=0)).max())


def test_moves_without_a_jump_whatever_the_slider_does(
    daemon: ScriptedDaemon, start_app: StartApp, free_port: int
) -> None:
    url = f"http://localhost:{free_port}"
    app = start_app("hello", PAGE_URL=url, PYTHONPATH=str(HELLO))
    daemon.received("set_full_target")
    with httpx.Client(base_url=url, timeout=DEADLINE_S) as client:
        assert client.get("/energy").json() == {"percent": 75}
        for count, percent in ((50, 0), (100, 100), (150, 1000), (200, -1)):
            daemon.received("set_full_target", count)
            expected = min(max(percent, 0), 100)
            assert client.post(f"/energy/{percent}").json() == {"status": f"energy is {expected}%"}
            assert client.get("/energy").json() == {"percent": expected}
        assert client.post("/energy/nan").status_code == 422
    daemon.received("set_full_target", 300)
    app.send_signal(signal.SIGINT)
    assert finish(app) == (0, "", "")

    goto = daemon.received("task")["req"]
    targets = daemon.all("set_full_target")
    assert daemon.kinds().index("task") < daemon.kinds().index("set_full_target")
    assert steps([goto, *targets], "head") < MAX_STEP
    assert steps([goto, *targets], "antennas") < MAX_STEP
    moved = np.ptp([target["head"] for target in targets], axis=0)
    assert moved.max() > 0.1


def test_its_package_ships_the_page_and_the_entry_point(tmp_path: Path) -> None:
    source = shutil.copytree(HELLO, tmp_path / "source")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([*pip, "--wheel-dir", tmp_path, source], check=True)
    with ZipFile(next(tmp_path.glob("hello_robot-*.whl"))) as wheel:
        names = set(wheel.namelist())
        entry_points = next(name for name in names if name.endswith("entry_points.txt"))
        assert wheel.read(entry_points).decode().split() == [
            "[robot_apps]",
            "hello_robot",
            "=",
            "hello_robot.main:HelloRobot",
        ]
    for file in ("__init__.py", "main.py", "static/index.html", "static/style.css", "static/main.js"):
        assert f"hello_robot/{file}" in names
