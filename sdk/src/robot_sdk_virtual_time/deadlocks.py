"""Finds threads that wait for each other without end."""

from __future__ import annotations

import threading

from robot_sdk_virtual_time.positions import place_of
from robot_sdk_virtual_time.scheduler import Scheduler


def deadlock_of(scheduler: Scheduler) -> str | None:
    """Says which threads wait for each other; None when none do.

    Of threads that wait without a limit, each for a lock that another one holds, or for its end, none can go on. A
    thread that waits for a lock of its own waits in vain only when it holds the lock by `with`: another thread may
    release a lock that was acquired by a call.
    """
    waits = scheduler.waits_for
    for first in list(waits):
        chain = [first]
        while chain[-1] in waits:
            owner = waits[chain[-1]].blocked_by()
            if owner is None or owner in chain[1:]:
                break
            if owner == first:
                if len(chain) == 1 and not waits[first].is_held_by_block():
                    break
                return _describe(chain)
            chain.append(owner)
    return None


def _describe(chain: list[int]) -> str:
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    lines = [f"  thread {names.get(each, each)} waits in {place_of(each)}" for each in chain]
    ends = [f" for thread {names.get(each, each)}" for each in [*chain[1:], chain[0]]]
    return "\n".join(["the app is in a deadlock:", *map("".join, zip(lines, ends, strict=True))])
