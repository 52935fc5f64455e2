"""The web page of an app, over real HTTP."""

import signal
import socket
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from conftest import App, StartApp, finish, next_line
from robot_sdk.app.settings_page import SettingsServer, create_settings_app
from scripted_daemon import DEADLINE_S, STATUS, ScriptedDaemon


def started(app: App) -> App:
    assert next_line(app.stdout) == "routes declared\n"
    return app


def test_serves_the_page_and_the_routes_and_closes_the_port(
    daemon: ScriptedDaemon, start_app: StartApp, free_port: int
) -> None:
    url = f"http://localhost:{free_port}"
    app = started(start_app("paged.main", PAGE_URL=url))
    with httpx.Client(base_url=url, timeout=DEADLINE_S) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert "the page" in page.text
        assert client.get("/style.css").text == client.get("/static/style.css").text == "p { color: teal }\n"
        assert page.headers["cache-control"] == client.get("/style.css").headers["cache-control"] == "no-store"
        assert client.post("/greet/you").json() == {"status": "hello you"}
        assert client.get("/nothing").status_code == 404
        assert client.get("/../main.py").status_code == 404
        app.send_signal(signal.SIGINT)
        assert finish(app) == (0, "", "")
    with socket.create_server(("127.0.0.1", free_port)):
        pass


def test_the_robot_can_move_before_the_page_is_there(
    daemon: ScriptedDaemon, start_app: StartApp, free_port: int
) -> None:
    app = start_app("paged.main", PAGE_URL=f"http://localhost:{free_port}")
    daemon.received("set_full_target")
    app.send_signal(signal.SIGINT)
    code, _, errors = finish(app)
    assert (code, errors) == (0, "")


def test_a_port_in_use_is_an_error_at_once(daemon: ScriptedDaemon, start_app: StartApp) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://localhost:{other.getsockname()[1]}"
        code, output, errors = finish(start_app("paged.main", PAGE_URL=url))
    assert (code, output) == (1, "")
    assert errors.startswith(f"the port of custom_app_url {url} cannot be used (Address already in use")
    assert "stop the program that holds it, or choose another port" in errors
    assert "set_full_target" not in daemon.kinds()


@pytest.mark.parametrize("url", ["http://localhost", "8042", "http://localhost:page", "http://localhost:99999"])
def test_a_url_without_a_port_is_refused(daemon: ScriptedDaemon, start_app: StartApp, url: str) -> None:
    code, _, errors = finish(start_app("paged.main", PAGE_URL=url))
    assert code == 1
    advice = "it must be None or a URL with a port, for example http://localhost:8042"
    assert errors == f"custom_app_url is '{url}': {advice}\n"


@pytest.mark.parametrize(
    ("host", "wireless", "listens_on"),
    [
        ("localhost", False, "127.0.0.1"),
        ("0.0.0.0", False, "127.0.0.1"),
        ("127.0.0.1", False, "127.0.0.1"),
        ("localhost", True, "0.0.0.0"),
    ],
)
def test_only_a_wireless_robot_serves_the_network(
    free_port: int, tmp_path: Path, host: str, wireless: bool, listens_on: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", "secret")
    url = f"http://{host}:{free_port}"
    with closing(SettingsServer(url, wireless, lambda: create_settings_app(tmp_path))) as server:
        assert server.address == (listens_on, free_port)


def test_a_wireless_robot_serves_its_page_to_the_network(
    daemon: ScriptedDaemon, start_app: StartApp, free_port: int
) -> None:
    daemon.repeated[2] = {**STATUS, "wireless_version": True}
    started(start_app("paged.main", PAGE_URL=f"http://localhost:{free_port}", ROBOT_DAEMON_TOKEN="secret"))
    with pytest.raises(OSError, match="in use"):
        socket.create_server(("0.0.0.0", free_port))
    listening = Path("/proc/net/tcp").read_text()
    assert f"00000000:{free_port:04X}" in listening


def test_a_missing_page_is_reported(
    tmp_path: Path, daemon: ScriptedDaemon, start_app: StartApp, free_port: int
) -> None:
    source = Path(__file__).parent / "apps" / "paged" / "main.py"
    (tmp_path / "bare.py").write_text(source.read_text())
    app = started(start_app("bare", folder=tmp_path, PAGE_URL=f"http://localhost:{free_port}"))
    app.send_signal(signal.SIGINT)
    code, _, errors = finish(app)
    assert code == 0
    assert "static/index.html: is static/ listed as package data?" in errors
