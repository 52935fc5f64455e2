"""What the camera of a tested robot sees."""

from __future__ import annotations

import math

import pytest

from conftest import ROOT, TESTED_APP, StartTested
from robot_sdk.testing import AppUnderTest

LOOKS = TESTED_APP.format(
    body="""
            import numpy
            while not stop_event.wait(0.1):
                frame = robot.get_frame()
                if frame is None:
                    print("blind")
                    continue
                blue, green, red = numpy.moveaxis(frame.astype(int), 2, 0)
                columns = numpy.nonzero((red > 100) & (blue < 10) & (green < 10))[1]
                print(f"{time.monotonic():.3f}", columns.mean().round() if len(columns) else "none", frame.sum())
            """
)


def seen(tested: AppUnderTest) -> str:
    """What the app has printed last, without the time: the mean column of the red, and the sum of all numbers."""
    return tested.lines[-1][1].partition(" ")[2]


def refuse_impossible_objects(tested: AppUnderTest) -> None:
    """Asks for what cannot be done while there is an object named ball."""
    objects = tested.objects
    with pytest.raises(ValueError, match='"ball" is taken'):
        objects.add_box("ball", (0.5, 0.1, 0.4))
    with pytest.raises(ValueError, match="each coordinate must be from -1 to 1 m"):
        objects.move("ball", (0.5, 3, 0.2))
    with pytest.raises(ValueError, match="the object 'ball' has the number nan"):
        objects.move("ball", (math.nan, 0, 0.2))
    with pytest.raises(ValueError, match="there is no object 'cup'; there are: ball"):
        objects.remove("cup")
    with pytest.raises(ValueError, match=r"object\.position .*must be a list"):
        objects.add_ball("other", (0.5, 0.1))
    with pytest.raises(ValueError, match='object.color is "red"; it must be like "#e2603a"'):
        objects.add_ball("other", (0.5, 0.1, 0.2), color="red")
    with pytest.raises(ValueError, match=r"none\.png is not a JPEG or PNG file that can be read \(ENOENT"):
        tested.see("none.png")


def test_an_app_sees_objects_where_the_test_puts_them(start_tested: StartTested) -> None:
    tested = start_tested(LOOKS)
    tested.objects.add_ball("ball", (0.5, 0.1, 0.2), color="#ff0000")
    tested.advance(0.55)
    assert 400 < float(seen(tested).split()[0]) < 560
    tested.objects.move("ball", (0.5, -0.1, 0.2))
    tested.advance(0.2)
    assert 720 < float(seen(tested).split()[0]) < 880
    tested.disconnect(0.3)
    tested.advance(0.2)
    assert "blind" in tested.log
    tested.objects.remove("ball")
    tested.objects.add_box("box", (0.5, 0.0, 0.2), color="#00ff00", fixed=False)
    assert list(tested.objects) == ["box"]
    tested.advance(0.3)
    box = seen(tested)
    assert box.startswith("none")
    tested.see(ROOT / "fixtures/camera/room.jpg")
    tested.advance(0.2)
    assert seen(tested) != box
    with pytest.raises(ValueError, match=r"a film ends in \.png, \.apng or \.html, not 'film\.webm'"):
        tested.film("film.webm")
    with pytest.raises(ValueError, match=r"two times from 0 to \d\.\d\d s, .* not 1 and 9"):
        tested.film("film.png", 1, 9)
    assert tested.film("film.png", 0.5, 0.6).read_bytes()[1:4] == b"PNG"
    tested.stop()
    assert tested.real_time_because is None
    again = start_tested(LOOKS)
    again.objects.add_ball("ball", (0.5, 0.1, 0.2), color="#ff0000")
    refuse_impossible_objects(again)
    again.advance(0.55)
    assert again.log == tested.log[: len(again.log)]
