"""What the camera of the simulated robot sees: a room with coloured posts and an orange ball, drawn with numpy.

The picture turns with the head, so that an app can be seen to look somewhere. It shows no person.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Every drawn pixel is a square of so many.
PIXEL = 4
# Metres from the head down to the floor, and the side of its squares.
FLOOR_M = 0.4
TILE_M = 0.25
# Posts stand around the robot, radians; each has a colour of its own.
POSTS = 12
POST_WIDTH = np.deg2rad(1.5)
POST_REACHES = (np.deg2rad(-12), np.deg2rad(14))
# The direction of the ball from the head, and its radius as it is seen.
BALL = np.array([1.0, 0.25, 0.08]) / np.linalg.norm([1.0, 0.25, 0.08])
BALL_COS = float(np.cos(np.deg2rad(4.0)))
# Blue, green, red.
BALL_COLOUR = (20, 120, 250)

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]


def draw(rotation: Matrix, camera: Matrix, size: tuple[int, int]) -> Image:
    """The picture of a camera.

    Args:
        rotation: Of the camera in the world, 3x3. Its x axis points right, y down, z forward; the world's x forward,
            z up.
        camera: Its matrix K, 3x3.
        size: Width and height in pixels, multiples of 4.

    Returns:
        Blue, green, red from 0 to 255, shape (height, width, 3).
    """
    width, height = size
    u, v = np.meshgrid(np.arange(PIXEL / 2, width, PIXEL), np.arange(PIXEL / 2, height, PIXEL))
    rays = np.stack(((u - camera[0, 2]) / camera[0, 0], (v - camera[1, 2]) / camera[1, 1], np.ones_like(u)), axis=-1)
    rays = rays @ rotation.T
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    colours = np.where((rays[..., 2] < 0)[..., np.newaxis], _floor(rays), _sky(rays))
    _draw_posts(colours, rays)
    colours[rays @ BALL > BALL_COS] = BALL_COLOUR
    return colours.astype(np.uint8).repeat(PIXEL, axis=0).repeat(PIXEL, axis=1)


def _sky(rays: Matrix) -> Matrix:
    height = rays[..., 2:3].clip(0, 1)
    bright: Matrix = np.array([235.0, 225.0, 215.0]) - height * np.array([40.0, 80.0, 110.0])
    return bright


def _floor(rays: Matrix) -> Matrix:
    below = np.minimum(rays[..., 2], -1e-3)
    tiles = np.floor(rays[..., 0] * FLOOR_M / -below / TILE_M) + np.floor(rays[..., 1] * FLOOR_M / -below / TILE_M)
    # Far away the squares are too small to be seen.
    contrast = 30 * (-below).clip(0, 0.3) / 0.3
    grey: Matrix = (110 + contrast * (tiles % 2))[..., np.newaxis] * np.array([0.9, 1.0, 1.05])
    return grey


def _draw_posts(colours: Matrix, rays: Matrix) -> None:
    yaw = np.arctan2(rays[..., 1], rays[..., 0])
    pitch = np.arcsin(rays[..., 2].clip(-1, 1))
    step = 2 * np.pi / POSTS
    nearest = np.round(yaw / step)
    is_post = (np.abs(yaw - nearest * step) < POST_WIDTH) & (pitch > POST_REACHES[0]) & (pitch < POST_REACHES[1])
    phase = (nearest[is_post] % POSTS)[:, np.newaxis] / POSTS + np.array([0.0, 1 / 3, 2 / 3])
    colours[is_post] = 130 + 90 * np.cos(2 * np.pi * phase)
