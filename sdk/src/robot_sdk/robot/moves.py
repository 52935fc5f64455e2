"""Moves that an app waits for."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

from robot_sdk.connection.connection import Connection, Message
from robot_sdk.errors import MoveError
from robot_sdk.robot.state import RobotState

# The rest of a move that an outage has interrupted takes at least this long, unless even less of it was left before.
MIN_REST_S = 0.2
# How many times its duration a move may take: on a machine without free processor time the robot moves more slowly.
MAX_DURATION_FACTOR = 2.0


class Moves:
    """Sends moves and waits for their ends."""

    def __init__(self, connection: Connection, state: RobotState) -> None:
        """Takes what moves are sent over, and what receives the reports of their ends."""
        self._connection = connection
        self._state = state

    def run(self, message: Callable[[float], Message], seconds: float, grace: float) -> bool:
        """Sends a move and waits until the daemon reports its end; sends its rest again after an outage.

        Only time in which the daemon sent messages shortens the rest: the robot may not have moved otherwise.

        Args:
            message: Makes the message from the seconds that are left.
            seconds: Duration of the move; 0 when the daemon chooses it.
            grace: Seconds by which the report may come later than the longest time of the move.

        Returns:
            True when the move reached its end; False immediately when the stop event is set.

        Raises:
            MoveError: The move was refused, or another move replaced it.
            TimeoutError: The daemon did not report the end in time.
            ConnectionError: The daemon is lost.
        """
        connection = self._connection
        connection.check()
        left = seconds
        while not connection.stopping:
            move = str(uuid.uuid4())
            is_over = self._state.expect_end(move)
            content = message(left)
            timeout = MAX_DURATION_FACTOR * left + grace
            missing = f"the daemon did not report the end of {content['type']} within {timeout:g} s: see its log"
            try:
                session = connection.send({**content, "uuid": move})
                moved = self._wait_for_end(is_over, session, timeout, missing) if session > 0 else None
                if moved is None:
                    return False
                is_finished = is_over()
            finally:
                error = self._state.take_result(move)
            if is_finished:
                if error is None or connection.stopping:
                    return error is None
                raise MoveError(error)
            left = max(left - moved, min(left, MIN_REST_S))
        return False

    def _wait_for_end(self, is_over: Callable[[], bool], session: int, timeout: float, missing: str) -> float | None:
        """Waits until a move is over, or an outage has interrupted it.

        Returns:
            Seconds from the call to the last message of the session; None when the stop event is set.
        """
        connection = self._connection
        began = last_message = time.monotonic()

        def is_done() -> bool:
            nonlocal last_message
            if connection.session != session:
                return True
            last_message = max(last_message, connection.last_message)
            return is_over()

        return last_message - began if connection.wait(is_done, timeout, missing) else None
