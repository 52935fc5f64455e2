"""Computes the movements of speech: here, one at every step, as large as the loudest sample."""

import numpy as np
from numpy.typing import NDArray

HOP_MS = 50


class SwayRollRT:
    def __init__(self, sample_rate: int) -> None:
        self.hop = sample_rate * HOP_MS // 1000

    def feed(self, pcm: NDArray[np.float32]) -> list[dict[str, float]]:
        return [
            dict.fromkeys(("x_mm", "y_mm", "z_mm", "roll_rad", "pitch_rad", "yaw_rad"), float(abs(pcm[at]).max()))
            for at in range(0, len(pcm), self.hop)
        ]

    def reset(self) -> None:
        pass
