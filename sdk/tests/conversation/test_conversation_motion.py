import math
import random

import numpy as np
import pytest
from template_app.motion import GESTURES, MAX_GESTURES, MOODS, Motion

PERIOD = 0.02
# Three radians a second, in 20 ms.
MAX_STEP = 0.06


def targets_of(motion: Motion, seconds: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The targets of some time: 16 numbers of the head and two of the antennas each."""
    targets = [motion.advance(PERIOD) for _ in range(round(seconds / PERIOD))]
    return np.array([[*head.ravel(), *antennas] for head, antennas in targets])


def yaw(target: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return math.atan2(target[4], target[0])


def test_an_idle_robot_breathes_and_keeps_its_pose() -> None:
    targets = targets_of(Motion(), 20)
    spread = np.ptp(targets, axis=0)
    assert 0.004 < spread[11] < 0.01
    assert spread.max() < 0.3


def test_it_looks_at_a_direction_and_keeps_it() -> None:
    motion = Motion()
    motion.look(0.6, 0.1)
    targets = targets_of(motion, 4)
    assert yaw(targets[-1]) == pytest.approx(0.6, abs=0.05)
    assert max(yaw(target) for target in targets) < 0.7


@pytest.mark.parametrize("name", GESTURES)
def test_a_gesture_moves_the_robot_and_ends_after_its_duration(name: str) -> None:
    motion, still = Motion(), Motion()
    motion.gesture(name)
    duration, _ = GESTURES[name]
    during = targets_of(motion, duration) - targets_of(still, duration)
    assert np.abs(during).max() > 0.1
    after = targets_of(motion, 5) - targets_of(still, 5)
    assert np.abs(after[-1]).max() < 0.01


def test_gestures_wait_for_each_other_up_to_a_limit() -> None:
    motion, still = Motion(), Motion()
    for _ in range(100):
        motion.gesture("nod")
    nods = targets_of(motion, 10) - targets_of(still, 10)
    in_its_middle = round(GESTURES["nod"][0] / PERIOD / 3)
    for count in range(MAX_GESTURES):
        begin = count * round(GESTURES["nod"][0] / PERIOD)
        assert np.abs(nods[begin : begin + 2 * in_its_middle]).max() > 0.1
    assert np.abs(nods[-1]).max() < 0.01
    with pytest.raises(KeyError):
        motion.gesture("fly")


def test_a_voice_moves_the_head_with_its_loudness() -> None:
    quiet, loud = Motion(), Motion()
    loud.loudness = 1
    assert np.ptp(targets_of(loud, 5), axis=0)[:11].max() > 2 * np.ptp(targets_of(quiet, 5), axis=0)[:11].max()


def test_the_target_is_always_finite_within_limits_and_without_jumps() -> None:
    chance = random.Random(2)
    for _ in range(20):
        motion = Motion()
        parts = []
        for _ in range(30):
            action = chance.choice(("look", "gesture", "mood", "loudness"))
            if action == "look":
                motion.look(chance.uniform(-0.7, 0.7), chance.uniform(-0.35, 0.35))
            elif action == "gesture":
                motion.gesture(chance.choice(list(GESTURES)))
            elif action == "mood":
                motion.mood = chance.choice(list(MOODS))
            else:
                motion.loudness = chance.random()
            parts.append(targets_of(motion, chance.uniform(0.02, 1)))
        targets = np.concatenate(parts)
        assert np.isfinite(targets).all()
        assert np.abs(np.diff(targets, axis=0))[:, :16].max() < MAX_STEP
        assert np.abs(np.diff(targets, axis=0))[:, 16:].max() < 3 * MAX_STEP
        assert max(abs(yaw(target)) for target in targets) < 1.3
        assert np.abs(targets[:, 16:]).max() <= 1.4
