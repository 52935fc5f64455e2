"""Microphone and speaker of the robot, over the daemon's audio socket.

Messages: `robot/wire/audio/audio-messages.ts`.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.audio.samples import SAMPLE_RATE, mono, read_wav
from robot_sdk.connection.connection import CLOSED, Connection, Message
from robot_sdk.connection.rate_limited_logger import RateLimitedLogger
from robot_sdk.errors import DaemonLostError, StopRequestedError

# Tracks of binary messages: the index and a zero byte.
SPEAKER, SOUND, MICROPHONE = (bytes((track, 0)) for track in range(3))
# One second; a message may hold two.
MESSAGE_SAMPLES = SAMPLE_RATE
# Ten seconds of recorded samples are kept until they are fetched.
KEPT_SAMPLES = 10 * SAMPLE_RATE
# Microphone samples arrive in pieces of this length.
FRAME_S = 0.02
# Ten seconds may wait in the speaker, so that after this time there is space again.
SPEAKER_TIMEOUT_S = 15.0


class Audio:
    """Connects on first use. Samples are mono, `SAMPLE_RATE` per second, float32 from -1 to 1."""

    def __init__(self, robot_url: str, token: str | None, stop_event: threading.Event | None, timeout: float) -> None:
        """Does not connect yet.

        Args:
            robot_url: Address of the daemon's SDK socket.
            token: The daemon's token, or None.
            stop_event: Ends waits when it is set; set when the daemon is lost.
            timeout: Seconds for connecting.
        """
        self._url = robot_url.removesuffix("/ws/sdk") + "/ws/audio"
        self._token = token
        self._stop_event = stop_event
        self._timeout = timeout
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False
        self._status: Message = {}
        self._recorded: deque[NDArray[np.int16]] = deque()
        self._recording: bool | None = None
        # Two counts, because each is changed in a different thread.
        self._pushed = 0
        self._played = 0
        self._pushing = threading.Lock()
        self._log = RateLimitedLogger()

    @property
    def failure(self) -> str | None:
        """As `Connection.failure`; None while there was no connection."""
        return None if self._connection is None else self._connection.failure

    @property
    def lost_after_stop(self) -> bool:
        """As `Connection.lost_after_stop`."""
        return self._connection is not None and self._connection.lost_after_stop

    def close(self) -> None:
        """Closes the connection, which ends playing and recording; never raises."""
        self._closed = True
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    # Microphone

    def start_recording(self) -> None:
        """As `Robot.start_recording`."""
        connection = self._connect()
        self._recorded.clear()
        self._recording = True
        if connection is not None:
            connection.send(_listen(on=True))

    def stop_recording(self) -> None:
        """As `Robot.stop_recording`."""
        if self._recording:
            self._recording = False
            connection = self._connect()
            if connection is not None:
                connection.send(_listen(on=False))

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """As `Robot.get_audio_sample`."""
        if self._recording is None:
            raise RuntimeError("nothing is recorded yet: call start_recording() first")
        connection = self._connect()
        if connection is None:
            return None
        if self._recording:
            try:
                connection.wait(lambda: len(self._recorded) > 0, FRAME_S, "")
            except TimeoutError:
                return None
        connection.check()
        pieces = [self._recorded.popleft() for _ in range(len(self._recorded))]
        if not pieces:
            return None
        return np.concatenate(pieces).astype(np.float32) / np.float32(32768)

    # Speaker

    def push_audio_sample(self, samples: ArrayLike) -> None:
        """As `Robot.push_audio_sample`."""
        pcm = mono(samples)
        connection = self._connect()
        if connection is None:
            return
        missing = f"the speaker took no samples for {SPEAKER_TIMEOUT_S:g} s: see the daemon's log"
        with self._pushing:
            for start in range(0, len(pcm), MESSAGE_SAMPLES):
                piece = pcm[start : start + MESSAGE_SAMPLES]
                self._pushed += len(piece)
                try:
                    sent = connection.wait(self._has_space, SPEAKER_TIMEOUT_S, missing) and connection.send(
                        SPEAKER + piece.tobytes()
                    )
                except BaseException:
                    # What was not sent takes no space.
                    self._pushed -= len(piece)
                    raise
                if not sent:
                    self._pushed -= len(piece)
                    return

    def play_sound(self, sound: str | os.PathLike[str]) -> None:
        """As `Robot.play_sound`."""
        path = Path(sound)
        connection = self._connect()
        if connection is None:
            return
        known = self._status["sounds"]
        if str(path).removesuffix(".wav") in known and not path.is_file():
            connection.send({"type": "play", "sound": str(path).removesuffix(".wav")})
            return
        if path.suffix.lower() != ".wav":
            raise ValueError(
                f"{str(path)!r} is neither a sound of the robot nor a WAV file: use one of {', '.join(known)}, "
                "or convert a file with ffmpeg -i FILE sound.wav"
            )
        pcm = read_wav(path)
        connection.send({"type": "drop", "track": "sound"})
        for start in range(0, len(pcm), MESSAGE_SAMPLES):
            connection.send(SOUND + pcm[start : start + MESSAGE_SAMPLES].tobytes())

    def drop(self) -> None:
        """Stops playing immediately: drops the sound and all pushed samples that wait."""
        if self._connection is not None:
            for track in ("speaker", "sound"):
                self._connection.send({"type": "drop", "track": track})

    def _has_space(self) -> bool:
        """Whether the daemon has space for all pushed samples."""
        return bool(self._pushed - self._played <= self._status["room"])

    def _connect(self) -> Connection | None:
        """The connection, opened on the first call; None when the stop event is set meanwhile.

        Raises:
            DaemonLostError: There is no daemon, the daemon is lost, or `close` was called.
        """
        with self._lock:
            if self._closed:
                raise DaemonLostError(CLOSED)
            if self._connection is None:
                connection = Connection(
                    self._url,
                    self._token,
                    self._receive,
                    self._stop_event,
                    self._timeout,
                    self._connection_changed,
                    silence=None,
                    is_reachable=True,
                )
                try:
                    connection.establish(lambda: bool(self._status))
                except StopRequestedError:
                    connection.close()
                    return None
                except BaseException:
                    connection.close()
                    raise
                self._connection = connection
            return self._connection

    def _connection_changed(self, connected: bool) -> None:
        """Starts again after an outage: the daemon has dropped what waited, and does not record any more."""
        if not connected or self._connection is None:
            return
        self._played = self._pushed
        if self._recording:
            self._connection.send_now(_listen(on=True))

    def _receive(self, message: Message | bytes) -> None:
        if isinstance(message, bytes):
            if message.startswith(MICROPHONE):
                self._keep(np.frombuffer(message, dtype="<i2", offset=2))
            return
        match message["type"]:
            case "status":
                self._status = message
                for fault in (message["speaker"]["fault"], message["microphone"]["fault"]):
                    if fault is not None:
                        self._log(fault, "no sound")
            case "played":
                self._played += int(message["samples"])
            case "error":
                self._log(str(message["detail"]))

    def _keep(self, samples: NDArray[np.int16]) -> None:
        self._recorded.append(samples)
        kept = sum(map(len, self._recorded))
        while kept > KEPT_SAMPLES:
            kept -= len(self._recorded.popleft())


def _listen(on: bool) -> Message:
    return {"type": "listen", "track": "microphone", "on": on}
