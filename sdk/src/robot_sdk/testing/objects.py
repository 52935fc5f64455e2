"""The objects beside the robot of a test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Position = Sequence[float]
"""x forward of the robot, y to its left, z up from the table, metres: each from -1 to 1."""


class Objects:
    """Balls and boxes that the camera sees and the robot can push. The names of those that are there, in their order.

    The camera is about 0.04 m in front of the origin and 0.23 m above the table; it sees 44 degrees to each side.

    Example:
        robot_app.objects.add_ball("ball", (0.5, 0.1, 0.2), color="#ff0000")
        robot_app.advance(1.0)
        robot_app.objects.move("ball", (0.5, -0.1, 0.2))
    """

    def __init__(self, act: Callable[..., None]) -> None:
        """`act` carries a request out, as of `SimulatedRobot.request`."""
        self._act = act
        self._objects: dict[str, dict[str, Any]] = {}

    def add_ball(
        self,
        name: str,
        position: Position,
        *,
        radius: float = 0.03,
        color: str | None = None,
        fixed: bool = True,
        mass: float = 0.05,
    ) -> None:
        """Adds a ball.

        Args:
            name: One that no other object and no part of the robot has.
            position: Of its centre, metres.
            radius: Metres, from 0.001 to 0.25.
            color: Like "#e2603a"; chosen by the name when None.
            fixed: Whether it stays there, also in the air. Otherwise it falls on the table and rolls.
            mass: Kilograms, above 0 and at most 5.

        Raises:
            ValueError: The name is taken, or a number is out of range.
        """
        self._add(name, position, {"kind": "ball", "radius": radius}, color, fixed, mass)

    def add_box(
        self,
        name: str,
        position: Position,
        *,
        size: Sequence[float] = (0.06, 0.06, 0.06),
        color: str | None = None,
        fixed: bool = True,
        mass: float = 0.05,
    ) -> None:
        """Adds a box; arguments as of `add_ball`.

        Args:
            name: Its name.
            position: Of its centre.
            size: Edges along x, y and z, metres, each from 0.002 to 0.5.
            color: Its color.
            fixed: Whether it stays there.
            mass: Kilograms.

        Raises:
            ValueError: The name is taken, or a number is out of range.
        """
        self._add(name, position, {"kind": "box", "size": list(size)}, color, fixed, mass)

    def move(self, name: str, position: Position) -> None:
        """Puts an object at another position, at once, where it does not move.

        Args:
            name: Its name.
            position: Of its centre, metres.

        Raises:
            ValueError: There is no such object, or the position is out of range.
        """
        former = self._get(name)
        moved = {**former, "position": list(position)}
        self._check(moved)
        try:
            self._act(removeObject=name, addObject=moved)
        except ValueError:
            self._act(addObject=former)
            raise
        self._objects[name] = moved

    def remove(self, name: str) -> None:
        """Removes an object.

        Raises:
            ValueError: There is no such object.
        """
        self._get(name)
        del self._objects[name]
        self._act(removeObject=name)

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._objects)

    def _add(
        self, name: str, position: Position, shape: dict[str, Any], color: str | None, fixed: bool, mass: float
    ) -> None:
        added = {"name": name, "shape": shape, "mass": mass, "position": list(position), "fixed": fixed}
        if color is not None:
            added["color"] = color
        self._check(added)
        self._act(addObject=added)
        self._objects[name] = added

    def _get(self, name: str) -> dict[str, Any]:
        if name not in self._objects:
            raise ValueError(f"there is no object {name!r}; there are: {', '.join(self._objects) or 'none'}")
        return self._objects[name]

    def _check(self, added: dict[str, Any]) -> None:
        """Rejects numbers that JSON cannot hold; the robot checks everything else.

        Raises:
            ValueError: A number is not finite.
        """
        shape = added["shape"]
        for number in (*added["position"], added["mass"], *shape.get("size", [shape.get("radius")])):
            if not math.isfinite(number):
                raise ValueError(f"the object {added['name']!r} has the number {number!r}; it takes finite ones")
