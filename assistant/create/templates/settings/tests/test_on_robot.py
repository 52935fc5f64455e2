"""Tests of the app on a simulated robot, in virtual time: PYTHON -m pytest."""


def test_it_sways_both_antennas_and_looks_to_both_sides(robot_app):
    """Once to and fro in four seconds, to the left first, with the settings as they are in robot_settings.json."""
    robot_app.advance(5.0)  # seconds of the robot's time
    assert 7 < robot_app.head.yaw.between(0.0, 2.5).max() < 13  # degrees
    assert -11 < robot_app.head.yaw.between(2.5, 5.0).min() < -5
    for antenna in (robot_app.antennas.right, robot_app.antennas.left):
        assert 13 < antenna.between(0.0, 2.5).max() < 21
    # The whole motion, as motions/sway.txt has it. To record the one of a changed app: pytest --motion-update
    assert robot_app.motion.matches("sway")
    robot_app.stop()  # fails if the app has ended by itself, or does not end now
