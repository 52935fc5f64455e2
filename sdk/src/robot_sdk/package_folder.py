"""The folder of this package: frames of files in it are not the app's."""

from pathlib import Path

PACKAGE_FOLDER = str(Path(__file__).parent)
