import json
from collections.abc import Iterator
from typing import Any

import pytest
from template_app.motion import Motion
from template_app.tools import Tool, dispatch, make_tools

from robot_sdk import Robot
from scripted_daemon import ScriptedDaemon


class RecordingMotion(Motion):
    """A motion that records its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, ...]] = []

    def look(self, yaw: float, pitch: float) -> None:
        self.calls.append(("look", f"{yaw:.2f}", f"{pitch:.2f}"))
        super().look(yaw, pitch)

    def gesture(self, name: str) -> None:
        self.calls.append(("gesture", name))
        super().gesture(name)


@pytest.fixture
def motion() -> RecordingMotion:
    return RecordingMotion()


@pytest.fixture
def tools(daemon: ScriptedDaemon, motion: RecordingMotion) -> Iterator[dict[str, Tool]]:
    with Robot() as robot:
        yield make_tools(robot, motion)


def call(name: object, arguments: object) -> dict[str, Any]:
    return {"id": "call_7", "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("look", {"direction": "left"}, ("look", "0.61", "0.00")),
        ("look", {"direction": "up"}, ("look", "0.00", "-0.31")),
        ("move_head", {"yaw": -20, "pitch": 10.5}, ("look", "-0.35", "0.18")),
        ("gesture", {"name": "nod"}, ("gesture", "nod")),
        ("dance", {}, ("gesture", "dance")),
    ],
)
def test_a_call_moves_the_robot_and_returns_its_result_for_the_model(
    tools: dict[str, Tool], motion: RecordingMotion, name: str, arguments: dict[str, Any], expected: tuple[str, ...]
) -> None:
    answer = dispatch(tools, call(name, json.dumps(arguments)))
    assert answer == {"role": "tool", "tool_call_id": "call_7", "content": "moving"}
    assert motion.calls == [expected]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("fly", "{}", "there is no tool 'fly'; there are move_head, look"),
        (None, "{}", "there is no tool None"),
        ("look", "{", "not JSON"),
        ("look", "[]", "must be direction"),
        ("look", "{}", "must be direction"),
        ("look", '{"direction": "left", "speed": 1}', "must be direction"),
        ("look", '{"direction": "behind"}', "one of ahead, left, right, up, down"),
        ("dance", '{"style": "waltz"}', "must be none"),
        ("move_head", '{"yaw": "far", "pitch": 0}', "yaw must be a number"),
        ("move_head", '{"yaw": true, "pitch": 0}', "yaw must be a number"),
        ("move_head", '{"yaw": 90, "pitch": 0}', "yaw goes from -40 to 40"),
        ("move_head", '{"yaw": NaN, "pitch": 0}', "yaw goes from -40 to 40"),
        ("gesture", '{"name": "dance"}', "one of nod, shake, wiggle"),
        ("play_sound", '{"name": "/etc/passwd"}', "one of chime"),
    ],
)
def test_an_invalid_call_gets_an_error_and_does_nothing(
    tools: dict[str, Tool], motion: RecordingMotion, name: object, arguments: str, words: str
) -> None:
    answer = dispatch(tools, call(name, arguments))
    assert answer["content"].startswith("error: ")
    assert words in answer["content"]
    assert motion.calls == []


def test_calls_of_another_shape_get_an_error_too(tools: dict[str, Tool]) -> None:
    for odd in ({}, {"function": None}, {"id": "x", "function": {}}):
        assert dispatch(tools, odd)["content"].startswith("error: there is no tool")
    assert dispatch(tools, call("dance", ""))["content"] == "moving"
    assert dispatch(tools, call("dance", {}))["content"] == "moving"


def test_the_error_of_a_tool_is_its_result(tools: dict[str, Tool]) -> None:
    def fail() -> str:
        raise OSError("it is broken")

    answer = dispatch({"fail": Tool("fail", "Fails.", {}, fail)}, call("fail", "{}"))
    assert answer["content"] == "error: it is broken"


def test_a_request_has_the_tools_as_functions_with_schemas(tools: dict[str, Tool]) -> None:
    for tool in tools.values():
        function = tool.schema["function"]
        assert tool.schema["type"] == "function"
        assert function["description"]
        assert function["parameters"]["required"] == list(function["parameters"]["properties"])
    json.dumps([tool.schema for tool in tools.values()])
