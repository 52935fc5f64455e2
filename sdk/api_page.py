"""Writes docs/sdk.md and docs/sdk-reference.md, the pages of robot_sdk, from its docstrings; run it with python."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from robot_sdk import MoveError, Robot, RobotApp
from robot_sdk.audio.media import Media
from robot_sdk.utils import create_head_pose

DOCS = Path(__file__).parents[1] / "docs"
WIDTH = 120

INTRODUCTION = """\
# The Python package robot_sdk
With `robot_sdk` you write apps that move a desktop robot, see, hear, speak and feel touches. `Robot` is the robot;
`RobotApp` is the base class of apps that the daemon starts and stops.

```python
{first_example}
```

Save it as `hello.py` and run it while a daemon runs (`npm start`, or `robot-daemon --sim`), with the Python of the
apps' environment, which has the package:

```sh
~/.local/share/robot-daemon/apps_venv/bin/python hello.py
```

For another environment, install the wheel that the npm package contains (`dist/sdk/robot_sdk-*.whl`), or `./sdk` in a
checkout. The package depends on numpy and websockets; `robot-sdk[web]` also on FastAPI and uvicorn, for apps with a
page. [Reference](sdk-reference.md) has every call with its arguments, errors and an example.

| what | unit |
|---|---|
| angles | radians; only `create_head_pose` takes degrees by default |
| positions | metres in the robot's frame: x forward, y left, z up; the identity is the neutral head |
| durations | seconds |
| antennas | right, left |
| pictures | blue, green, red from 0 to 255, shape (height, width, 3) |
| sound | mono floats from -1 to 1, 16,000 per second |

