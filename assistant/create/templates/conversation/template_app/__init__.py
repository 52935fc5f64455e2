"""A robot to talk to."""
