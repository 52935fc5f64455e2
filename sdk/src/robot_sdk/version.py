"""The version of this package; the daemon has the same where the two belong together."""

VERSION = "0.1.0"
