"""The web page of an app: its FastAPI application, and the server that runs during `run()`."""

from __future__ import annotations

import importlib.util
import os
import socket
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from robot_sdk.app.page_access import GuardedPage, PageAccess

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

LOOPBACK = "127.0.0.1"
# Names by which authors mean this machine; other machines can connect to a wireless robot only.
LOCAL_HOSTS = {"localhost", LOOPBACK, "0.0.0.0"}
# FastAPI's import takes a third of a second, and the end of the interpreter must not interrupt it. Less than the five
# seconds after which the daemon kills an app.
END_S = 2.0


def create_settings_app(static: Path) -> FastAPI:
    """Creates an application that serves the files of `static`, index.html at /, below the routes that it gets later.

    A file is served at `/style.css` and at `/static/style.css`.
    """
    from fastapi import FastAPI
    from fastapi.staticfiles import StaticFiles

    app = FastAPI()
    if not static.is_dir():
        return app
    files = StaticFiles(directory=static, html=True)
    app.mount("/static", files)
    not_found = app.router.default

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await (files if scope["type"] == "http" else not_found)(scope, receive, send)

    # A mount at / would hide the routes that run() declares later.
    app.router.default = serve
    return app


class SettingsServer:
    """Serves an application on the port of a URL until closed."""

    def __init__(self, url: str, wireless: bool, create: Callable[[], FastAPI], hosts: Collection[str] = ()) -> None:
        """Opens the port immediately; imports FastAPI and serves in a thread, so that the robot can move meanwhile.

        Requests of other sites' pages are refused. On a wireless robot, requests without the daemon's token are refused
        too, and without a known token the page is served to this machine only.

        Args:
            url: For example `http://localhost:8042`.
            wireless: Whether to serve the network instead of the URL's host.
            create: Creates the application; called in the thread.
            hosts: Further host names by which browsers may open the page.

        Raises:
            ValueError: The URL has no host or port.
            ImportError: FastAPI or uvicorn is missing.
            OSError: The port is in use; the message says what to do.
        """
        token = os.environ.get("ROBOT_DAEMON_TOKEN") or None
        is_public = wireless and token is not None
        host, port = _address(url, is_public)
        for module in ("fastapi", "uvicorn"):
            if importlib.util.find_spec(module) is None:
                raise ImportError(f"custom_app_url needs {module}: pip install 'robot-sdk[web]'")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            # The daemon has looked who holds it.
            holder = os.environ.get("ROBOT_APP_PAGE_PORT_HOLDER") or "the program that holds it"
            raise OSError(
                f"the port of custom_app_url {url} cannot be used ({error.strerror} on {host}:{port}): "
                f"stop {holder}, or choose another port"
            ) from None
        self.address = (host, port)
        is_network = host not in ("localhost", "::1") and not host.startswith("127.")
        allowed = {host, *hosts} - {"0.0.0.0", "::"}
        self._access = PageAccess(is_network, token if is_public else None, allowed)
        self._create = create
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="robot-sdk-settings", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and closes the port, without waiting for open requests."""
        self._ending.set()
        self._thread.join(END_S)

    def _run(self) -> None:
        with self._socket:
            app = self._create()
            import asyncio

            asyncio.run(self._serve(app))

    async def _serve(self, app: FastAPI) -> None:
        import asyncio

        import uvicorn

        page = GuardedPage(app, self._access)
        config = uvicorn.Config(page, lifespan="off", log_config=None, log_level="warning", access_log=False)
        serving = asyncio.create_task(uvicorn.Server(config).serve(sockets=[self._socket]))
        await asyncio.to_thread(self._ending.wait)
        # The server's own shutdown polls and waits for 0.1 s each, which would delay every stop of an app.
        serving.cancel()


def _address(url: str, is_public: bool) -> tuple[str, int]:
    """The host and port to listen on."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ValueError(
            f"custom_app_url is {url!r}: it must be None or a URL with a port, for example http://localhost:8042"
        )
    # The daemon chooses another port for an app that nobody can change, when another program has its own.
    port = int(os.environ.get("ROBOT_APP_PAGE_PORT") or port)
    if is_public:
        return "0.0.0.0", port
    return (LOOPBACK if host in LOCAL_HOSTS else host), port
