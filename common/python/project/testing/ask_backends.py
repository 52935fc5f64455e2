"""Answers each JSON object {path: text} on stdin, the files of a project, with what its build backend says.

The answer is null for a project whose wheel was built, else the text of the error. Each build has a process of its own.
"""

import contextlib
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

import hatchling.build
import setuptools.build_meta  # type: ignore[import-untyped]

BACKENDS = {"setuptools": setuptools.build_meta, "hatchling": hatchling.build}


def build(files: dict[str, str], backend: str, folder: Path) -> None:
    """Build the wheel of a project. What it prints goes nowhere."""
    for name, text in files.items():
        path = folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    os.chdir(folder / "project")
    BACKENDS[backend].build_wheel(str(folder))


def answer(job: dict[str, object]) -> str | None:
    """What the backend says; null when it builds the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            build(job["files"], job["backend"], Path(folder))  # type: ignore[arg-type]
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        finally:
            os.chdir("/")
    return None


def answer_apart(line: str) -> str:
    """The answer as JSON, from a process of its own: setuptools keeps state."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        warnings.simplefilter("ignore")
        with contextlib.suppress(BaseException), os.fdopen(write, "w") as out:
            json.dump(answer(json.loads(line)), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answered:
        text = answered.read()
    os.waitpid(child, 0)
    return text


for job in sys.stdin:
    print(answer_apart(job))
