"""A plot of an expected and a measured motion, as SVG."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from robot_sdk.testing.motion_difference import Tolerance
from robot_sdk.testing.motion_recording import UNITS, MotionRecording

WIDTH, HEIGHT, LEFT, TOP, GAP = 800, 150, 70, 60, 30
"""Pixels: of the plot, of a panel, of the margins left and above, and between two panels."""
MIN_SPAN = 10.0
"""Degrees or millimetres that a panel shows at least, so that small noise does not fill it."""
STYLE = """
  text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold }
  .frame { fill: none; stroke: #bbb } .band { fill: #9ab8d8; fill-opacity: 0.4 }
  .expected { fill: none; stroke: #33689e; stroke-dasharray: 5 3 }
  .measured { fill: none; stroke: #c23b22; stroke-width: 1.5 }
  .worst { stroke: #c23b22; stroke-opacity: 0.4 }
"""


def plot_motions(title: str, measured: MotionRecording, expected: MotionRecording, tolerance: Tolerance) -> str:
    """A panel for each joint or axis: those that differ first, marked where they differ most."""
    worst = {difference.name: difference.time for difference in measured.differences(expected, tolerance)}
    names = [*worst, *(name for name in UNITS if name not in worst)]
    end = max(measured.duration, expected.duration, 0.1)
    panels = [
        _panel(name, TOP + row * (HEIGHT + GAP), end, measured, expected, tolerance, worst.get(name))
        for row, name in enumerate(names)
    ]
    total = TOP + len(names) * (HEIGHT + GAP)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}">',
            f'<style>{STYLE}</style><rect width="100%" height="100%" fill="white"/>',
            f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>',
            f'<text x="{LEFT}" y="38">dashed: expected, with its tolerance; red: measured; 0 to {end:.2f} s</text>',
            *panels,
            "</svg>\n",
        ]
    )


def _panel(
    name: str,
    top: float,
    end: float,
    measured: MotionRecording,
    expected: MotionRecording,
    tolerance: Tolerance,
    worst: float | None,
) -> str:
    allowed = tolerance.degrees if UNITS[name] == "°" else tolerance.millimetres
    low, high = expected.values[name] - allowed, expected.values[name] + allowed
    every = np.concatenate([low, high, measured.values[name]])
    middle, span = (every.min() + every.max()) / 2, max(np.ptp(every), MIN_SPAN)
    bottom, peak = middle - span / 2, middle + span / 2

    def points(times: NDArray[np.float64], values: NDArray[np.float64]) -> str:
        x = LEFT + (WIDTH - LEFT - 10) * times / end
        y = top + HEIGHT * (peak - values) / (peak - bottom)
        return " ".join(f"{one:.1f},{other:.1f}" for one, other in zip(x, y, strict=True))

    band = points(np.concatenate([expected.times, expected.times[::-1]]), np.concatenate([low, high[::-1]]))
    parts = [
        f'<rect class="frame" x="{LEFT}" y="{top}" width="{WIDTH - LEFT - 10}" height="{HEIGHT}"/>',
        f'<text class="{"title" if worst is not None else ""}" x="{LEFT}" y="{top - 5}">{name}</text>',
        f'<text x="4" y="{top + 11}">{peak:.1f}{UNITS[name]}</text>',
        f'<text x="4" y="{top + HEIGHT}">{bottom:.1f}{UNITS[name]}</text>',
        f'<polygon class="band" points="{band}"/>',
        f'<polyline class="expected" points="{points(expected.times, expected.values[name])}"/>',
        f'<polyline class="measured" points="{points(measured.times, measured.values[name])}"/>',
    ]
    if worst is not None:
        x = LEFT + (WIDTH - LEFT - 10) * worst / end
        parts.append(f'<line class="worst" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + HEIGHT}"/>')
        parts.append(f'<text x="{min(x + 4, WIDTH - 60):.1f}" y="{top + HEIGHT - 4}">{worst:.2f} s</text>')
    return "\n".join(parts)
