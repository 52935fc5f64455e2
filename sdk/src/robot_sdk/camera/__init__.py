"""The robot's camera."""
