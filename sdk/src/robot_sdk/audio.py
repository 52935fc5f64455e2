"""The robot's ear and voice, over the daemon's audio socket. Messages are those of `robot/wire/audio-messages.ts`."""

from __future__ import annotations

import os
import threading
from collections import deque
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_sdk.connection import Connection, Message
from robot_sdk.samples import SAMPLE_RATE, mono, read_wav
from robot_sdk.state import Complaints

# Indices of the tracks of binary messages, followed by a zero.
SPEAKER, SOUND, MICROPHONE = (bytes((track, 0)) for track in range(3))
# A message may have two seconds.
MESSAGE_SAMPLES = SAMPLE_RATE
# Of what nobody fetches, the last ten seconds are kept.
KEPT_SAMPLES = 10 * SAMPLE_RATE
# How long `get_audio_sample` waits: what the microphone hears comes in pieces of this length.
FRAME_S = 0.02
# Ten seconds may wait to be played, so that there is room again after as long, if anything is played at all.
ROOM_S = 15.0


class Audio:
    """Connects when it is first used. Samples are mono, `SAMPLE_RATE` a second, float32 from -1 to 1."""

    def __init__(self, robot_url: str, token: str | None, stop_event: threading.Event | None, timeout: float) -> None:
        """Connects nowhere yet.

        Args:
            robot_url: Address of the SDK's socket at the daemon.
            token: The daemon's token, if it asks for one.
            stop_event: Ends waits when set, and is set when the daemon goes.
            timeout: Seconds to connect in.
        """
        self._url = robot_url.removesuffix("/ws/sdk") + "/ws/audio"
        self._token = token
        self._stop_event = stop_event
        self._timeout = timeout
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False
        self._status: Message = {}
        self._heard: deque[NDArray[np.int16]] = deque()
        self._recording: bool | None = None
        # Counted apart, as each is changed in a thread of its own.
        self._pushed = 0
        self._played = 0
        self._pushing = threading.Lock()
        self._complain = Complaints()

    @property
    def failure(self) -> str | None:
        """Why the connection was lost, if it was there and has gone."""
        return None if self._connection is None else self._connection.failure

    def close(self) -> None:
        """Ends the connection, and with it all that it plays and hears; never raises."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()

    # Hearing

    def start_recording(self) -> None:
        """Starts to listen; what was heard before is forgotten.

        Raises:
            ConnectionError: The daemon has gone.
        """
        connection = self._connect()
        self._heard.clear()
        self._recording = True
        connection.send({"type": "listen", "track": "microphone", "on": True})

    def stop_recording(self) -> None:
        """Ends to listen; what was heard until here can still be fetched."""
        if self._recording:
            self._recording = False
            self._connect().send({"type": "listen", "track": "microphone", "on": False})

    def get_audio_sample(self) -> NDArray[np.float32] | None:
        """What was heard since the last call; waits up to 20 ms for it.

        Returns:
            Samples, shape (n,), at most the last 10 s; None when there is none yet, when the recording was stopped and
            all of it fetched, and when the app is told to stop meanwhile.

        Raises:
            RuntimeError: Nobody called `start_recording`.
            ConnectionError: The daemon has gone.
        """
        if self._recording is None:
            raise RuntimeError("nothing is recorded yet: call start_recording() first")
        connection = self._connect()
        if self._recording:
            try:
                connection.wait(lambda: len(self._heard) > 0, FRAME_S, "")
            except TimeoutError:
                return None
        connection.check()
        pieces = [self._heard.popleft() for _ in range(len(self._heard))]
        if not pieces:
            return None
        return np.concatenate(pieces).astype(np.float32) / np.float32(32768)

    # Speaking

    def push_audio_sample(self, samples: ArrayLike) -> None:
        """Plays samples after those pushed before; returns at once while less than ten seconds wait to be played.

        With more it waits for its turn, and leaves the rest out when the app is told to stop meanwhile. What waits is
        dropped by `drop`, and when the app ends.

        Args:
            samples: Float from -1 to 1, or int16; shape (n,), or with channels (n, channels) or (channels, n), whose
                mean is played. Louder ones are clipped.

        Raises:
            ValueError: Another shape or type, numbers that are not finite, or clearly another scale.
            TimeoutError: The speaker took nothing for 15 s.
            ConnectionError: The daemon has gone.
        """
        pcm = mono(samples)
        connection = self._connect()
        missing = f"the speaker took no samples for {ROOM_S:g} s: see the daemon's log"
        with self._pushing:
            for start in range(0, len(pcm), MESSAGE_SAMPLES):
                piece = pcm[start : start + MESSAGE_SAMPLES]
                self._pushed += len(piece)
                if not connection.wait(self._fits, ROOM_S, missing):
                    self._pushed -= len(piece)
                    return
                connection.send(SPEAKER + piece.tobytes())

    def play_sound(self, sound: str | os.PathLike[str]) -> None:
        """Plays a sound beside what is pushed, in place of the sound before it; returns at once.

        Args:
            sound: One of the robot's own, as `wake_up`, `sleep` or `chime`; or the path of a WAV file of integer
                samples, of any rate and number of channels, up to 60 s long; `Path(__file__).parent / "boing.wav"` is
                one that comes with the app.

        Raises:
            ValueError: No sound of the robot's own, or another kind of file; the text says what to do.
            FileNotFoundError: No such file.
            ConnectionError: The daemon has gone.
        """
        path = Path(sound)
        connection = self._connect()
        own = self._status["sounds"]
        if str(path).removesuffix(".wav") in own and not path.is_file():
            connection.send({"type": "play", "sound": str(path).removesuffix(".wav")})
            return
        if path.suffix.lower() != ".wav":
            raise ValueError(
                f"{str(path)!r} is no sound of the robot and no WAV file: use one of {', '.join(own)}, "
                "or convert a file with ffmpeg -i FILE sound.wav"
            )
        pcm = read_wav(path)
        connection.send({"type": "drop", "track": "sound"})
        for start in range(0, len(pcm), MESSAGE_SAMPLES):
            connection.send(SOUND + pcm[start : start + MESSAGE_SAMPLES].tobytes())

    def drop(self) -> None:
        """Falls silent: drops the sound, and all pushed samples that wait to be played."""
        if self._connection is not None:
            for track in ("speaker", "sound"):
                self._connection.send({"type": "drop", "track": track})

    def _fits(self) -> bool:
        """Whether the daemon has room for all that was pushed."""
        return bool(self._pushed - self._played <= self._status["room"])

    def _connect(self) -> Connection:
        """The connection, made on the first call.

        Raises:
            ConnectionError: No daemon, the daemon has gone, or `close` was called.
        """
        with self._lock:
            if self._closed:
                raise ConnectionError("this Robot is closed: make another one, or stay inside its `with` block")
            if self._connection is None:
                connection = Connection(
                    self._url, self._token, self._receive, self._stop_event, self._timeout, silence=None
                )
                try:
                    connection.establish(lambda: bool(self._status), self._timeout)
                except BaseException:
                    connection.close()
                    raise
                self._connection = connection
            return self._connection

    def _receive(self, message: Message | bytes) -> None:
        if isinstance(message, bytes):
            if message.startswith(MICROPHONE):
                self._hear(np.frombuffer(message, dtype="<i2", offset=2))
            return
        match message["type"]:
            case "status":
                self._status = message
                for fault in (message["speaker"]["fault"], message["microphone"]["fault"]):
                    if fault is not None:
                        self._complain(fault, "no sound")
            case "played":
                self._played += int(message["samples"])
            case "error":
                self._complain(str(message["detail"]))

    def _hear(self, samples: NDArray[np.int16]) -> None:
        self._heard.append(samples)
        kept = sum(map(len, self._heard))
        while kept > KEPT_SAMPLES:
            kept -= len(self._heard.popleft())
