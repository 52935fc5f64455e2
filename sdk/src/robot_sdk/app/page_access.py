"""Which requests an app's web page accepts: the rules of the daemon's own pages (docs/security.md)."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Collection
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "robot_token"
# A Host header: a name, an IPv4 address or an IPv6 address in brackets, with an optional port; RFC 9110, section 7.2.
HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:/?#@\[\]]+))(?::\d{1,5})?")
# Code with which a refused WebSocket is closed; RFC 6455, section 7.4.1.
POLICY_VIOLATION = 1008

TOKEN_PAGE = (
    "This page needs the robot's token. Open the robot's dashboard by the link that `robot-daemon link` shows, "
    "and then this page again; programs send `Authorization: Bearer TOKEN`.\n"
)


@dataclass(frozen=True)
class PageAccess:
    """The rules of one page.

    Attributes:
        network: Whether other machines may open the page; then IP addresses and the machine's names are allowed hosts.
        token: The daemon's token, which every request needs; None for none.
        hosts: Further allowed host names.
    """

    network: bool
    token: str | None
    hosts: Collection[str] = ()

    def refusal(self, headers: dict[str, str], method: str) -> tuple[int, str] | None:
        """The HTTP status and message with which a request is refused; None when it is accepted.

        Args:
            headers: By lower-case name.
            method: For example GET.
        """
        host = headers.get("host", "")
        if not self._is_allowed_host(host):
            return 421, f"The Host header is {host!r}; this page is at localhost or a name in custom_app_hosts.\n"
        if _is_of_another_site(headers, host, method):
            return 403, "A page of another site may not use this page.\n"
        if self.token is not None and not hmac.compare_digest(_token_of(headers).encode(), self.token.encode()):
            return 401, TOKEN_PAGE
        return None

    def _is_allowed_host(self, host: str) -> bool:
        """DNS rebinding needs a name that the attacker controls, so known names and IP addresses are safe."""
        match = HOST.fullmatch(host)
        name = (match[1] or match[2]).lower().rstrip(".") if match else ""
        if not name or name == "localhost":
            return bool(name)
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            known = {each.lower() for each in self.hosts}
            return name in known or (self.network and name in _machine_names())
        return address.is_loopback or self.network


class GuardedPage:
    """An ASGI application that answers only the requests that `PageAccess` accepts."""

    def __init__(self, app: ASGIApp, access: PageAccess) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request or a WebSocket, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        repeated = False
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            repeated = repeated or (key in headers and key in ("host", "origin"))
            headers[key] = f"{headers[key]}; {value.decode('latin-1')}" if key in headers else value.decode("latin-1")
        refusal = (400, "Send one Host header.\n") if repeated else None
        refusal = refusal or self._access.refusal(headers, scope.get("method", "GET"))
        if refusal is None:
            await self._app(scope, receive, _uncached(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            await _refuse(send, *refusal)


def _uncached(send: Send) -> Send:
    """Sends responses that no browser keeps, unless the app says otherwise: another app may have the same address."""

    async def uncached(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            if all(name.lower() != b"cache-control" for name, _ in headers):
                message = {**message, "headers": [*headers, (b"cache-control", b"no-store")]}
        await send(message)

    return uncached


async def _refuse(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _is_of_another_site(headers: dict[str, str], host: str, method: str) -> bool:
    """Origin and Sec-Fetch-Site are sent by browsers only, and a page cannot change them."""
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
        return True
    site = headers.get("sec-fetch-site", "none")
    # A person who follows a link opens a page of their own, which the linking site cannot read.
    is_link = (method, headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("GET", "navigate", "document")
    return site not in ("same-origin", "none") and not is_link


def _token_of(headers: dict[str, str]) -> str:
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return bearer.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if cookie is None else cookie.value


def _machine_names() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
