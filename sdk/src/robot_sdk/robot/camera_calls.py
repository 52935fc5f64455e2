"""The camera, as an app uses it."""

from __future__ import annotations

from robot_sdk.camera.camera import Camera, Image
from robot_sdk.connection.connection import Connection


class CameraCalls:
    """The call of `Robot` for its camera."""

    _camera: Camera
    _connection: Connection

    def get_frame(self) -> Image | None:
        """The next picture of the camera: what it sees now, at most 30 pictures a second.

        Waits until the daemon has made it, so a loop around it is as fast as the pictures: fewer than 30 a second on a
        slow machine. The picture is an array of its own, which the app may change. The camera is the simulated
        robot's, or what `robot-daemon --camera` shows.

        Returns:
            Blue, green, red from 0 to 255, shape (720, 1280, 3), from the top left, as OpenCV has it. None while the
            robot has no picture, and while the daemon is away; a warning in the log has the reason.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                frame = robot.get_frame()
                if frame is not None:
                    blue, green, red = frame[360, 640]  # in the middle
                    print(f"{frame.shape[1]} x {frame.shape[0]} pixels, red {red}")
        """
        self._connection.check()
        return self._camera.get_frame()
