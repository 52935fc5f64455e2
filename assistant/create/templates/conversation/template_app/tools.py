"""What the language model can do with the robot: tools of the chat-completions interface.

A tool is a function; the model chooses its arguments and gets its result. To add one, write the function and list it in
`make_tools`.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from robot_sdk import Robot

from template_app.motion import GESTURES, Motion

Json: TypeAlias = dict[str, Any]

SOUNDS = ("chime", "happy", "confused")

# Yaw and pitch, degrees: positive to the robot's left, and down.
DIRECTIONS = {"ahead": (0, 0), "left": (35, 0), "right": (-35, 0), "up": (0, -18), "down": (0, 18)}

MAX_YAW, MAX_PITCH = 40, 20


@dataclass(frozen=True)
class Tool:
    """A function for the model. `parameters` has the JSON schemas of its arguments; all are required."""

    name: str
    description: str
    parameters: Json
    call: Callable[..., str]

    @property
    def schema(self) -> Json:
        """The tool in the form of a request."""
        properties = {"type": "object", "properties": self.parameters, "required": list(self.parameters)}
        function = {"name": self.name, "description": self.description, "parameters": properties}
        return {"type": "function", "function": function}


def make_tools(robot: Robot, motion: Motion) -> dict[str, Tool]:
    """The tools by name."""

    def move_head(yaw: float, pitch: float) -> str:
        if not (abs(yaw) <= MAX_YAW and abs(pitch) <= MAX_PITCH):
            return f"error: yaw goes from -{MAX_YAW} to {MAX_YAW} and pitch from -{MAX_PITCH} to {MAX_PITCH} degrees"
        motion.look(math.radians(yaw), math.radians(pitch))
        return "moving"

    def look(direction: str) -> str:
        return move_head(*DIRECTIONS[direction])

    def gesture(name: str) -> str:
        motion.gesture(name)
        return "moving"

    def dance() -> str:
        return gesture("dance")

    def play_sound(name: str) -> str:
        robot.play_sound(name)
        return "playing"

    degrees = {"type": "number", "description": "degrees"}
    gestures = [name for name in GESTURES if name != "dance"]
    tools = (
        Tool(
            "move_head",
            "Turn the head and keep it there. Positive yaw is to your left, positive pitch is down.",
            {
                "yaw": {**degrees, "minimum": -MAX_YAW, "maximum": MAX_YAW},
                "pitch": {**degrees, "minimum": -MAX_PITCH, "maximum": MAX_PITCH},
            },
            move_head,
        ),
        Tool("look", "Look somewhere and keep looking there.", {"direction": _one_of(DIRECTIONS)}, look),
        Tool("gesture", "Nod for yes, shake for no, wiggle for joy.", {"name": _one_of(gestures)}, gesture),
        Tool("dance", "Dance for a few seconds.", {}, dance),
        Tool("play_sound", "Play a sound.", {"name": _one_of(SOUNDS)}, play_sound),
    )
    return {tool.name: tool for tool in tools}


def dispatch(tools: dict[str, Tool], call: Json) -> Json:
    """Executes an entry of `tool_calls` and returns the message with its result for the model.

    An invalid call gets a result that says what is wrong; nothing is raised.
    """
    function = call.get("function") or {}
    content = _result(tools, function.get("name"), function.get("arguments"))
    return {"role": "tool", "tool_call_id": call.get("id", ""), "content": content}


def _result(tools: dict[str, Tool], name: Any, arguments: Any) -> str:
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        return f"error: there is no tool {name!r}; there are {', '.join(tools)}"
    try:
        given = json.loads(arguments or "{}") if not isinstance(arguments, dict) else arguments
    except (TypeError, ValueError):
        return "error: the arguments are not JSON"
    fault = _fault(tool.parameters, given)
    if fault is not None:
        return f"error: {fault}"
    try:
        return tool.call(**given)
    except Exception as error:  # your tools may raise any error, and the model gets its text
        return f"error: {error}"


def _fault(parameters: Json, given: Any) -> str | None:
    """What is wrong with arguments; checks the parts of JSON schema that the tools use."""
    if not isinstance(given, dict) or given.keys() != parameters.keys():
        return f"the arguments must be {', '.join(parameters) or 'none'}"
    for name, schema in parameters.items():
        value = given[name]
        if "enum" in schema and value not in schema["enum"]:
            return f"{name} must be one of {', '.join(schema['enum'])}"
        if schema["type"] == "number" and (isinstance(value, bool) or not isinstance(value, (int, float))):
            return f"{name} must be a number"
    return None


def _one_of(values: Any) -> Json:
    return {"type": "string", "enum": list(values)}
