"""The values of the settings that an app declares."""

import json
from pathlib import Path

import pytest

from robot_sdk.app.declared_settings import read_settings

DECLARED = {
    "speed": {"default": 100, "min": 0, "max": 300},
    "side": {"default": "left", "choices": ["left", "right"]},
    "name": {"default": ""},
    "loud": {"default": False},
}
DEFAULTS = {"speed": 100, "side": "left", "name": "", "loud": False}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of the module, with a declaration, and the working folder."""
    module, working = tmp_path / "module", tmp_path / "work"
    module.mkdir()
    working.mkdir()
    (module / "robot_settings.json").write_text(json.dumps(DECLARED), encoding="utf-8")
    return module, working


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ('{"speed": 20.5, "side": "right", "name": "Ada", "loud": true}', [20.5, "right", "Ada", True]),
        ('{"speed": 301, "side": "up", "name": 1, "loud": 1, "other": 2}', list(DEFAULTS.values())),
        ('{"speed": true, "side": null}', list(DEFAULTS.values())),
        ('{"speed": "fast"}', list(DEFAULTS.values())),
        ("{", list(DEFAULTS.values())),
        ("[]", list(DEFAULTS.values())),
    ],
)
def test_values_that_the_declaration_allows_replace_the_defaults(
    folders: tuple[Path, Path], kept: str, expected: list[object]
) -> None:
    assert read_settings(*folders) == DEFAULTS
    (folders[1] / "robot_settings.json").write_text(kept, encoding="utf-8")
    assert list(read_settings(*folders).values()) == expected


def test_a_missing_or_invalid_declaration_says_what_to_write(folders: tuple[Path, Path]) -> None:
    declaration = folders[0] / "robot_settings.json"
    for text in ("{", "[]", '{"speed": 1}', '{"speed": {}}'):
        declaration.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="is not valid"):
            read_settings(*folders)
    declaration.unlink()
    with pytest.raises(FileNotFoundError, match="package data"):
        read_settings(*folders)
