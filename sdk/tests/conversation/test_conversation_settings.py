import json
import logging
from pathlib import Path

import pytest
from template_app.settings import PUBLIC_SERVER, Provider, Settings, Store, settings_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "app" / "settings.json"


def store(file: Path, **environment: str) -> Store:
    return Store(file, environment)


def test_starts_with_the_defaults_which_need_a_key(file: Path) -> None:
    assert store(file).settings == Settings()
    assert not Settings().is_ready
    assert Settings(language=Provider(PUBLIC_SERVER, "k", "m")).is_ready
    assert Settings(language=Provider("http://localhost:8080/v1", "", "m")).is_ready


def test_the_environment_sets_the_defaults(file: Path) -> None:
    settings = store(
        file,
        CONVERSATION_LANGUAGE_URL="http://one/v1/",
        CONVERSATION_LANGUAGE_KEY="a",
        CONVERSATION_LANGUAGE_MODEL="wit",
        CONVERSATION_SPEECH_URL="http://two/v1",
        CONVERSATION_SPEECH_KEY="b",
        CONVERSATION_VOICE="nova",
        OPENAI_API_KEY="of another server",
    ).settings
    assert settings.language == Provider("http://one/v1", "a", "wit")
    assert settings.provider("speech") == Provider("http://two/v1", "b", "tts-1")
    assert settings.provider("transcription") == Provider("http://one/v1", "a", "whisper-1")
    assert settings.voice == "nova"
    assert store(file, OPENAI_API_KEY="public").settings.language == Provider(PUBLIC_SERVER, "public", "gpt-4o-mini")


def test_saves_settings_for_the_owner_alone(file: Path) -> None:
    store(file).change({"language_key": " k ", "voice": "nova", "speech_url": "http://two/v1", "speech_model": "m"})
    settings = store(file).settings
    assert (settings.language.key, settings.voice) == ("k", "nova")
    assert settings.speech == Provider("http://two/v1", "", "m")
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


def test_the_page_shows_whether_there_is_a_key_but_not_the_key(file: Path) -> None:
    settings = store(file)
    assert settings.shown()["language_has_key"] is False
    settings.change({"language_key": "secret", "speech_url": "http://two", "speech_key": "secret too"})
    assert settings.shown()["language_has_key"] is True
    assert settings.shown()["speech_has_key"] is True
    assert "secret" not in json.dumps(settings.shown())


def test_an_empty_key_keeps_the_key_but_another_server_does_not_get_it(file: Path) -> None:
    settings = store(file)
    settings.change({"language_key": "k"})
    settings.change({"language_key": "", "voice": "nova", "language_url": f"{PUBLIC_SERVER}/"})
    assert settings.settings.language.key == "k"
    settings.change({"language_key": "", "language_url": "https://elsewhere.example/v1"})
    assert settings.settings.language.key == ""
    settings.change({"language_key": "other", "language_url": "https://elsewhere.example/v2"})
    assert store(file).settings.language.key == "other"
    settings.remove_key("language")
    assert store(file).settings.language.key == ""
    with pytest.raises(ValueError, match="there are language, transcription, speech"):
        settings.remove_key("thought")


def test_a_provider_without_an_address_never_gets_a_key_of_another_server(file: Path) -> None:
    settings = store(file)
    settings.change({"language_key": "k", "speech_key": "of nothing"})
    assert settings.settings.provider("speech") == Provider(PUBLIC_SERVER, "k", "tts-1")
    settings.change({"speech_url": "http://two/v1"})
    assert settings.settings.provider("speech").key == ""
    settings.change({"speech_key": "s"})
    settings.change({"speech_url": ""})
    settings.change({"language_url": "http://three/v1"})
    assert settings.settings.provider("speech") == Provider("http://three/v1", "", "tts-1")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"language_url": "elsewhere"}, "is not the address"),
        ({"language_url": ""}, "is not the address"),
        ({"speech_url": "file:///etc/passwd"}, "is not the address"),
        ({"transcription_url": "https://me:key@elsewhere/v1"}, "is not the address"),
        ({"server": "x"}, "no setting server"),
    ],
)
def test_refuses_invalid_settings_and_saves_nothing(file: Path, given: dict[str, str], words: str) -> None:
    settings = store(file)
    with pytest.raises(ValueError, match=words):
        settings.change({"voice": "nova", **given})
    assert settings.settings == Settings()
    assert not file.exists()


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '"text"', "null", '{"voice": 1, "language": [], "speech": {"url": 3}, "unknown": "x"}']
)
def test_a_damaged_file_is_replaced_by_the_defaults(file: Path, content: str, caplog: pytest.LogCaptureFixture) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(content)
    with caplog.at_level(logging.WARNING):
        assert store(file).settings == Settings()


def test_the_file_is_in_the_configuration_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file() == tmp_path / "template_app" / "settings.json"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings_file() == tmp_path / ".config" / "template_app" / "settings.json"
