"""Tests of the app on a simulated robot, in virtual time: PYTHON -m pytest."""


def test_it_breathes_while_nobody_speaks(robot_app):
    """The head rises and sinks, and the antennas sway."""
    robot_app.advance(5.0)  # seconds of the robot's time
    assert 2 < robot_app.head.z.max() - robot_app.head.z.min() < 12  # millimetres
    for antenna in (robot_app.antennas.right, robot_app.antennas.left):
        assert antenna.max() - antenna.min() > 2  # degrees
    # The whole motion, as motions/sway.txt has it. To record the one of a changed app: pytest --motion-update
    assert robot_app.motion.matches("sway", degrees=1, millimetres=1)
    robot_app.stop()  # fails if the app has ended by itself, or does not end now
