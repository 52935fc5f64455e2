"""The exceptions of this package."""


class MoveError(RuntimeError):
    """The daemon refused a move, or ended it before its target. The message has the reason."""


class DaemonLostError(ConnectionError):
    """The daemon cannot be reached, or a closed `Robot` is used. The message says what to do."""


class StopRequestedError(ConnectionAbortedError):
    """The app was stopped while `Robot(...)` was connecting. `RobotApp.wrapped_run` ends quietly on it."""
