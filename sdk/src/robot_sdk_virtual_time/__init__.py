"""Runs a Python program on a clock that stands still while it works."""
