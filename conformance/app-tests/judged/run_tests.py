"""Runs an app's tests with pytest, and reports each result as a line of JSON on file descriptor 3.

Arguments: a folder with pytest, for an environment without it; the options of pytest.

Whatever is written to standard output and error is output of the tests.
"""

from __future__ import annotations

import json
import os
import sys

REPORTS = 3
MESSAGE_LENGTH, NAME_LENGTH = 600, 300
# The test runs of the certification measure times: they have the processors first.
os.nice(10)
os.set_inheritable(REPORTS, False)
# Last: what the app brings is the one that its tests are written for.
sys.path.append(sys.argv[1])

import pytest  # noqa: E402


class Reporter:
    """A plugin of pytest that reports the results."""

    def __init__(self) -> None:
        self._own_process = os.getpid()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Reports that a test begins."""
        self._send({"begins": nodeid[:NAME_LENGTH]})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Reports the result of a test, or that what it needs cannot be set up."""
        if report.failed or report.skipped or report.when == "call":
            self._send_result(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Reports a file with tests that cannot be read."""
        if report.failed:
            self._send_result(report)

    def pytest_sessionfinish(self) -> None:
        """Reports that no test is left."""
        self._send({"ended": "all"})

    def _send_result(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        what = {"test": report.nodeid[:NAME_LENGTH], "outcome": report.outcome}
        self._send({**what, "message": _message(report)} if report.failed else what)

    def _send(self, what: dict[str, str]) -> None:
        if os.getpid() == self._own_process:
            os.write(REPORTS, json.dumps(what).encode() + b"\n")


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(report.longrepr if crash is None else crash.message).strip()[:MESSAGE_LENGTH]


sys.exit(pytest.main(sys.argv[2:], plugins=[Reporter()]))
