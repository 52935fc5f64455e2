"""The web page of an app: its FastAPI application, and the server that runs beside `run()`."""

from __future__ import annotations

import importlib.util
import socket
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

LOOPBACK = "127.0.0.1"
# Names that mean "this machine" to an author; only on a wireless robot other machines may come in.
LOCAL_HOSTS = {"localhost", LOOPBACK, "0.0.0.0"}
# FastAPI's import must not be cut off by the end of the interpreter; it takes a third of a second.
END_S = 5.0


def create_settings_app(static: Path) -> FastAPI:
    """Makes an application that serves the files of `static`, index.html at /, beneath the routes it is given later.

    The files answer at `/style.css` and at `/static/style.css` alike.
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

    # A mount at / would hide the routes that run() declares after it.
    app.router.default = serve
    return app


class SettingsServer:
    """Serves an application on the port of a URL until closed."""

    def __init__(self, url: str, wireless: bool, create: Callable[[], FastAPI]) -> None:
        """Takes the port at once; imports FastAPI and serves in a thread, so that the robot can move meanwhile.

        Args:
            url: As `http://localhost:8042`.
            wireless: Serve the whole network instead of the URL's host.
            create: Makes the application, called in the thread.

        Raises:
            ValueError: The URL has no host or port.
            ImportError: FastAPI or uvicorn is missing.
            OSError: The port is taken; the text says what to do.
        """
        host, port = _address(url, wireless)
        for module in ("fastapi", "uvicorn"):
            if importlib.util.find_spec(module) is None:
                raise ImportError(f"custom_app_url needs {module}: pip install 'robot-sdk[web]'")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            raise OSError(
                f"the port of custom_app_url {url} cannot be used ({error.strerror} on {host}:{port}): "
                "stop the program that holds it, or choose another port"
            ) from None
        self.address = (host, port)
        self._create = create
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="robot-sdk-settings", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and frees the port, without waiting for open requests."""
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

        config = uvicorn.Config(app, lifespan="off", log_config=None, log_level="warning", access_log=False)
        serving = asyncio.create_task(uvicorn.Server(config).serve(sockets=[self._socket]))
        await asyncio.to_thread(self._ending.wait)
        # The server's own way to end polls and waits for 0.1 s each, which every stop of an app would take longer.
        serving.cancel()


def _address(url: str, wireless: bool) -> tuple[str, int]:
    """The host and port to listen on."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ValueError(f"custom_app_url is {url!r}: it must be None or a URL with a port, as http://localhost:8042")
    if wireless:
        return "0.0.0.0", port
    return (LOOPBACK if host in LOCAL_HOSTS else host), port
