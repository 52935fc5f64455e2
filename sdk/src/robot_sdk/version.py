"""The version of this package; the daemon has the same where the two belong together."""

import logging

VERSION = "0.1.0"

logger = logging.getLogger("robot_sdk")


def warn_of_another(version: str | None) -> None:
    """Tells of a daemon of another version; most of the protocol stays as it is, so trying is better than refusing."""
    if version is not None and version != VERSION:
        logger.warning(
            "the daemon is version %s, this robot-sdk %s: calls may be missing; inside of an app install the app "
            "again, elsewhere install the robot-sdk that came with the daemon",
            version,
            VERSION,
        )
