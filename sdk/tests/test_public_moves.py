"""The public libraries of recorded moves where they cannot be fetched."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

moves = import_module("robot_sdk.public.moves")
own_moves = import_module("robot_sdk.public.own_moves")
EMOTIONS, DANCES = own_moves.EMOTIONS, own_moves.DANCES
EMOTIONS_LIBRARY, DANCES_LIBRARY = own_moves.LIBRARIES


class Hub(ModuleType):
    """Stands for the module of huggingface_hub, with a cache of some repositories and a network or none."""

    def __init__(self, cached: dict[str, str], online: bool) -> None:
        super().__init__("hub")
        self.cached, self.online = cached, online
        self.asked: list[bool] = []

    def snapshot_download(self, repo_id: str, local_files_only: bool = False, **_options: Any) -> str:
        """Answers from the cache or the network."""
        self.asked.append(local_files_only)
        if repo_id in self.cached:
            return self.cached[repo_id]
        if local_files_only or not self.online:
            raise FileNotFoundError(repo_id)
        return f"fetched {repo_id}"


def hub(monkeypatch: pytest.MonkeyPatch, *, online: bool, cached: dict[str, str] | None = None) -> Hub:
    """An adapted hub."""
    module = Hub(cached or {}, online)
    monkeypatch.setattr(moves, "_has_route", lambda: online)
    moves.adapt(module)
    return module


@pytest.mark.parametrize("local", [True, False])
def test_without_a_network_moves_of_our_own_stand_in_and_no_connection_is_tried(
    local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No connection is tried where there is no route."""
    module = hub(monkeypatch, online=False)
    folder = Path(module.snapshot_download(EMOTIONS_LIBRARY, repo_type="dataset", local_files_only=local))
    assert module.asked == [True]
    assert sorted(file.stem for file in folder.glob("*.json")) == sorted(EMOTIONS)
    move = json.loads((folder / "cheerful1.json").read_text())
    assert move == json.loads(json.dumps(own_moves.recorded_move("cheerful1")))
    with pytest.raises(FileNotFoundError):
        module.snapshot_download("somebody/other-moves", repo_type="dataset", local_files_only=True)
    with pytest.raises(FileNotFoundError):
        module.snapshot_download(EMOTIONS_LIBRARY, repo_type="model")


def test_with_a_network_the_library_itself_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without robot-sdk."""
    module = hub(monkeypatch, online=True)
    with pytest.raises(FileNotFoundError):
        module.snapshot_download(DANCES_LIBRARY, repo_type="dataset", local_files_only=True)
    assert module.snapshot_download(DANCES_LIBRARY, repo_type="dataset") == f"fetched {DANCES_LIBRARY}"


def test_what_is_cached_and_what_the_daemon_has_fetched_come_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also without a network."""
    module = hub(monkeypatch, online=False, cached={EMOTIONS_LIBRARY: "/cache/emotions"})
    assert module.snapshot_download(EMOTIONS_LIBRARY, repo_type="dataset") == "/cache/emotions"
    fetched = tmp_path / "moves" / DANCES_LIBRARY
    fetched.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "apps_venv"))
    assert module.snapshot_download(DANCES_LIBRARY, repo_type="dataset") == str(fetched)


@pytest.mark.parametrize("name", [*EMOTIONS, *DANCES])
def test_a_move_begins_and_ends_in_the_default_pose_and_is_gentle(name: str) -> None:
    """Radians and seconds."""
    move = own_moves.recorded_move(name)
    frames: Any = move["set_target_data"]
    heads = np.array([frame["head"] for frame in frames])
    assert np.allclose(heads[[0, -1]], np.eye(4))
    assert np.allclose(heads[:, :3, :3] @ heads[:, :3, :3].transpose(0, 2, 1), np.eye(3), atol=1e-6)
    antennas = np.array([frame["antennas"] for frame in frames])
    assert np.abs(np.diff(antennas, axis=0)).max() * 10 < 4
    assert len(move["time"]) == len(frames)


def test_the_libraries_are_written_by_a_python_without_packages(tmp_path: Path) -> None:
    """As the build of robot-sdk does it."""
    source = Path(str(moves.__file__)).with_name("own_moves.py")
    code = f"import pathlib, runpy; runpy.run_path({str(source)!r})['write_libraries'](pathlib.Path({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
    own_moves.write_libraries(tmp_path / "again")
    for library, names in own_moves.LIBRARIES.items():
        assert len(list((tmp_path / library).glob("*.json"))) == len(names)
