"""The version of this package. A daemon of the same release has the same version."""

import logging

VERSION = "0.1.0"

logger = logging.getLogger("robot_sdk")


def warn_of_other_version(version: str | None) -> None:
    """Logs a warning when the daemon has another version; most calls work nevertheless, so it is no error."""
    if version is not None and version != VERSION:
        logger.warning(
            "the daemon is version %s, this robot-sdk %s: calls may be missing; for an app reinstall the app, "
            "elsewhere install the robot-sdk that came with the daemon",
            version,
            VERSION,
        )
