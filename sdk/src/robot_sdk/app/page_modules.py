"""Imports all that an app's page needs, for `robot_sdk.app.warm_start`.

FastAPI and uvicorn import parts of themselves when a route is declared and when the server begins; so that these are
imported, too, this module declares a route of an application and loads a server's configuration.
"""

from pathlib import Path

import uvicorn

from robot_sdk.app.settings_page import create_settings_app

_app = create_settings_app(Path(__file__).parent)


@_app.get("/{value}")
def _get_value(value: int) -> dict[str, int]:
    return {"value": value}


uvicorn.Config(_app, lifespan="off", log_config=None, access_log=False).load()
