"""Microphone and speaker under the fixture `robot_app`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import TESTED_APP, StartTested, write_wav
from robot_sdk.testing.sound import Sound

TONE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(8000) / 16000)).astype(np.float32)

BEEPS = TESTED_APP.format(
    body="""
            import numpy as np
            tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(8000) / 16000)
            time.sleep(1)
            robot.push_audio_sample(tone)
            time.sleep(1)
            robot.play_sound('happy')
            robot.push_audio_sample(tone)
            stop_event.wait()
"""
)
LISTENS = TESTED_APP.format(
    body="""
            import numpy as np
            robot.start_recording()
            was_loud = False
            while not stop_event.is_set():
                samples = robot.get_audio_sample()
                if samples is None:
                    continue
                is_loud = abs(samples).max() > 0.3
                if is_loud and not was_loud:
                    print('clap', round(time.monotonic(), 1))
                was_loud = is_loud
"""
)


def test_what_the_app_plays(start_tested: StartTested) -> None:
    tested = start_tested(BEEPS)
    tested.advance(1.8)
    assert tested.sound.began == pytest.approx(1.0, abs=0.1)
    assert tested.sound.duration == pytest.approx(0.5, abs=0.002)
    assert tested.sound.pitch == pytest.approx(440, abs=1)
    assert tested.sound.loudness == pytest.approx(0.5, abs=0.01)
    first = round(tested.sound.began * 16000)
    assert tested.sound.samples[first : first + 7000] == pytest.approx(TONE[1:7001], abs=1e-3)
    tested.advance(2.0)
    assert tested.sound.between(1.9, 4).loudness > 0.5
    assert tested.sound.between(1.6, 1.9).duration == 0
    tested.stop()
    assert tested.real_time_because is None


def test_what_the_app_hears(start_tested: StartTested, tmp_path: Path) -> None:
    clap = write_wav(tmp_path / "clap.wav", TONE * 32767, 2, 16000)
    tested = start_tested(LISTENS)
    tested.advance(1.0)
    tested.hear(clap)
    tested.advance(1.0)
    tested.hear(TONE)
    tested.advance(1.0)
    assert tested.log.splitlines() == ["clap 1.0", "clap 2.0"]
    tested.disconnect(1.0)
    tested.advance(2.0)
    tested.hear(TONE)
    tested.advance(0.5)
    assert tested.log.splitlines()[-1] == "clap 5.0"
    tested.stop()
    assert tested.real_time_because is None


def test_a_sound_that_cannot_be_read_is_refused(start_tested: StartTested) -> None:
    tested = start_tested()
    with pytest.raises(FileNotFoundError, match="none.wav"):
        tested.hear("none.wav")
    with pytest.raises(ValueError, match="not finite"):
        tested.hear(np.array([np.nan]))
    with pytest.raises(ValueError, match="must be floats"):
        tested.hear(3)
    tested.hear(np.zeros(0))


def test_silence() -> None:
    sound = Sound()
    assert (sound.duration, sound.loudness, repr(sound)) == (0, 0, "Sound(silence)")
    for name in ("pitch", "began"):
        with pytest.raises(ValueError, match="nothing was played"):
            getattr(sound, name)
    assert sound.between(0, 5).duration == 0


def test_chunks_of_sound_are_joined_and_pauses_are_kept() -> None:
    sound = Sound()
    piece = np.full(320, 16384, "<i2")
    for at in (1.0, 1.02, 1.0405, 2.0):
        sound.add(at, piece.tobytes())
    assert sound.began == 1.0
    assert np.all(sound.samples[16000 : 16000 + 3 * 320] == 0.5)
    assert sound.duration == pytest.approx(1.02)
    assert sound.between(1.5, 3).began == pytest.approx(2.0)
    assert repr(sound.between(1.5, 3)).startswith("Sound(2.00 s: 0.02 s of")
