"""Adds a file beside the packages to the wheel, which pyproject.toml cannot name: it runs `robot_sdk_startup`."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

STARTUP = "robot_sdk_startup.pth"


class BuildWithStartup(build_py):
    """Builds the modules, and copies the file beside them."""

    def run(self) -> None:
        """Runs the command."""
        super().run()
        if not self.editable_mode:
            self.copy_file(str(Path("src") / STARTUP), str(Path(self.build_lib) / STARTUP))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """All files that it makes."""
        return [*super().get_outputs(include_bytecode), str(Path(self.build_lib) / STARTUP)]


setup(cmdclass={"build_py": BuildWithStartup})
