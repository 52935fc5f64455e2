import robot_sdk  # noqa: F401

1 / 0  # noqa: B018
