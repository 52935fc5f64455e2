"""Moves that an app waits for."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

from robot_sdk.connection.connection import Connection, Message
from robot_sdk.errors import MoveError
from robot_sdk.robot.state import RobotState

# The rest of a move that an outage has interrupted takes at least this long.
MIN_REST_S = 0.2


class Moves:
    """Sends moves and waits for their ends."""

    def __init__(self, connection: Connection, state: RobotState) -> None:
        """Takes what moves are sent over, and what receives the reports of their ends."""
        self._connection = connection
        self._state = state

    def run(self, message: Callable[[float], Message], seconds: float, grace: float) -> bool:
        """Sends a move and waits until the daemon reports its end; sends its rest again after an outage.

        Args:
            message: Makes the message from the seconds that are left.
            seconds: Duration of the move.
            grace: Seconds by which the report may be late.

        Returns:
            True when the move reached its end; False immediately when the stop event is set.

        Raises:
            MoveError: The move was refused, or another move replaced it.
            TimeoutError: The daemon did not report the end in time.
            ConnectionError: The daemon is lost.
        """
        connection = self._connection
        connection.check()
        began = time.monotonic()
        left = seconds
        while not connection.stopping:
            move = str(uuid.uuid4())
            is_over = self._state.expect_end(move)
            content = message(left)
            missing = f"the daemon did not report the end of {content['type']} within {left + grace:g} s: see its log"
            try:
                session = connection.send({**content, "uuid": move})
                if session == 0 or not self._wait_for_end(is_over, session, left + grace, missing):
                    return False
                is_finished = is_over()
            finally:
                error = self._state.take_result(move)
            if is_finished:
                if error is None or connection.stopping:
                    return error is None
                raise MoveError(error)
            left = max(seconds - (time.monotonic() - began), MIN_REST_S)
        return False

    def _wait_for_end(self, is_over: Callable[[], bool], session: int, timeout: float, missing: str) -> bool:
        """Waits until a move is over, or an outage has interrupted it; False when the stop event is set."""
        return self._connection.wait(lambda: is_over() or self._connection.session != session, timeout, missing)
