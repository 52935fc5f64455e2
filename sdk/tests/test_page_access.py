"""An app's page refuses other sites' pages, and on a network requests without the token: over real HTTP."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import pytest
from fastapi import FastAPI, WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from robot_sdk.app.settings_page import SettingsServer
from scripted_daemon import DEADLINE_S

TOKEN = "secret-of-the-robot"


def create() -> FastAPI:
    app = FastAPI()

    @app.get("/transcript")
    def transcript() -> dict[str, str]:
        return {"heard": "private"}

    @app.post("/settings")
    def settings() -> dict[str, str]:
        return {"status": "changed"}

    @app.websocket("/live")
    async def live(page: WebSocket) -> None:
        await page.accept()
        await page.send_text("private")
        await page.close()

    return app


@contextmanager
def page(port: int, *, wireless: bool = False, hosts: tuple[str, ...] = ()) -> Iterator[httpx.Client]:
    transport = httpx.HTTPTransport(retries=5)
    with (
        closing(SettingsServer(f"http://localhost:{port}", wireless, create, hosts)),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=DEADLINE_S) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_DAEMON_TOKEN", raising=False)


def test_a_rebound_name_is_refused_and_names_of_this_machine_are_accepted(free_port: int) -> None:
    with page(free_port, hosts=("robot.lan",)) as client:
        for host in ("evil.example", f"evil.example:{free_port}", "localhost.evil.example", "", "192.168.1.7", "a b"):
            assert client.get("/transcript", headers={"host": host}).status_code in (400, 421), host
        for host in (f"localhost:{free_port}", f"127.0.0.1:{free_port}", "[::1]", "LOCALHOST.", "robot.lan:80"):
            response = client.get("/transcript", headers={"host": host})
            assert (response.status_code, response.json()) == (200, {"heard": "private"}), host


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    ],
)
def test_a_page_of_another_site_is_refused(free_port: int, headers: dict[str, str]) -> None:
    with page(free_port) as client:
        assert client.get("/transcript", headers=headers).status_code == 403
        assert client.post("/settings", headers=headers).status_code == 403


def test_the_own_page_and_links_to_it_are_accepted(free_port: int) -> None:
    with page(free_port) as client:
        own = {"origin": f"http://127.0.0.1:{free_port}", "sec-fetch-site": "same-origin"}
        assert client.post("/settings", headers=own).status_code == 200
        link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
        assert client.get("/transcript", headers=link).status_code == 200


def test_two_host_headers_are_refused(free_port: int) -> None:
    with page(free_port) as client:
        assert client.get("/transcript").status_code == 200
        with socket.create_connection(("127.0.0.1", free_port)) as connection:
            connection.sendall(b"GET /transcript HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
            assert b" 400 " in connection.recv(1000).splitlines()[0]


def test_web_sockets_are_guarded_too(free_port: int) -> None:
    with page(free_port) as client:
        assert client.get("/transcript").status_code == 200
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{free_port}/live", origin="http://evil.example", open_timeout=DEADLINE_S)  # type: ignore[arg-type]
        with connect(f"ws://127.0.0.1:{free_port}/live", open_timeout=DEADLINE_S) as live:
            assert live.recv() == "private"


def test_on_a_network_every_request_needs_the_token(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", TOKEN)
    with page(free_port, wireless=True) as client:
        refused = client.get("/transcript")
        assert refused.status_code == 401
        assert "robot-daemon link" in refused.text
        for headers in (
            {"authorization": "Bearer wrong"},
            {"cookie": "robot_token=wrong"},
            {"cookie": "robot_token="},
            {"authorization": TOKEN},
            {"cookie": 'robot_token="'},
        ):
            assert client.get("/transcript", headers=headers).status_code == 401
        for headers in (
            {"authorization": f"Bearer {TOKEN}"},
            {"cookie": f"theme=dark; robot_token={TOKEN}"},
            {"authorization": f"bearer {TOKEN}", "host": "192.168.1.7:8042"},
            {"authorization": f"Bearer {TOKEN}", "host": socket.gethostname()},
            {"authorization": f"Bearer {TOKEN}", "host": f"{socket.gethostname()}.local"},
        ):
            assert client.get("/transcript", headers=headers).status_code == 200, headers
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{free_port}/live", open_timeout=DEADLINE_S)


def test_a_wireless_robot_without_a_known_token_serves_this_machine_only(free_port: int) -> None:
    with closing(SettingsServer(f"http://localhost:{free_port}", True, create)) as server:
        assert server.address == ("127.0.0.1", free_port)
