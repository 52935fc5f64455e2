"""What the app's threads exchange with the test."""

from __future__ import annotations

import threading
import zlib
from base64 import b64decode
from collections.abc import Callable
from typing import Any, Protocol

from robot_sdk_virtual_time.positions import place_of
from robot_sdk_virtual_time.scheduler import Scheduler, WaitingThread
from robot_sdk_virtual_time.signal_patches import Alarm

ROBOT, AUDIO = "/ws/sdk", "/ws/audio"
"""The sockets that the robot of a test has."""
REQUEST_S = 1e-3
"""Seconds that a request to the robot takes at least: an app that sends one after the other lets the time go on."""
MOST_SENT = 5000
"""Messages that the app may send at once, and in a second of its time: a loop with a pause sends some hundred."""


class Budget:
    """An amount that may be spent at once, and again in each second of virtual time."""

    def __init__(self, most: float) -> None:
        """`most` is that amount."""
        self.most = most
        self._spent = 0.0
        self._spent_at = 0.0

    def spend(self, amount: float, now: float) -> bool:
        """Spends some of it at a virtual time. Returns whether that is too much."""
        self._spent = max(0.0, self._spent - (now - self._spent_at) * self.most) + amount
        self._spent_at = now
        return self._spent > self.most


class Receiver(Protocol):
    """The app's end of a socket of the robot."""

    name: str

    def deliver(self, messages: list[str]) -> None:
        """Takes messages of the robot."""

    def drop(self) -> None:
        """Loses the connection."""


class PendingRequests:
    """Requests of the app to the daemon that wait for the test's answers."""

    def __init__(self) -> None:
        self._number = 0
        self._answers: dict[int, tuple[int, str, bytes]] = {}
        self._new: list[dict[str, object]] = []

    def add(self, method: str, path: str, body: str) -> int:
        """Adds a request. Returns its number."""
        self._number += 1
        self._new.append({"id": self._number, "method": method, "path": path, "body": body})
        return self._number

    def take_new(self) -> list[dict[str, object]]:
        """The requests since the last call."""
        new, self._new = self._new, []
        return new

    def deliver(self, answers: list[dict[str, Any]]) -> None:
        """Takes answers: `id`, `status`, `type`, `body` (zlib, base64). Called by the controlling thread.

        No other thread runs meanwhile.
        """
        for answer in answers:
            body = zlib.decompress(b64decode(answer["body"]))
            self._answers[int(answer["id"])] = (int(answer["status"]), str(answer["type"]), body)

    def waiter(self, number: int) -> WaitingThread:
        """What to park with the scheduler until the answer to a request is there."""
        return WaitingThread(None, lambda: number in self._answers)

    def answer(self, number: int) -> tuple[int, str, bytes]:
        """Takes status, media type and body of an answer.

        Raises:
            KeyError: The answer is not there yet, or was taken.
        """
        return self._answers.pop(number)


class Exchange:
    """What the app has sent and the test has not got yet, and what the test has decided for the app."""

    def __init__(self, scheduler: Scheduler, fail: Callable[[str], object], end: Callable[[], object]) -> None:
        """Nothing is sent yet.

        Args:
            scheduler: Of the app's threads.
            fail: Tells the test how the app has failed.
            end: Ends the app's process.
        """
        self.scheduler = scheduler
        self.alarm = Alarm(scheduler)
        self.fail = fail
        self._end = end
        self._sent: dict[str, list[str]] = {ROBOT: [], AUDIO: []}
        self.requests = PendingRequests()
        self.real_time_because: str | None = None
        """Why the app needs real time; None while all its waiting is virtual."""
        self.sockets: list[Receiver] = []
        self.disconnected_until = 0.0
        """Until when the app cannot connect to the robot."""
        self.ports: dict[int, int] = {}
        """Ports that the app listens on: the one that it asks for, and the free one that it gets."""
        self._messages = Budget(MOST_SENT)

    def send(self, name: str, message: str) -> None:
        """Passes a message of the app to the robot, at the present time; `name` of the socket."""
        if self._messages.spend(1, self.scheduler.now):
            self.end_without_pause(threading.get_ident(), f"{MOST_SENT} messages to the robot")
        self._sent[name].append(message)

    def take_sent(self) -> dict[str, list[str]]:
        """The messages since the last call, by the names of their sockets."""
        sent, self._sent = self._sent, {ROBOT: [], AUDIO: []}
        return sent

    def request(self, method: str, path: str, body: str) -> tuple[int, str, bytes]:
        """Passes a request of the app to the robot's REST interface. Returns status, media type and body."""
        number = self.requests.add(method, path, body)
        began = self.scheduler.now
        self.scheduler.park(self.requests.waiter(number))
        if self.scheduler.now < began + REQUEST_S:
            self.scheduler.park(WaitingThread(began + REQUEST_S))
        return self.requests.answer(number)

    def check_reachable(self) -> None:
        """Raises ConnectionRefusedError while the test has disconnected the app."""
        if self.scheduler.now < self.disconnected_until:
            raise ConnectionRefusedError("the test has disconnected the app")

    def use_real_time(self, what: str) -> None:
        """The app waits for something that has a time of its own: from now on, real and virtual time pass alike."""
        if self.real_time_because is None:
            self.real_time_because = what
            self.scheduler.is_real = True

    def end_without_pause(self, thread: int | None, spent: str) -> None:
        """Ends an app that goes on and on without a pause; the message to the test names the line of a thread."""
        self.fail(
            f"the app works without a pause in {place_of(thread)}: more than {spent} in one second of its time. "
            "A loop needs a pause in each round: time.sleep(0.02), stop_event.wait(0.02) or await asyncio.sleep(0.02)"
        )
        self._end()
