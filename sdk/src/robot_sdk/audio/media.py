"""`robot.media`: camera, microphone and speaker as in the public SDK for this robot: its names and array shapes."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.audio.audio import Audio
from robot_sdk.audio.samples import SAMPLE_RATE
from robot_sdk.camera.camera import Camera, Image


class Media:
    """The camera, microphone and speaker of `Robot`; samples have a second axis for the channel.

    Example:
        with Robot() as robot:
            print(robot.media.get_input_audio_samplerate())
    """

    def __init__(self, audio: Audio, camera: Camera) -> None:
        self._audio = audio
        self._camera = camera

    def get_frame(self) -> Image | None:
        """As `Robot.get_frame`, but None also when the daemon is lost.

        Returns:
            Blue, green, red from 0 to 255, shape (720, 1280, 3), or None.

        Example:
            with Robot() as robot:
                frame = robot.media.get_frame()
        """
        return self._camera.get_frame()

    def start_recording(self) -> None:
        """As `Robot.start_recording`.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.start_recording()
        """
        self._audio.start_recording()

    def stop_recording(self) -> None:
        """As `Robot.stop_recording`.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.start_recording()
                robot.media.stop_recording()
        """
        self._audio.stop_recording()

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """As `Robot.get_audio_sample`.

        Returns:
            Samples from -1 to 1, shape (n, 1), or None.

        Raises:
            RuntimeError: `start_recording` was not called.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.start_recording()
                samples = robot.media.get_audio_sample()
        """
        samples = self._audio.get_audio_sample()
        return None if samples is None else samples[:, np.newaxis]

    def start_playing(self) -> None:
        """Does nothing: the speaker plays whenever it has samples.

        Example:
            with Robot() as robot:
                robot.media.start_playing()
        """

    def stop_playing(self) -> None:
        """Stops playing immediately and drops what waits to be played.

        Raises:
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.play_sound("wake_up")
                robot.media.stop_playing()
        """
        self._audio.drop()

    def push_audio_sample(self, data: ArrayLike) -> None:
        """As `Robot.push_audio_sample`.

        Args:
            data: Floats from -1 to 1, or int16; shape (n,), (n, channels) or (channels, n).

        Raises:
            ValueError: Another shape or type, numbers that are not finite, or floats beyond 10.
            TimeoutError: The speaker took no samples for 15 s.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.push_audio_sample(np.zeros((1600, 1)))  # 0.1 s
        """
        self._audio.push_audio_sample(data)

    def play_sound(self, sound_file: str | os.PathLike[str]) -> None:
        """As `Robot.play_sound`.

        Args:
            sound_file: One of the robot's sounds, or the path of a WAV file of at most 60 s.

        Raises:
            ValueError: Not a sound of the robot, or not such a file; the message says what to do.
            FileNotFoundError: The file does not exist.
            ConnectionError: The daemon is lost.

        Example:
            with Robot() as robot:
                robot.media.play_sound("sleep")
        """
        self._audio.play_sound(sound_file)

    def get_input_audio_samplerate(self) -> int:
        """Samples per second of the microphone: 16,000.

        Example:
            with Robot() as robot:
                rate = robot.media.get_input_audio_samplerate()
        """
        return SAMPLE_RATE

    def get_output_audio_samplerate(self) -> int:
        """Samples per second of the speaker: 16,000.

        Example:
            with Robot() as robot:
                rate = robot.media.get_output_audio_samplerate()
        """
        return SAMPLE_RATE

    def get_input_channels(self) -> int:
        """Channels of the microphone: 1.

        Example:
            with Robot() as robot:
                channels = robot.media.get_input_channels()
        """
        return 1

    def get_output_channels(self) -> int:
        """Channels of the speaker: 1.

        Example:
            with Robot() as robot:
                channels = robot.media.get_output_channels()
        """
        return 1
