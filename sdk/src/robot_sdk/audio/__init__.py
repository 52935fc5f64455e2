"""Sound from the microphone and to the speaker of the robot."""
