from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.settings import TOPICS, Settings, read_settings
from tools.readme import settings_meanings

ROOT = Path(__file__).parent.parent
SOURCES = ("docduck", "dagster_docduck", "orchestration", "assets", "resources")


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"DOCDUCK_{name.upper()}", raising=False)


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_HOME", "/srv/docs")
    monkeypatch.setenv("DOCDUCK_WORKERS", "3")
    monkeypatch.setenv("DOCDUCK_LOG_LEVEL", "debug")
    found = read_settings()
    assert (found.home, found.workers, found.log_level) == (Path("/srv/docs"), 3, "DEBUG")
    assert found.inbox == Path("/srv/docs/inbox")
    assert found.exports == Path("/srv/docs/exports")
    assert found.dagster_home == Path("/srv/docs/dagster")
    assert found.catalog_address == "sqlite:////srv/docs/catalog.sqlite"


def test_an_address_of_the_catalog_takes_the_file_s_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_CATALOG_URL", "postgresql+psycopg2://db/docduck")
    assert read_settings().catalog_address == "postgresql+psycopg2://db/docduck"


def test_a_variable_that_is_empty_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_HOME", "")
    monkeypatch.setenv("DOCDUCK_WORKERS", "")
    assert read_settings() == Settings()
    assert read_settings().home == Path("data")


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("WORKERS", "abc", "integer"),
        ("WORKERS", "0", "must be at least 1"),
        ("UI_PORT", "70000", "65535"),
        ("SOURCE_SECONDS", "-1", "greater than 0"),
        ("SEARCH_DAYS", "0", "greater than 0"),
        ("CONFIDENCE_FLOOR", "2", "must be at most 1"),
        ("LOG_LEVEL", "loud", "'WARNING'"),
        ("MODEL_BASE_URL", "localhost:8080", "pattern"),
        ("MODEL_MONTHLY_BUDGET", "-1", "must be at least 0"),
        ("MODEL_PRESET", "openrouter", "'anthropic'"),
        ("MODEL_PRESET", "azure", "needs DOCDUCK_MODEL_BASE_URL"),
        ("MODEL_REASONING", "much", "'medium'"),
        ("MODEL_EXTRA_BODY", "seed=7", "must be a JSON object"),
        ("MODEL_EXTRA_BODY", "[1]", "must be an object"),
        ("MODEL_EXTRA_BODY", '{"stream": true}', "must not hold 'stream'"),
        ("MODEL_EXTRA_HEADERS", '{"X-A": 5}', "must be a string"),
        ("MODEL_EXTRA_HEADERS", '{"X A": "b"}', "names and values of HTTP headers"),
        ("MODEL_EXTRA_HEADERS", '{"X-A": "b\\r\\nc: d"}', "names and values of HTTP headers"),
        ("OUTBOUND_ALLOWED_NETWORKS", "10.0.0.0/8,10.1.2.3/8", "10.1.2.3/8 has host bits set"),
        ("OUTBOUND_ALLOWED_NETWORKS", "intranet", "'intranet' does not appear to be an IPv4 or IPv6"),
    ],
)
def test_a_wrong_value_is_told_with_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, word: str
) -> None:
    monkeypatch.setenv(f"DOCDUCK_{name}", value)
    with pytest.raises(InputError) as caught:
        read_settings()
    assert caught.value.message.startswith(f"DOCDUCK_{name}: ")
    assert word in caught.value.message
    assert caught.value.path == f"DOCDUCK_{name}"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("LEASE_SECONDS", "; unset it"), ("WORKER", r"; did you mean DOCDUCK_WORKERS\?")],
)
def test_a_variable_that_is_no_setting_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    monkeypatch.setenv(f"DOCDUCK_{name}", "1")
    with pytest.raises(InputError, match=f"^DOCDUCK_{name}: there is no such setting{hint}$"):
        read_settings()


def test_other_variables_that_begin_like_settings_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DOCDUCK_SERVER": "https://docs.example.org",
        "DOCDUCK_KEY": "k",
        "DOCDUCK_KEY_OF_THE_OTHER": "k",
        "DOCDUCK_LEASE_SECONDS": "",
        "DOCDUCK_SERVICE_HOST": "10.0.0.7",
        "DOCDUCK_PORT": "tcp://10.0.0.7:8000",
        "DOCDUCK_PORT_8000_TCP_ADDR": "10.0.0.7",
    }.items():
        monkeypatch.setenv(name, value)
    assert read_settings() == Settings()


def test_networks_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_OUTBOUND_ALLOWED_NETWORKS", "10.1.0.0/16, fd12::/16,192.0.2.7")
    networks = read_settings().outbound_allowed_networks
    assert [str(one) for one in networks or ()] == ["10.1.0.0/16", "fd12::/16", "192.0.2.7/32"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("SECRET_KEY", "s3cret", "must have at least 32"),
        ("MODEL_EXTRA_HEADERS", "X-Key: s3cret", "must be a JSON object"),
        ("MODEL_EXTRA_HEADERS", '{"X-Key": "s3cret\\n"}', "must hold names and values of HTTP headers"),
    ],
)
def test_a_wrong_secret_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(f"DOCDUCK_{name}", value)
    with pytest.raises(InputError) as caught:
        read_settings()
    assert caught.value.message.startswith(f"DOCDUCK_{name}: {told}")
    assert "s3cret" not in caught.value.message


def test_a_secret_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_MODEL_API_KEY", "s3cret")
    monkeypatch.setenv("DOCDUCK_MODEL_EXTRA_HEADERS", '{"X-Key": "s3cret"}')
    assert "s3cret" not in f"{read_settings()!r} {read_settings().model_dump_json()}"


def test_every_setting_is_described() -> None:
    described = {name for topic in TOPICS for name in settings_meanings(topic)}
    assert described == {*Settings.model_fields}


def test_every_setting_is_used() -> None:
    code = "\n".join(path.read_text() for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py")))
    # The catalog's address is read through catalog_address.
    unused = [name for name in Settings.model_fields if f".{name}" not in code]
    assert unused == []
