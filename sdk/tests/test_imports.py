import subprocess
import sys
from pathlib import Path

import pytest

from conftest import MYPY_CACHE, run_python


def loaded_after(code: str) -> set[str]:
    exit_code, names, errors = run_python(f"{code}\nimport sys\nprint(*sys.modules)")
    assert exit_code == 0, errors
    return set(names.split())


def test_the_sdk_imports_little_more_than_numpy_and_websockets() -> None:
    floor = loaded_after("import numpy, websockets.sync.client")
    extra = {name.partition(".")[0] for name in loaded_after("import robot_sdk, robot_sdk.utils") - floor}
    assert extra - sys.stdlib_module_names <= {"robot_sdk", "numpy"}
    assert "asyncio" not in extra


SERVE = """
import sys, threading, urllib.request
from pathlib import Path
import robot_sdk.utils, robot_sdk.app.page_modules
before = set(sys.modules)
from robot_sdk.app.settings_page import SettingsServer, create_settings_app
app = create_settings_app(Path("/nowhere"))
@app.post("/greet/{name}")
def greet(name: str) -> dict[str, str]:
    return {"status": name}
server = SettingsServer("http://localhost:PORT", False, lambda: app)
urllib.request.urlopen("http://localhost:PORT/greet/you", data=b"").close()
server.close()
print(*{name for name in set(sys.modules) - before if name.split(".")[0] in ("fastapi", "h11", "pydantic", "uvicorn")})
"""


def test_page_modules_imports_what_a_page_needs_before_it_is_served(free_port: int) -> None:
    code, imported, errors = run_python(SERVE.replace("PORT", str(free_port)))
    assert (code, imported.split()) == (0, []), errors


@pytest.mark.thorough
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_uses_only_what_the_platform_has(platform: str) -> None:
    """The type checker knows which functions of the standard library exist on which platform."""
    source = Path(__file__).parents[1] / "src"
    cache = MYPY_CACHE / platform
    options = [f"--config-file={source.parent / 'pyproject.toml'}", f"--platform={platform}", f"--cache-dir={cache}"]
    result = subprocess.run([sys.executable, "-m", "mypy", *options, str(source)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
