"""Python runs this at its start in every environment with robot-sdk: `robot_sdk_startup.pth` beside it says so.

It imports nothing until the program imports the public SDK. Then that SDK gets the microphone, speaker and camera of
the daemon, whoever has started the program: the daemon, a certification, or a person. A program that loads the public
libraries of recorded moves where they cannot be fetched gets moves of robot-sdk under their names.

PYTEST_DONT_REWRITE: pytest finds this module imported already, and would warn that it cannot rewrite its assertions.
"""

from __future__ import annotations

import sys

# As in `typing`, which would take its time at every start of Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

# Modules of the public SDK and of its downloads, each with the module whose `adapt` is given it once it was executed.
ADAPTERS = {
    "reachy_mini.reachy_mini": "robot_sdk.public.media",
    "huggingface_hub._snapshot_download": "robot_sdk.public.moves",
}


class Finder:
    """Finds modules as Python does, and adapts those above."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's own specification, with a loader that adapts it; None for every other module."""
        if name not in ADAPTERS:
            return None
        from importlib import import_module
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute: Any = spec.loader.exec_module

        def execute_and_adapt(module: ModuleType) -> None:
            execute(module)
            import_module(ADAPTERS[name]).adapt(module)

        spec.loader.exec_module = execute_and_adapt  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Finder())
