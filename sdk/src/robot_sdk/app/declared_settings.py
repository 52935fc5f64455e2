"""The settings that an app declares in `robot_settings.json`, and the values that a person has set."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

logger = logging.getLogger("robot_sdk")

FILE = "robot_settings.json"
"""The declaration beside the app's main module, and the values in its working folder."""


def read_settings(module_folder: Path, working_folder: Path) -> dict[str, Any]:
    """Each declared setting as it is set, or its default where none is set or the declaration does not allow the value.

    Raises:
        FileNotFoundError: There is no declaration.
        ValueError: The declaration is not valid.
    """
    file = module_folder / FILE
    try:
        declared = json.loads(file.read_text(encoding="utf-8"))
        defaults = {name: setting["default"] for name, setting in declared.items()}
    except FileNotFoundError:
        raise FileNotFoundError(
            f"there is no {file}: write it, and list it as package data in pyproject.toml"
        ) from None
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        raise ValueError(
            f'{file} is not valid ({error!r}): write {{"speed": {{"default": 100, "min": 0, "max": 300}}}}'
        ) from None
    values = _read_values(working_folder / FILE)
    return defaults | {
        name: values[name] for name, setting in declared.items() if name in values and _allows(setting, values[name])
    }


def _read_values(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        logger.warning("%s cannot be read (%s): using the default settings", file, error)
        return {}
    return values if isinstance(values, dict) else {}


def _allows(setting: dict[str, Any], value: Any) -> bool:
    default = setting["default"]
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, str) or isinstance(value, str):
        choices = setting.get("choices")
        return isinstance(default, str) and isinstance(value, str) and (choices is None or value in choices)
    if not isinstance(value, int | float):
        return False
    low, high = setting.get("min"), setting.get("max")
    return (low is None or value >= low) and (high is None or value <= high)
