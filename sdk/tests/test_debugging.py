"""A debugger attaches to an app, and pdb runs one: real processes, the debug adapter protocol by hand."""

import json
import socket
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from conftest import TESTED_APP, StartApp, next_line, run_python
from robot_sdk.app.debugging import VARIABLE
from scripted_daemon import DEADLINE_S, ScriptedDaemon

APP = textwrap.dedent(
    TESTED_APP.format(
        body="""
            count = 41
            while not stop_event.is_set():
                count += 1
                time.sleep(0.02)
"""
    )
)
BREAKPOINT = APP.splitlines().index("            time.sleep(0.02)") + 1


class Editor:
    """As much of an editor as it takes to stop at a breakpoint."""

    def __init__(self, port: int) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        self.stream = self.socket.makefile("rb")
        self.sent = 0

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def send(self, command: str, **arguments: Any) -> None:
        self.sent += 1
        message = {"seq": self.sent, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def wait_for(self, kind: str, name: str) -> dict[str, Any]:
        """The body of the next event or response of this name."""
        while True:
            length = 0
            while (line := self.stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.stream.read(length))
            if message["type"] == kind and message.get("event", message.get("command")) == name:
                assert message.get("success", True), message
                body: dict[str, Any] = message.get("body") or {}
                return body


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    (tmp_path / "counter").mkdir()
    (tmp_path / "counter" / "__init__.py").touch()
    (tmp_path / "counter" / "main.py").write_text(APP)
    return tmp_path


def test_an_editor_attaches_and_stops_at_a_breakpoint(
    daemon: ScriptedDaemon, start_app: StartApp, counter: Path, free_port: int
) -> None:
    start_app("counter.main", folder=counter, **{VARIABLE: f"127.0.0.1:{free_port}"})
    with closing(Editor(free_port)) as editor:
        stop_at_breakpoint(editor, counter)


def stop_at_breakpoint(editor: Editor, counter: Path) -> None:
    editor.send("initialize", adapterID="debugpy", clientID="test", pathFormat="path", linesStartAt1=True)
    editor.wait_for("response", "initialize")
    editor.send("attach", justMyCode=True)
    editor.wait_for("event", "initialized")
    source = {"path": str(counter / "counter" / "main.py")}
    editor.send("setBreakpoints", source=source, breakpoints=[{"line": BREAKPOINT}])
    editor.wait_for("response", "setBreakpoints")
    editor.send("configurationDone")
    stopped = editor.wait_for("event", "stopped")
    editor.send("stackTrace", threadId=stopped["threadId"])
    frame = editor.wait_for("response", "stackTrace")["stackFrames"][0]
    assert (frame["name"], frame["line"]) == ("run", BREAKPOINT)
    editor.send("evaluate", expression="count >= 42", frameId=frame["id"], context="watch")
    assert editor.wait_for("response", "evaluate")["result"] == "True"


def test_pdb_runs_an_app(daemon: ScriptedDaemon, counter: Path) -> None:
    commands = f"b counter/main.py:{BREAKPOINT}\nc\np count\nq\n"
    result = subprocess.run(
        [sys.executable, "-m", "pdb", "-m", "counter.main"],
        cwd=counter,
        input=commands,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert "(Pdb) 42" in result.stdout, result


@pytest.mark.parametrize("address", ["127.0.0.1:many", "127.0.0.1:{port}"])
def test_an_app_runs_without_its_debugger(
    daemon: ScriptedDaemon, start_app: StartApp, counter: Path, free_port: int, address: str
) -> None:
    with socket.create_server(("127.0.0.1", free_port)):
        app = start_app("counter.main", folder=counter, **{VARIABLE: address.format(port=free_port)})
        assert "no debugger can attach" in next_line(app.stderr)
        assert app.poll() is None


def test_without_debugpy_the_message_says_how_to_get_it(counter: Path) -> None:
    script = """
        import sys; sys.modules['debugpy'] = None
        from robot_sdk.app.debugging import listen_for_debugger
        listen_for_debugger()
    """
    code, _, errors = run_python(script, **{VARIABLE: "127.0.0.1:5678"})
    assert code == 0
    assert f"{sys.executable} -m pip install debugpy" in errors
