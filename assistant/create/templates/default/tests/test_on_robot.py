"""Tests of the app on a simulated robot, in virtual time: PYTHON -m pytest."""


def test_it_sways_both_antennas_and_looks_to_both_sides(robot_app):
    """Once to and fro in four seconds."""
    robot_app.advance(5.0)  # seconds of the robot's time
    assert robot_app.head.yaw.max() > 15  # degrees
    assert robot_app.head.yaw.min() < -15
    assert robot_app.antennas.right.max() > 20
    robot_app.stop()
