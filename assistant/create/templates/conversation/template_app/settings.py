"""What the settings page sets, kept in a file that only its owner can read."""

import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

logger = logging.getLogger(__name__)

PUBLIC_SERVER = "https://api.openai.com/v1"


@dataclass(frozen=True)
class Settings:
    """A server with OpenAI-style endpoints, and how the robot uses it."""

    server_url: str = PUBLIC_SERVER
    api_key: str = ""
    chat_model: str = "gpt-4o-mini"
    hearing_model: str = "whisper-1"
    speech_model: str = "tts-1"
    voice: str = "alloy"
    instructions: str = (
        "You are a small, friendly desktop robot with a head that moves and two antennas. "
        "Answer in one or two short spoken sentences, and use your tools to show what you mean."
    )

    @property
    def ready(self) -> bool:
        """Whether there is somebody to talk to: a key, or a server of one's own, which may need none."""
        return bool(self.api_key) or self.server_url != PUBLIC_SERVER


class Store:
    """The settings of a file, and the file of the settings."""

    def __init__(self, file: Path) -> None:
        """Reads the file; what is missing, or cannot be read, is as usual."""
        self._file = file
        self.settings = _read(file)

    def change(self, given: dict[str, str]) -> None:
        """Takes what the page sends, and keeps it.

        An empty key leaves the key as it is. A key belongs to its server: another server does not get it.

        Raises:
            ValueError: An unknown field, or an address that is none.
            OSError: The file cannot be written.
        """
        fields = {name: value.strip() for name, value in given.items()}
        unknown = fields.keys() - asdict(self.settings).keys()
        if unknown:
            raise ValueError(f"there is no setting {', '.join(sorted(unknown))}")
        fields["server_url"] = _address(fields.get("server_url", self.settings.server_url))
        if not fields.get("api_key"):
            stays = _origin(fields["server_url"]) == _origin(self.settings.server_url)
            fields["api_key"] = self.settings.api_key if stays else ""
        settings = replace(self.settings, **fields)
        self._write(settings)
        self.settings = settings

    def forget_key(self) -> None:
        """Takes the key away, from the file too."""
        settings = replace(self.settings, api_key="")
        self._write(settings)
        self.settings = settings

    def shown(self) -> dict[str, str | bool]:
        """The settings for the page, which is told whether there is a key, but not which."""
        fields = asdict(self.settings)
        return {**fields, "api_key": "", "has_key": bool(fields["api_key"])}

    def _write(self, settings: Settings) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        # Such a file is readable by its owner alone, and takes the other's place as a whole.
        with tempfile.NamedTemporaryFile("w", dir=self._file.parent, encoding="utf-8", delete=False) as beside:
            json.dump(asdict(settings), beside, indent=2)
        Path(beside.name).replace(self._file)


def settings_file() -> Path:
    """Where the settings are kept: `$XDG_CONFIG_HOME/template_app/settings.json`, or in `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "template_app" / "settings.json"


def _read(file: Path) -> Settings:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        known = asdict(Settings()).keys()
        return Settings(**{name: value for name, value in kept.items() if name in known and isinstance(value, str)})
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, AttributeError) as error:
        logger.warning("%s cannot be read (%s): starting with the usual settings", file, error)
        return Settings()


def _address(text: str) -> str:
    """An address without a slash at the end."""
    address = text.rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise ValueError(f"{text!r} is no address of a server: it must look like {PUBLIC_SERVER}")
    return address


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc
