"""Moves of our own under the names of the public libraries of recorded moves.

An app that plays `cheerful1` moves the robot with them where the library itself cannot be had: in a certification,
and on a machine without a network. The build of robot-sdk writes them as files; this module imports nothing but the
standard library, because it runs in the build, too.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable
from pathlib import Path


def _names(text: str) -> list[str]:
    return text.split()


EMOTIONS = _names(
    """
    amazed1 anxiety1 attentive1 attentive2 boredom1 boredom2 calming1 cheerful1 come1 confused1 contempt1
    curious1 dance1 dance2 dance3 disgusted1 displeased1 displeased2 downcast1 dying1 electric1 enthusiastic1
    enthusiastic2 exhausted1 fear1 frustrated1 furious1 go_away1 grateful1 helpful1 helpful2 impatient1
    impatient2 incomprehensible2 indifferent1 inquiring1 inquiring2 inquiring3 irritated1 irritated2 laughing1
    laughing2 lonely1 lost1 loving1 no1 no_excited1 no_sad1 oops1 oops2 proud1 proud2 proud3 rage1 relief1
    relief2 reprimand1 reprimand2 reprimand3 resigned1 sad1 sad2 scared1 serenity1 shy1 sleep1 success1 success2
    surprised1 surprised2 thoughtful1 thoughtful2 tired1 uncertain1 uncomfortable1 understanding1 understanding2
    welcoming1 welcoming2 yes1 yes_sad1
    """
)
DANCES = _names(
    """
    chicken_peck chin_lead dizzy_spin grid_snap groovy_sway_and_roll head_tilt_roll headbanger_combo
    interwoven_spirals jackson_square neck_recoil pendulum_swing polyrhythm_combo sharp_side_tilt
    side_glance_flick side_peekaboo side_to_side_sway simple_nod stumble_and_recover uh_huh_tilt yeah_nod
    """
)
# The names of the data sets, as apps ask for them, with those of their moves.
LIBRARIES = {
    "pollen-robotics/reachy-mini-emotions-library": EMOTIONS,
    "pollen-robotics/reachy-mini-dances-library": DANCES,
}

# Frames a second; players interpolate.
RATE = 10
FADE_S = 0.4

# Roll, pitch, yaw (radians), height (metres), both antennas and the body's yaw (radians) at a time.
Posture = tuple[float, float, float, float, float, float, float]


def _swing(seconds: float, period: float) -> float:
    return math.sin(2 * math.pi * seconds / period)


# Duration and posture of the motions that the moves are made of.
MOTIONS: tuple[tuple[float, Callable[[float], Posture]], ...] = (
    (2.0, lambda t: (0, 0.15 * _swing(t, 1), 0, 0, 0.2, -0.2, 0)),
    (2.4, lambda t: (0, 0, 0.25 * _swing(t, 1.2), 0, 0, 0, 0)),
    (4.0, lambda t: (0, 0.08 * _swing(t, 2), 0.35 * _swing(t, 4), 0, 0.1, -0.1, 0)),
    (4.0, lambda t: (0.15 * _swing(t, 2), 0, 0, 0, 0.3 * _swing(t, 2), 0.3 * _swing(t, 2), 0.15 * _swing(t, 4))),
    (2.4, lambda t: (0, 0, 0, 0.006 * _swing(t, 1.2), 0.4 * _swing(t, 1.2), -0.4 * _swing(t, 1.2), 0)),
)


def recorded_move(name: str) -> dict[str, object]:
    """A move in the format of the public libraries; always the same one for a name.

    Args:
        name: Name of the move.
    """
    seconds, posture = MOTIONS[zlib.crc32(name.encode()) % len(MOTIONS)]
    times = [index / RATE for index in range(round(seconds * RATE) + 1)]
    frames = []
    for t in times:
        fade = max(0.0, min(1.0, t / FADE_S, (seconds - t) / FADE_S))
        roll, pitch, yaw, height, left, right, body_yaw = (round(fade * value, 4) for value in posture(t))
        head = _pose(roll, pitch, yaw, height)
        frames.append({"head": head, "antennas": [left, right], "body_yaw": body_yaw, "check_collision": False})
    return {"description": f"{name}, a stand-in of robot-sdk", "time": times, "set_target_data": frames}


def _pose(roll: float, pitch: float, yaw: float, height: float) -> list[list[float]]:
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(angle), math.cos(angle)) for angle in (roll, pitch, yaw))
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, 0.0],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, 0.0],
        [-sp, cp * sr, cp * cr, height],
        [0.0, 0.0, 0.0, 1.0],
    ]
    return [[round(value, 8) for value in row] for row in rows]


def write_libraries(folder: Path) -> None:
    """Writes all moves, each as a file NAME.json in the folder of its library.

    Args:
        folder: Where the libraries' folders are made.
    """
    for library, names in LIBRARIES.items():
        (folder / library).mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / library / f"{name}.json").write_text(json.dumps(recorded_move(name)))
