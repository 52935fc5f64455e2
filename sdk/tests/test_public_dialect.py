"""Apps of the public SDK in virtual time: its connection is written out here.

`npm run lab -- virtual-time FOLDER` runs apps with the SDK itself.
"""

from __future__ import annotations

import pytest

from conftest import StartTested
from robot_sdk.testing import AppFailedError

CONNECTS = """
    import json, threading, time, urllib.error, urllib.request
    import websockets.exceptions
    import websockets.sync.client as client

    def connect(host):
        return client.connect(f"ws://{host}:8000/ws/sdk", compression=None, additional_headers=%s)
"""
"""As the SDK does; until 1.9 without the header."""
HEADERS = ({"X-Reachy-Client": "python_sdk/1.13.0 (linux)"}, None)

MOVES = """
    socket = connect("localhost")
    status, touches, done = {}, [], threading.Event()
    def receive():
        for text in socket:
            message = json.loads(text)
            if message["type"] == "daemon_status": status.update(message)
            if message["type"] == "antenna_touched": touches.append(message)
            if message["type"] == "task_progress" and message["finished"]: done.set()
        print("closed")
    thread = threading.Thread(target=receive)
    thread.start()
    request = {"head": None, "antennas": [0.5, -0.5], "duration": 1.0, "method": "minjerk", "body_yaw": None}
    socket.send(json.dumps({"type": "task", "uuid": "u", "timestamp": "2020-01-01", "req": request}))
    done.wait()
    print("arrived", round(time.monotonic(), 1), status["version"])
    time.sleep(1)
    socket.close()
    thread.join()
    print(touches)
    try: socket.send("{}")
    except websockets.exceptions.ConnectionClosed: print("end")
"""


@pytest.mark.parametrize("headers", HEADERS)
def test_a_client_of_the_public_sdk_speaks_its_protocol(
    start_tested: StartTested, headers: dict[str, str] | None
) -> None:
    tested = start_tested(CONNECTS % headers + MOVES)
    tested.advance(1.2)
    assert tested.log == "arrived 1.0 None\n"
    assert tested.antennas.right.now == pytest.approx(28.6, abs=1)
    tested.touch("left")
    tested.advance(1.0)
    # Its protocol has no message for a touch.
    assert tested.log.splitlines()[1:] == ["closed", "[]", "end"]
    assert tested.exit_code == 0
    assert tested.real_time_because is None


def test_requests_to_the_daemon_are_answered_by_the_robot_of_the_test(start_tested: StartTested) -> None:
    tested = start_tested("""
        import http.client, json, os, socket, time, urllib.error, urllib.request
        socket.create_connection(("127.0.0.1", 8000), timeout=0.5).close()
        def call(path, body=None):
            data = None if body is None else json.dumps(body).encode()
            return json.load(urllib.request.urlopen(urllib.request.Request("http://localhost:8000" + path, data)))
        assert urllib.request.urlopen(os.environ["ROBOT_DAEMON_URL"] + "/healthz").status == 200
        print(call("/api/media/release", {}), call("/api/daemon/status")["media_released"])
        call("/api/move/goto", {"antennas": [0.5, 0.5], "duration": 1})
        time.sleep(1.2)
        print([round(each, 1) for each in call("/api/state/present_antenna_joint_positions")])
        try: call("/api/apps/stop-current-app", {})
        except urllib.error.HTTPError as error: print(error.code, json.load(error)["detail"].partition(":")[0])
        # One connection for several requests.
        daemon = http.client.HTTPConnection("localhost", 8000)
        for path in ("/api/volume/current", "/api/move/running?x=1"):
            daemon.request("GET", path)
            print(daemon.getresponse().read().decode())
    """)
    tested.advance(2.0)
    assert tested.log.splitlines() == [
        "{'status': 'ok'} True",
        "[0.5, 0.5]",
        "404 The robot of a test has no POST /api/apps/stop-current-app",
        '{"volume":100,"device":"test","platform":"test"}',
        "[]",
    ]
    assert tested.real_time_because is None


def test_time_goes_on_while_the_app_sends_one_request_after_the_other(start_tested: StartTested) -> None:
    tested = start_tested("""
        import time, urllib.request
        while time.monotonic() < 0.2: urllib.request.urlopen("http://localhost:8000/api/daemon/status").read()
        print("done")
    """)
    tested.advance(0.3)
    assert tested.log == "done\n"
    assert tested.real_time_because is None


def test_the_daemon_cannot_be_reached_while_the_app_is_disconnected(start_tested: StartTested) -> None:
    tested = start_tested("""
        import socket, time
        time.sleep(1)
        try: socket.create_connection(("localhost", 8000))
        except ConnectionRefusedError as error: print(error)
    """)
    tested.advance(0.5)
    tested.disconnect(3)
    tested.advance(1)
    assert tested.log.splitlines()[-1] == "the test has disconnected the app"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("import nothing_of_this_name", None),
        (
            "raise ModuleNotFoundError(\"No module named 'gi'\", name='gi')",
            "[PyGObject, which the app's SDK needs, is not installed: apt install ",
        ),
        (
            "print('libGL.so.1: cannot open shared object file'); raise SystemExit(1)",
            "[This machine lacks libGL.so.1: ",
        ),
        (
            "raise ValueError('Namespace Gst not available')",
            "[GStreamer, which the app's SDK loads, is not installed: apt install ",
        ),
    ],
)
def test_a_library_of_the_system_that_the_sdk_lacks_is_named(
    start_tested: StartTested, body: str, what: str | None
) -> None:
    tested = start_tested(body)
    with pytest.raises(AppFailedError, match="exit code 1"):
        tested.advance(0.1)
    assert ("apt install" in tested.log) == (what is not None)
    assert what is None or what in tested.log
