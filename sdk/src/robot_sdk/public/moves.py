"""Gives apps the public libraries of recorded moves where the hub cannot be reached.

Many apps load the emotions or the dances while they are imported, with the public SDK or with `huggingface_hub`
itself. On the robot they are always there, because its daemon has fetched them before.
"""

from __future__ import annotations

import functools
import logging
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from robot_sdk.public.own_moves import LIBRARIES, write_libraries

# Written by the build of robot-sdk.
INSTALLED = Path(__file__).parent / "moves"
ROUTES = Path("/proc/net/route")

log = logging.getLogger(__name__)


def adapt(module: ModuleType) -> None:
    """Lets `snapshot_download` find the libraries of moves; everything else is fetched as before.

    Args:
        module: The module of `huggingface_hub` with that function.
    """
    download = module.snapshot_download

    @functools.wraps(download)
    def download_or_stand_in(repo_id: str, *args: Any, **options: Any) -> Any:
        if repo_id not in LIBRARIES or options.get("repo_type") != "dataset":
            return download(repo_id, *args, **options)
        is_online = _has_route()
        is_local = bool(options.get("local_files_only"))
        try:
            return download(repo_id, *args, **{**options, "local_files_only": is_local or not is_online})
        except Exception as error:
            fetched = _fetched_by_daemon(repo_id)
            if fetched is not None:
                return str(fetched)
            if is_local and is_online:
                # The caller fetches it next.
                raise
            log.warning(
                "%s cannot be fetched (%s): robot-sdk's own moves stand in for it.", repo_id, type(error).__name__
            )
            return str(_stand_in(repo_id))

    module.snapshot_download = download_or_stand_in  # type: ignore[attr-defined]


def _has_route() -> bool:
    """Whether this machine has a network besides its loopback; true where that cannot be told."""
    try:
        lines = ROUTES.read_text().splitlines()[1:]
    except OSError:
        return True
    return len(lines) > 0 or _has_ipv6_route()


def _has_ipv6_route() -> bool:
    try:
        lines = ROUTES.with_name("ipv6_route").read_text().splitlines()
    except OSError:
        return False
    return any(not line.split()[-1].startswith("lo") for line in lines)


def _fetched_by_daemon(library: str) -> Path | None:
    """The folder of a library that the daemon has fetched, in its data folder beside the environment; None without."""
    environment = Path(sys.prefix)
    folders = [parent / "moves" / library for parent in (environment.parent, environment.parent.parent)]
    return next((folder for folder in folders if folder.is_dir()), None)


def _stand_in(library: str) -> Path:
    if (INSTALLED / library).is_dir():
        return INSTALLED / library
    # Run from its sources, without a build.
    folder = Path(tempfile.mkdtemp(prefix="robot-sdk-moves-"))
    write_libraries(folder)
    return folder / library
