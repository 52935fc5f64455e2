"""The settings of the page, in a file that only its owner can read; their defaults come from the environment."""

import json
import logging
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

logger = logging.getLogger(__name__)

PUBLIC_SERVER = "https://api.openai.com/v1"
PROVIDERS = ("language", "transcription", "speech")
MODELS = {"language": "gpt-4o-mini", "transcription": "whisper-1", "speech": "tts-1"}

INSTRUCTIONS = (
    "You are a small, friendly desktop robot with a head that moves and two antennas. "
    "Answer in one or two short spoken sentences, and use your tools to show what you mean."
)


@dataclass(frozen=True)
class Provider:
    """A server with OpenAI-style endpoints."""

    url: str = ""
    """Without a slash at the end; empty for that of the language model."""
    key: str = ""
    model: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether there is a key, or another server than the public one, which may need none."""
        return bool(self.key) or self.url != PUBLIC_SERVER


def _default(name: str, environment: Mapping[str, str]) -> Provider:
    """A provider's settings from the environment, for example CONVERSATION_SPEECH_URL, _KEY and _MODEL."""
    prefix = f"CONVERSATION_{name.upper()}_"
    url = environment.get(f"{prefix}URL", "").rstrip("/") or (PUBLIC_SERVER if name == "language" else "")
    key = environment.get(f"{prefix}KEY", "")
    if not key and name == "language" and url == PUBLIC_SERVER:
        key = environment.get("OPENAI_API_KEY", "")
    return Provider(url, key, environment.get(f"{prefix}MODEL") or MODELS[name])


@dataclass(frozen=True)
class Settings:
    """Three providers, which may be three servers, and how the robot uses them."""

    language: Provider = field(default_factory=lambda: Provider(PUBLIC_SERVER, "", MODELS["language"]))
    transcription: Provider = field(default_factory=lambda: Provider("", "", MODELS["transcription"]))
    speech: Provider = field(default_factory=lambda: Provider("", "", MODELS["speech"]))
    voice: str = "alloy"
    instructions: str = INSTRUCTIONS

    @classmethod
    def defaults(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings without a file."""
        language, transcription, speech = (_default(name, environment) for name in PROVIDERS)
        return cls(language, transcription, speech, environment.get("CONVERSATION_VOICE", "alloy"))

    @property
    def is_ready(self) -> bool:
        """Whether the robot can hold a conversation: it can transcribe and think. Without a voice it chirps."""
        return self.language.is_usable and self.provider("transcription").is_usable

    def provider(self, name: str) -> Provider:
        """A provider as it is used: one without an address uses the server and the key of the language model."""
        given: Provider = getattr(self, name)
        return given if given.url else replace(given, url=self.language.url, key=self.language.key)


class Store:
    """The settings and their file."""

    def __init__(self, file: Path, environment: Mapping[str, str] = os.environ) -> None:
        """Reads the file; defaults replace what is missing or cannot be read."""
        self._file = file
        self.settings = _read(file, Settings.defaults(environment))

    def change(self, given: Mapping[str, str]) -> None:
        """Changes and saves settings.

        An empty key keeps the key. A key belongs to its server, so another server does not get it.

        Args:
            given: Fields of the page: language_url, language_key, language_model and so on, voice and instructions.

        Raises:
            ValueError: An unknown field, or an invalid address.
            OSError: The file cannot be written.
        """
        fields = {name: value.strip() for name, value in given.items()}
        known = {f"{name}_{part}" for name in PROVIDERS for part in ("url", "key", "model")} | {"voice", "instructions"}
        if unknown := fields.keys() - known:
            raise ValueError(f"there is no setting {', '.join(sorted(unknown))}")
        changed: dict[str, Any] = {name: _changed(getattr(self.settings, name), name, fields) for name in PROVIDERS}
        changed |= {name: fields[name] for name in ("voice", "instructions") if name in fields}
        self._save(replace(self.settings, **changed))

    def remove_key(self, name: str) -> None:
        """Removes the key of a provider, from the file too. Raises ValueError for an unknown provider."""
        if name not in PROVIDERS:
            raise ValueError(f"there is no provider {name!r}; there are {', '.join(PROVIDERS)}")
        changed: dict[str, Any] = {name: replace(getattr(self.settings, name), key="")}
        self._save(replace(self.settings, **changed))

    def shown(self) -> dict[str, str | bool]:
        """The settings for the page, which shows whether there is a key, but not the key."""
        shown: dict[str, str | bool] = {"voice": self.settings.voice, "instructions": self.settings.instructions}
        for name in PROVIDERS:
            provider: Provider = getattr(self.settings, name)
            shown |= {f"{name}_url": provider.url, f"{name}_model": provider.model}
            shown[f"{name}_has_key"] = bool(provider.key)
        return shown

    def _save(self, settings: Settings) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        # A temporary file is readable by its owner alone, and replaces the former file as a whole.
        with tempfile.NamedTemporaryFile("w", dir=self._file.parent, encoding="utf-8", delete=False) as temporary:
            json.dump(asdict(settings), temporary, indent=2)
        Path(temporary.name).replace(self._file)
        self.settings = settings


def settings_file() -> Path:
    """The path of the file: `$XDG_CONFIG_HOME/template_app/settings.json`, or in `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "template_app" / "settings.json"


def _changed(provider: Provider, name: str, fields: Mapping[str, str]) -> Provider:
    url = _address(fields.get(f"{name}_url", provider.url), name)
    stays = _origin(url) == _origin(provider.url)
    key = fields.get(f"{name}_key") or (provider.key if stays else "")
    # Without an address of its own, the provider uses the key of the language model.
    return Provider(url, key if url else "", fields.get(f"{name}_model") or provider.model)


def _read(file: Path, defaults: Settings) -> Settings:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        read: dict[str, Any] = {name: _provider(kept.get(name), getattr(defaults, name)) for name in PROVIDERS}
        read |= {name: kept[name] for name in ("voice", "instructions") if isinstance(kept.get(name), str)}
        return replace(defaults, **read)
    except FileNotFoundError:
        return defaults
    except (OSError, ValueError, AttributeError) as error:
        logger.warning("%s cannot be read (%s): using the default settings", file, error)
        return defaults


def _provider(kept: Any, default: Provider) -> Provider:
    given = kept if isinstance(kept, dict) else {}
    return replace(default, **{name: given[name] for name in asdict(default) if isinstance(given.get(name), str)})


def _address(text: str, name: str) -> str:
    """An address without a slash at the end; empty is allowed for the server of the language model."""
    address = text.rstrip("/")
    if not address and name != "language":
        return ""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise ValueError(f"{text!r} is not the address of a server: use one like {PUBLIC_SERVER}")
    return address


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc
