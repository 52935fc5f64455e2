"""Adds to the wheel what pyproject.toml cannot name: a file beside the packages, and files that are computed."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

STARTUP = "robot_sdk_startup.pth"


class BuildWithStartup(build_py):
    """Builds the modules, copies the file that runs `robot_sdk_startup`, and writes the recorded moves."""

    def run(self) -> None:
        """Runs the command."""
        super().run()
        if not self.editable_mode:
            self.copy_file(str(Path("src") / STARTUP), str(Path(self.build_lib) / STARTUP))
            moves = runpy.run_path("src/robot_sdk/public/own_moves.py")
            moves["write_libraries"](Path(self.build_lib) / "robot_sdk/public/moves")

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """All files that it makes."""
        return [*super().get_outputs(include_bytecode), str(Path(self.build_lib) / STARTUP)]


setup(cmdclass={"build_py": BuildWithStartup})
