import subprocess
import sys


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    return set(names.split())


def test_the_sdk_brings_little_more_than_numpy_and_websockets() -> None:
    floor = loaded_after("import numpy, websockets.sync.client")
    extra = {name.partition(".")[0] for name in loaded_after("import robot_sdk, robot_sdk.utils") - floor}
    assert extra - sys.stdlib_module_names <= {"robot_sdk", "numpy"}
    assert "asyncio" not in extra
