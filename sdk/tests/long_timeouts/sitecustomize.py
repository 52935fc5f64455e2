"""Python runs this at the start of an app of `start_app`, whose daemon is in the process of the tests.

A busy machine may keep that process from running for seconds. The app must not take it for an outage of the daemon.
"""

from robot_sdk import Robot
from robot_sdk.connection.connection import Connection

(Connection.__init__.__kwdefaults__ or {})["silence"] = 60.0
(Robot.__init__.__kwdefaults__ or {})["timeout"] = 60.0
