"""The daemon's address, and the reasons for which it cannot be reached."""

import os
import re

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Response

DEFAULT_URL = "http://127.0.0.1:8000"
# The part of a server's answer that a message shows.
SHOWN_BYTES = 300
# HTTP status codes of a missing token, a refused host or origin, and an unknown address.
REFUSALS = (401, 403, 404, 421)

HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^\s/:@?#]+)(:[0-9]{1,5})?")


def socket_url(url: str | None) -> str:
    """The address of a daemon's SDK socket; `ROBOT_DAEMON_URL` or the local daemon when `url` is None.

    Raises:
        ValueError: The address does not start with http://, https://, ws:// or wss://, or has no valid host.
    """
    base = url or os.environ.get("ROBOT_DAEMON_URL") or DEFAULT_URL
    scheme, separator, rest = base.partition("://")
    schemes = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
    host = rest.rstrip("/").removesuffix("/ws/sdk")
    if not separator or scheme not in schemes or not HOST_AND_PORT.fullmatch(host):
        origin = "url" if url else "ROBOT_DAEMON_URL"
        raise ValueError(f"{origin} is {base!r}, which is not the address of a daemon: use one like {DEFAULT_URL}")
    return f"{schemes[scheme]}://{host}/ws/sdk"


def is_refusal(error: Exception) -> bool:
    """Whether the daemon refused the connection, so that another attempt would fail too."""
    return isinstance(error, InvalidStatus) and error.response.status_code in REFUSALS


def is_drop(error: Exception) -> bool:
    """Whether a server took the connection and dropped it, as a daemon does that ends or loses its network."""
    if isinstance(error, ConnectionClosed):
        return error.rcvd is None
    return isinstance(error, (ConnectionResetError, EOFError)) or isinstance(error.__cause__, EOFError)


def explain_failure(url: str, error: Exception, has_token: bool, was_connected: bool, outage: float) -> str:
    """Why there is no connection, with the next step.

    Args:
        url: The address of the socket.
        error: The last error.
        has_token: Whether a token was sent.
        was_connected: Whether the connection was established before.
        outage: Seconds after which a connection counts as lost.
    """
    start = "start one with `robot-daemon --sim`"
    status = error.response.status_code if isinstance(error, InvalidStatus) else 0
    if isinstance(error, InvalidStatus) and (status == 401 or (status >= 400 and not was_connected)):
        return _explain_refusal(url, error.response, has_token)
    if was_connected:
        reason = "it sends nothing" if isinstance(error, TimeoutError) else error
        return f"lost the daemon at {url} for {outage:g} s ({reason}): {start}, then run this again"
    if isinstance(error, OSError) and not isinstance(error, TimeoutError):
        return f"no daemon at {url}: {start}, or set ROBOT_DAEMON_URL ({error.strerror or error})"
    return f"{url} does not answer like a robot-daemon ({error}): check ROBOT_DAEMON_URL"


def _explain_refusal(url: str, response: Response, has_token: bool) -> str:
    if response.status_code == 401:
        fault = "refuses the token in ROBOT_DAEMON_TOKEN" if has_token else "requires its token"
        return f"the daemon at {url} {fault}: `robot-daemon link` on the robot shows it; set ROBOT_DAEMON_TOKEN"
    text = bytes(response.body or b"")[:SHOWN_BYTES].decode(errors="replace").strip()
    if response.status_code == 404:
        return f"{url} has no SDK socket ({text or 404}): check ROBOT_DAEMON_URL; no robot-daemon runs there"
    return f"the daemon at {url} refuses the connection with {response.status_code}: {text}"