| environment variable | meaning | default |
|---|---|---|
| `ROBOT_DAEMON_URL` | address of the daemon | `http://127.0.0.1:8000` |
| `ROBOT_DAEMON_TOKEN` | its token, if it needs one | none |
| `ROBOT_APP_DEBUG` | `HOST:PORT` at which a debugger can attach ([Work on an app](developing.md#debuggers)) | none |

## When the app is stopped, and when the daemon is away
- The daemon stops an app with SIGINT. `stop_event` is set then, calls that wait return immediately, and the app ends
  with exit code 0. This also works in apps that use asyncio or signal handlers of their own.
- An outage of the daemon of up to {outage:g} s is bridged: `connected` is False, `on_connection_change` calls back,
  targets are skipped, waiting calls keep waiting, a move continues afterwards.
- After a longer outage `stop_event` is set and every call raises ConnectionError; an app ends with a message and exit
  code 1.
- Nothing in the package needs Linux. It is tested on Linux; for Windows and macOS only the use of their standard
  library is checked.
"""

REFERENCE = """\
# Reference of robot_sdk
Every call of the [Python package robot_sdk](sdk.md), with units, errors and an example. The examples import:

```python
{imports}
```
"""

IMPORTS = """\
import threading
import time

import numpy as np

from robot_sdk import MoveError, Robot, RobotApp
from robot_sdk.utils import create_head_pose"""

FIRST_EXAMPLE = """\
from robot_sdk import Robot
from robot_sdk.utils import create_head_pose

with Robot() as robot:
    robot.wake_up()
    robot.goto_target(head=create_head_pose(yaw=20), antennas=[0.4, -0.4], duration=1.0)  # degrees, radians, seconds"""


@dataclass
class Docs:
    """A docstring: its text and the content of its sections."""

    text: str
    sections: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, documented: object) -> Docs:
        """Parses the docstring of a class, function or property."""
        docstring = inspect.getdoc(documented) or ""
        parts = re.split(r"^(Args|Returns|Raises|Example):\n", docstring, flags=re.MULTILINE)
        sections = dict(zip(parts[1::2], map(textwrap.dedent, parts[2::2]), strict=True))
        return cls(parts[0].strip(), {name: content.strip("\n").rstrip() for name, content in sections.items()})


def render() -> dict[str, str]:
    """The pages by their file names."""
    from robot_sdk.connection.connection import OUTAGE_S

    guide = INTRODUCTION.format(first_example=FIRST_EXAMPLE, outage=OUTAGE_S)
    parts = [REFERENCE.format(imports=IMPORTS)]
    parts += _class_parts(RobotApp, "RobotApp", "app")
    parts += _class_parts(Robot, "Robot", "robot")
    parts += _class_parts(Media, "robot.media", "robot.media")
    parts += ["## robot_sdk.utils\n", *_member_parts("create_head_pose", create_head_pose, "")]
    parts += [f"## {MoveError.__name__}\n", _paragraphs(Docs.of(MoveError).text) + "\n"]
    return {"sdk.md": guide, "sdk-reference.md": "\n".join(parts)}


def examples() -> Iterator[tuple[str, str]]:
    """The name and code of each example of the page."""
    yield "introduction", FIRST_EXAMPLE
    for owner in (RobotApp, Robot, Media):
        yield owner.__name__, Docs.of(owner).sections["Example"]
        for name, member in _members(owner):
            if not isinstance(member, _Attribute):
                yield f"{owner.__name__}.{name}", Docs.of(member).sections.get("Example", "")
    yield "create_head_pose", Docs.of(create_head_pose).sections["Example"]


@dataclass
class _Attribute:
    """A class attribute, whose docstring follows it in the source."""

    annotation: str
    default: str
    text: str


def _members(owner: type) -> Iterator[tuple[str, object]]:
    """The public members in the order of the source; the constructor counts where it takes arguments."""
    source = inspect.getsource(owner)
    attribute = re.compile(r'^    (\w+): ([^=\n]+) = ([^\n]+)\n    """(.+?)"""', re.MULTILINE | re.DOTALL)
    for name, annotation, default, text in attribute.findall(source):
        yield name, _Attribute(annotation, default, text)
    for name, member in _own_and_inherited(owner):
        if name == "__init__" and "Example" in Docs.of(member).sections:
            yield owner.__name__, member
        elif not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
            yield name, member


def _own_and_inherited(owner: type) -> Iterator[tuple[str, object]]:
    for each in inspect.getmro(owner):
        if each.__module__.startswith("robot_sdk"):
            yield from vars(each).items()


def _class_parts(owner: type, title: str, instance: str) -> list[str]:
    docs = Docs.of(owner)
    parts = [f"## {title}\n", _paragraphs(docs.text) + "\n", _code(docs.sections["Example"])]
    for name, member in _members(owner):
        parts += _member_parts(name, member, "" if name == owner.__name__ else f"{instance}.")
    return parts


def _member_parts(name: str, member: object, prefix: str) -> list[str]:
    if isinstance(member, _Attribute):
        heading = f"### {prefix}{name}\n"
        return [heading, _code(f"{name}: {member.annotation} = {member.default}"), _paragraphs(member.text) + "\n"]
    docs = Docs.of(member)
    parts = [f"### {prefix}{name}\n", _code(_signature(name, member)), _paragraphs(docs.text) + "\n"]
    if "Args" in docs.sections:
        parts.append(_table("argument", docs.sections["Args"]))
    if "Returns" in docs.sections:
        parts.append(f"Returns: {_paragraphs(docs.sections['Returns'], first=9)}\n")
    if "Raises" in docs.sections:
        parts.append(_table("error", docs.sections["Raises"]))
    if "Example" in docs.sections:
        parts.append(_code(docs.sections["Example"]))
    return parts


def _public_type(annotation: str) -> str:
    """An annotation without `Message`, a name that users of the package do not know."""
    return re.sub(r"\bMessage\b", "dict[str, Any]", annotation)


def _signature(name: str, member: object) -> str:
    if isinstance(member, property):
        assert member.fget is not None
        return f"{name}: {_public_type(inspect.signature(member.fget).return_annotation)}"
    assert callable(member)
    signature = inspect.signature(member)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    plain = inspect.signature(member).replace(parameters=parameters)
    result = "" if name == "Robot" else f" -> {_public_type(signature.return_annotation)}"
    text = re.sub(r" -> .*$", "", re.sub(r"'([^']*)'", r"\1", str(plain)))
    line = f"{name}{text}{result}"
    return line if len(line) <= WIDTH else _wrapped_signature(name, text, result)


def _wrapped_signature(name: str, text: str, result: str) -> str:
    # Commas inside of brackets do not separate parameters.
    parameters = re.split(r", (?![^\[]*\])", text.strip("()"))
    return f"{name}(\n" + "".join(f"    {each},\n" for each in parameters) + f"){result}"


def _table(what: str, section: str) -> str:
    """The entries `name: text`, whose text may go on in indented lines, as a table."""
    entries = re.findall(r"^(\w+): (.*(?:\n[ ].*)*)", section, re.MULTILINE)
    rows = [f"| `{name}` | {' '.join(text.split())} |\n" for name, text in entries]
    return f"| {what} | |\n|---|---|\n" + "".join(rows)


def _code(code: str) -> str:
    return f"```python\n{code}\n```\n"


def _paragraphs(text: str, first: int = 0) -> str:
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    wrapped = [textwrap.fill("-" * first + paragraphs[0], WIDTH, break_on_hyphens=False)[first:]]
    wrapped += [textwrap.fill(paragraph, WIDTH, break_on_hyphens=False) for paragraph in paragraphs[1:]]
    return "\n\n".join(wrapped)


if __name__ == "__main__":
    for name, text in render().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}")
