import subprocess
import sys
from pathlib import Path

import pytest


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    return set(names.split())


def test_the_sdk_imports_little_more_than_numpy_and_websockets() -> None:
    floor = loaded_after("import numpy, websockets.sync.client")
    extra = {name.partition(".")[0] for name in loaded_after("import robot_sdk, robot_sdk.utils") - floor}
    assert extra - sys.stdlib_module_names <= {"robot_sdk", "numpy"}
    assert "asyncio" not in extra


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_uses_only_what_the_platform_has(platform: str) -> None:
    """The type checker knows which functions of the standard library exist on which platform."""
    source = Path(__file__).parents[1] / "src"
    options = ["--config-file", str(source.parent / "pyproject.toml"), "--platform", platform, "--no-incremental"]
    result = subprocess.run([sys.executable, "-m", "mypy", *options, str(source)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
