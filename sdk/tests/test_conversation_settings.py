import json
import logging
from pathlib import Path

import pytest
from template_app.settings import PUBLIC_SERVER, Settings, Store, settings_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "app" / "settings.json"


def test_starts_with_the_usual_settings_and_nobody_to_talk_to(file: Path) -> None:
    assert Store(file).settings == Settings()
    assert not Settings().ready
    assert Settings(api_key="k").ready
    assert Settings(server_url="http://localhost:8080/v1").ready


def test_keeps_what_is_set_for_its_owner_alone(file: Path) -> None:
    Store(file).change({"api_key": " k ", "voice": "nova"})
    assert Store(file).settings == Settings(api_key="k", voice="nova")
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


def test_the_page_is_told_that_there_is_a_key_but_not_which(file: Path) -> None:
    store = Store(file)
    assert store.shown()["has_key"] is False
    store.change({"api_key": "secret"})
    assert store.shown()["has_key"] is True
    assert "secret" not in json.dumps(store.shown())


def test_an_empty_key_leaves_the_key_but_another_server_does_not_get_it(file: Path) -> None:
    store = Store(file)
    store.change({"api_key": "k"})
    store.change({"api_key": "", "voice": "nova", "server_url": f"{PUBLIC_SERVER}/"})
    assert store.settings == Settings(api_key="k", voice="nova")
    store.change({"api_key": "", "server_url": "https://elsewhere.example/v1"})
    assert store.settings.api_key == ""
    store.change({"api_key": "other", "server_url": "https://elsewhere.example/v2"})
    assert Store(file).settings.api_key == "other"
    store.forget_key()
    assert Store(file).settings.api_key == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"server_url": "elsewhere"}, "is no address"),
        ({"server_url": "file:///etc/passwd"}, "is no address"),
        ({"server_url": "https://me:key@elsewhere/v1"}, "is no address"),
        ({"server": "x"}, "no setting server"),
    ],
)
def test_what_cannot_be_used_is_refused_and_not_kept(file: Path, given: dict[str, str], words: str) -> None:
    store = Store(file)
    with pytest.raises(ValueError, match=words):
        store.change({"voice": "nova", **given})
    assert store.settings == Settings()
    assert not file.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '"text"', "null", '{"voice": 1, "unknown": "x"}'])
def test_a_damaged_file_is_no_obstacle(file: Path, content: str, caplog: pytest.LogCaptureFixture) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(content)
    with caplog.at_level(logging.WARNING):
        assert Store(file).settings == Settings()


def test_stands_where_configuration_belongs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file() == tmp_path / "template_app" / "settings.json"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings_file() == tmp_path / ".config" / "template_app" / "settings.json"
