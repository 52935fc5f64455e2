"""Microphone, speaker and camera, as an app uses them."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.audio.audio import Audio
from robot_sdk.audio.media import Media
from robot_sdk.audio.samples import SAMPLE_RATE
from robot_sdk.camera.camera import Camera, Image
from robot_sdk.connection.connection import Connection


class MediaCalls:
    """The calls of `Robot` for pictures, and for sound: mono samples from -1 to 1, `sample_rate` of them per second."""

    _audio: Audio
    _camera: Camera
    _connection: Connection

    @property
    def sample_rate(self) -> int:
        """Samples per second of microphone and speaker: 16,000.

        Example:
            with Robot() as robot:
                second = np.zeros(robot.sample_rate)
        """
        return SAMPLE_RATE

    @property
    def media(self) -> Media:
        """Camera, microphone and speaker under the names, and with the array shapes, of the public SDK for this robot.

        Example:
            with Robot() as robot:
                robot.media.play_sound("wake_up")
        """
        return Media(self._audio, self._camera)

    def start_recording(self) -> None:
        """Starts to record the microphone; earlier samples are dropped. `start_motion_recording` records motion.

        Returns without recording when the stop event is set while it connects.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.start_recording()
                samples = robot.get_audio_sample()
                robot.stop_recording()
        """
        self._audio.start_recording()

    def stop_recording(self) -> None:
        """Ends the recording of the microphone; samples that were recorded before can still be fetched.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.start_recording()
                robot.stop_recording()
        """
        self._audio.stop_recording()

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """The samples that were recorded since the last call; waits up to 20 ms for them.

        Returns:
            Samples from -1 to 1, shape (n,), at most the last 10 s. None when there are none: yet, after
            `stop_recording`, or because the stop event is set.

        Raises:
            RuntimeError: `start_recording` was not called.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.start_recording()
                samples = robot.get_audio_sample()
                if samples is not None:
                    print(f"{len(samples) / robot.sample_rate:.2f} s, loudest {abs(samples).max():.2f}")
        """
        return self._audio.get_audio_sample()

    def push_audio_sample(self, samples: ArrayLike) -> None:
        """Plays samples after those that were pushed before.

        Returns immediately while less than 10 s wait to be played. With more it waits, and drops the rest when the stop
        event is set meanwhile. Samples that wait are dropped at the app's end.

        Args:
            samples: Floats from -1 to 1, or int16. Shape (n,); or with channels (n, channels) or (channels, n), whose
                mean is played. Floats beyond 1 are clipped.

        Raises:
            ValueError: Another shape or type, numbers that are not finite, or floats beyond 10.
            TimeoutError: The speaker took no samples for 15 s.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                seconds = np.arange(robot.sample_rate) / robot.sample_rate
                robot.push_audio_sample(0.3 * np.sin(2 * np.pi * 440 * seconds))  # one second of 440 Hz
        """
        self._audio.push_audio_sample(samples)

    def play_sound(self, sound: str | os.PathLike[str]) -> None:
        """Plays a sound in addition to pushed samples; replaces the sound before it. Returns immediately.

        Args:
            sound: One of the robot's sounds, for example wake_up, sleep or chime; or the path of a WAV file with
                integer samples, any rate and channels, at most 60 s. `Path(__file__).parent / "boing.wav"` is a file of
                the app.

        Raises:
            ValueError: Not a sound of the robot, or not such a file; the message says what to do.
            FileNotFoundError: The file does not exist.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.play_sound("wake_up")
        """
        self._audio.play_sound(sound)

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
