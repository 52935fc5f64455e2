"""Python runs this at its start, because the daemon puts the folder on PYTHONPATH for apps of the public SDK.

It does nothing until the app imports that SDK. Then the SDK's microphone and speaker become those of the daemon.
"""

import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

ADAPTED = "reachy_mini.reachy_mini"


class Finder:
    """Finds one module as Python does, and adapts it when it has been executed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's own specification, with a loader that adapts it; None for every other module."""
        if name != ADAPTED:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_adapt(module: ModuleType) -> None:
            execute(module)
            from robot_sdk.public.media import adapt

            adapt(module)

        spec.loader.exec_module = execute_and_adapt  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Finder())
