"""Breaks the app of an example in one of several ways; copied beside the app, which calls it."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from robot_sdk import Robot, RobotApp

DEFAULT_ANTENNAS = [-0.1745, 0.1745]
LIFE_S = 0.7
"""Seconds after which an app ends by itself."""


def break_app(kind: type[RobotApp], way: str) -> None:
    """Breaks a class of apps; `way` is a key of `WAYS`."""
    WAYS[way](kind)


def change_targets(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Lets every target that the app gives be another one."""
    for name in ("set_target", "goto_target"):
        setattr(Robot, name, changed(getattr(Robot, name), change))


def changed(method: Callable[..., Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(robot: Robot, head: Any = None, antennas: Any = None, **options: Any) -> Any:
        return method(robot, **change({"head": head, "antennas": antennas, **options}))

    return call


def turned(target: dict[str, Any], factor: float) -> dict[str, Any]:
    """The target with all angles multiplied."""
    head, antennas = target["head"], target["antennas"]
    return {
        **target,
        "head": None if head is None else turned_head(np.asarray(head), factor),
        "antennas": None if antennas is None else [factor * angle for angle in antennas],
    }


def turned_head(head: Any, factor: float) -> Any:
    """A rotation about the same axis by another angle, and another way from the neutral head."""
    cosine = np.clip((np.trace(head[:3, :3]) - 1) / 2, -1, 1)
    angle = np.arccos(cosine)
    axis = np.array([head[2, 1] - head[1, 2], head[0, 2] - head[2, 0], head[1, 0] - head[0, 1]])
    length = np.linalg.norm(axis)
    x, y, z = axis / length if length > 1e-9 else axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result = np.eye(4)
    result[:3, :3] += np.sin(factor * angle) * cross + (1 - np.cos(factor * angle)) * cross @ cross
    result[:3, 3] = factor * head[:3, 3]
    return result


def hasten(factor: float) -> None:
    """Lets all waits and moves of the app be shorter."""
    clock: Any = time
    events: Any = threading.Event
    sleep, wait = clock.sleep, events.wait
    clock.sleep = lambda seconds: sleep(seconds / factor)
    events.wait = lambda event, timeout=None: wait(event, None if timeout is None else timeout / factor)
    change_targets(
        lambda target: {**target, "duration": target["duration"] / factor} if "duration" in target else target
    )


def end_by_itself(kind: type[RobotApp]) -> None:
    run: Any = kind.run

    def run_for_a_while(app: RobotApp, robot: Robot, _stop_event: threading.Event) -> None:
        end = threading.Event()
        threading.Timer(LIFE_S, end.set).start()
        run(app, robot, end)

    changed_kind: Any = kind
    changed_kind.run = run_for_a_while


def ignore_stop(kind: type[RobotApp]) -> None:
    run: Any = kind.run
    changed_kind: Any = kind
    changed_kind.run = lambda app, robot, _stop_event: run(app, robot, threading.Event())


def keep_one_antenna(target: dict[str, Any]) -> dict[str, Any]:
    antennas = target["antennas"]
    return {**target, "antennas": None if antennas is None else [antennas[0], DEFAULT_ANTENNAS[1]]}


WAYS: dict[str, Callable[[type[RobotApp]], None]] = {
    "still": lambda _: change_targets(lambda target: {**turned(target, 0), "antennas": DEFAULT_ANTENNAS}),
    "reversed": lambda _: change_targets(lambda target: turned(target, -1)),
    "twice the speed": lambda _: hasten(2),
    "half the speed": lambda _: hasten(0.5),
    "twice the size": lambda _: change_targets(lambda target: turned(target, 2)),
    "half the size": lambda _: change_targets(lambda target: turned(target, 0.5)),
    "ends by itself": end_by_itself,
    "ignores stop": ignore_stop,
}
MOVING_ANTENNAS: dict[str, Callable[[type[RobotApp]], None]] = {
    "one antenna still": lambda _: change_targets(keep_one_antenna),
}
WAYS |= MOVING_ANTENNAS
