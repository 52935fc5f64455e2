"""Tests of the app on a simulated robot, in virtual time: PYTHON -m pytest."""


def test_it_sways_both_antennas_and_looks_to_both_sides(robot_app):
    """Once to and fro in four seconds, to the left first."""
    robot_app.advance(4.5)  # seconds of the robot's time
    assert 16 < robot_app.head.yaw.between(0.0, 2.0).max() < 22  # degrees
    assert -22 < robot_app.head.yaw.between(2.0, 4.0).min() < -16
    for antenna in (robot_app.antennas.right, robot_app.antennas.left):
        assert 24 < antenna.between(0.0, 2.0).max() < 32
    # The whole motion, as motions/sway.txt has it. To record the one of a changed app: pytest --motion-update
    assert robot_app.motion.matches("sway")
    robot_app.stop()  # fails if the app has ended by itself, or does not end now
