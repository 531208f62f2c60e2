"""Settings: all limits, time-outs and paths, from environment variables ``DOCDUCK_<NAME>``."""

from __future__ import annotations

import json
import os
import re
from difflib import get_close_matches
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from docduck.errors import InputError
from docduck.validation_messages import problem_message

LogLevel = Annotated[
    Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(lambda text: str(text).upper())
]


def _parts(value: Any) -> Any:
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


def _networks(value: Any) -> Any:
    return [ip_network(part) for part in _parts(value)] if isinstance(value, str) else value


def _paths(value: Any) -> Any:
    return [Path(part.strip()) for part in value.split(",")] if isinstance(value, str) else value


def _json_object(value: Any) -> Any:
    """Return the object that a text holds as JSON. The message of the error holds nothing of the text."""
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value)
    except ValueError as error:
        raise ValueError("must be a JSON object") from error
    if not isinstance(parsed, dict):
        raise ValueError("must be a JSON object")
    return parsed


def _sendable_headers(headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.get_secret_value()):
            raise ValueError("must hold names and values of HTTP headers")
    return headers


def _further_parameters(body: dict[str, Any]) -> dict[str, Any]:
    if fixed := sorted(_OF_REQUESTS.intersection(body)):
        raise ValueError(f"must not hold '{fixed[0]}', which docduck sets")
    return body


STOP_GRACE_SECONDS = 10
"""How long a process may take to stop before it is killed."""

CATALOG_FILE = "catalog.sqlite"
"""The name of the catalog in the home folder."""

_NO_SETTINGS = ("DOCDUCK_SERVER", "DOCDUCK_KEY", "DOCDUCK_SUPERVISOR")
"""Beginnings of other variables: the command line's, keys that users name, and supervised processes'."""

_ALIKE = 0.8
"""How similar a name is to that of the setting that was meant, of 1."""

_OF_KUBERNETES = re.compile(r"_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)")

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADER_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?")
_OF_REQUESTS = frozenset({"messages", "model", "n", "stream"})
"""Parameters that requests to a language model have anyway."""

Paths = Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_paths)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)]
JsonObject = Annotated[dict[str, Any], NoDecode, BeforeValidator(_json_object)]
Headers = Annotated[
    dict[str, SecretStr], NoDecode, BeforeValidator(_json_object), AfterValidator(_sendable_headers)
]
ModelPreset = Literal[
    "ollama", "lmstudio", "llamacpp", "vllm", "openai", "anthropic", "azure", "gemini", "mistral"
]
Host = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$")]
Origin = Annotated[str, Field(pattern=r"^(\*|https?://[^\s/?#]+)$")]


class _Topic(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="DOCDUCK_", env_ignore_empty=True, extra="forbid", frozen=True
    )


class _Installation(_Topic):
    """Where everything is."""

    home: Path = Path("data")
    """Folder that holds all state: catalog, files, warehouse, inbox."""
    pipeline: Path = Path("pipeline.yaml")
    """The pipeline as code; need not exist."""
    workspace: Path | None = None
    """A workspace.yaml with code locations of your own, which `docduck up` loads beside docduck's."""
    catalog_url: str | None = None
    """SQLAlchemy address of the catalog; SQLite in the home folder when not set."""
    files_url: str | None = Field(None, pattern=r"^(s3|gs|az)://[^\s/?#]+(/[^\s?#]*)?$")
    """Bucket of the stored files, such as `s3://bucket/prefix`, `gs://bucket/prefix` or
    `az://container/prefix`; the folder `files` in the home when not set. Keys are those of the environment
    (`AWS_ACCESS_KEY_ID`, `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME` and
    `AZURE_STORAGE_ACCOUNT_KEY`, a role of the machine)."""
    files_endpoint: str | None = Field(None, pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$")
    """Address of the server of `DOCDUCK_FILES_URL` that speaks S3, such as `https://minio.example.org:9000`,
    or of Azure's account; Amazon's or `https://ACCOUNT.blob.core.windows.net` when not set."""
    lake_url: str | None = Field(None, pattern=r"^(s3|gs|az)://[^\s/?#]+(/[^\s?#]*)?$")
    """Bucket of the tables as Parquet files, such as `s3://bucket/lake`, whose list is in the catalog of
    PostgreSQL; `warehouse.duckdb` in the home when not set. Server and keys are those of
    `DOCDUCK_FILES_URL`."""
    lake_keep_hours: int = Field(24, ge=1)
    """Hours for which files of `DOCDUCK_LAKE_URL` stay that are in no newer catalog: so long may an analyst
    read an older one."""
    file_cache_mb: int = Field(2048, ge=64)
    """Copies of files in `DOCDUCK_FILES_URL` that are kept on this machine, in MiB; those that were not used
    for longest go first."""
    dagster_postgres_url: str | None = None
    """postgresql+psycopg2:// address for Dagster's own storage; SQLite when not set."""
    secret_key: SecretStr | None = Field(None, min_length=32)
    """What signs the links to files and upload pages, and encrypts the secrets and headers of webhooks, at
    least 32 characters; `secret.key` in the home folder when not set. Another one ends the links, and
    webhooks need new secrets and headers; a secret, in no log."""
    analytics_group: str | None = None
    """Group of this machine's users who may read `analytics.duckdb`; all else in the home is for its owner
    alone."""
    export_folders: Paths | None = None
    """Folders, such as `/srv/exports,/mnt/share`, that the Dagster job `export` may write to, besides the
    home's and those of exports in the pipeline file."""
    log_level: LogLevel = "INFO"
    """Lowest level of log lines: DEBUG, INFO, WARNING or ERROR."""


class _Addresses(_Topic):
    """Addresses and ports."""

    bind_host: str = "127.0.0.1"
    """Address that the API listens on."""
    api_port: int = Field(8000, ge=0, le=65535)
    """Port of the API; 0 chooses a free one."""
    base_url: str | None = Field(None, pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$")
    """Where the API is reached from outside, such as `https://docs.example.org`, for links to files and
    upload pages."""
    trusted_hosts: Annotated[tuple[Host, ...], NoDecode, BeforeValidator(_parts)] | None = None
    """Hosts such as `docs.example.org,10.0.0.5:8000` by which the API and the UI are reached. The UI answers
    for these, `DOCDUCK_UI_HOST` and loopback alone. When `DOCDUCK_BASE_URL` is not set, links name the
    request's host if it is one of these or loopback, and are paths otherwise."""
    api_trusted_proxies: Networks | None = None
    """Networks of reverse proxies, such as `10.0.0.0/24`, whose `X-Forwarded-For` and `X-Forwarded-Proto` are
    believed; nobody's when not set. Behind a proxy that is not named here, all visitors of an upload page
    count as one."""
    cors_allowed_origins: Annotated[tuple[Origin, ...], NoDecode, BeforeValidator(_parts)] | None = None
    """Origins such as `https://app.example.org` whose pages may call the API from a browser; `*` for all,
    none when not set."""
    ui_host: str = "127.0.0.1"
    """Address that the Dagster UI listens on. It has no sign-in, and anyone who reaches it sees all teams and
    starts runs: keep it on loopback, or behind a proxy that asks who is there."""
    ui_port: int = Field(3000, ge=0, le=65535)
    """Port of the Dagster UI."""
    dagster_url: str | None = Field(None, pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$")
    """Where the Dagster UI answers, for runs that the API starts at once, and for the page `/dagster`;
    `docduck up` sets it. When not set, a sensor starts the runs. A webserver of your own needs `--path-prefix
    /dagster` for that page."""


class _SignIn(_Topic):
    """People who sign in."""

    password_min_length: int = Field(12, ge=8)
    """Fewest characters of a person's password."""
    session_days: float = Field(30, gt=0)
    """Days after which users have to sign in again."""
    session_idle_hours: float = Field(72, gt=0)
    """Hours without a request after which users have to sign in again."""
    allow_team_creation: bool = False
    """Whether users may create teams on the pages, whose owners they become; otherwise `docduck teams create`
    alone creates them."""
    oidc_issuer: str | None = Field(None, pattern=r"^https?://[^\s?#]+$")
    """OpenID Connect provider by which users may sign in, such as `https://login.example.org`; `http://` for
    this machine only. Its redirect URI is `/sign-in/provider/callback` below `DOCDUCK_BASE_URL`, which must
    be set."""
    oidc_client_id: str | None = None
    """Client id at the provider."""
    oidc_client_secret: SecretStr | None = None
    """Client secret at the provider, if it gave one; a secret, in no log."""
    oidc_name: str = "single sign-on"
    """Name of the provider on the sign-in page."""
    oidc_allowed_domains: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parts)] | None = None
    """Domains, such as `example.org`, of the addresses that may sign in by the provider; all when not set."""
    oidc_create_users: bool = False
    """Whether somebody without an account gets one by signing in at the provider. They are in no team until
    they are invited to one."""
    oidc_allowed_networks: Networks | None = None
    """Networks of your own, such as `10.1.0.0/16`, in which the provider may be; only public addresses when
    not set."""


class _Mail(_Topic):
    """Mail."""

    outgoing_mail_url: str | None = Field(None, pattern=r"^(smtps?|smtp\+plain)://[^\s/?#@]+/?$")
    """Mail server that sends invitations and links to set a password: `smtps://host`, or `smtp://host` for
    STARTTLS; `smtp+plain://localhost` is without TLS, for this machine only. Needs `DOCDUCK_BASE_URL`. Links
    are shown to whoever sends the invitation when not set."""
    outgoing_mail_from: str | None = Field(None, pattern=r"^[^\s@<>]+@[^\s@<>]+$")
    """Address that these mails are from."""
    outgoing_mail_username: str | None = None
    """User name at the mail server, if it needs one."""
    outgoing_mail_password: SecretStr | None = None
    """Password at the mail server; a secret, in no log."""
    outgoing_mail_ca: Path | None = None
    """File of certificate authorities (PEM) that sign the mail server's certificate."""
    mail_domain: str | None = Field(
        None, pattern=r"^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$"
    )
    """Domain of the e-mail addresses of parsers and classifiers; they have none when not set."""
    mail_smtp_port: int | None = Field(None, ge=1, le=65535)
    """Port at which mails to these addresses are received by SMTP."""
    mail_lmtp_port: int | None = Field(None, ge=1, le=65535)
    """Port at which a mail server hands them over by LMTP."""
    mail_tls_certificate: Path | None = None
    """Certificate (PEM) with which the mail receiver offers STARTTLS."""
    mail_tls_key: Path | None = None
    """Its key, if it is not in the same file."""
    max_mail_bytes: int = Field(25 * 1024 * 1024, gt=0)
    """Largest mail taken in from a mailbox or by address, in bytes."""


class _Documents(_Topic):
    """Documents."""

    max_file_bytes: int = Field(100 * 1024 * 1024, gt=0)
    """Largest file taken in, in bytes."""
    max_pages: int = Field(2000, gt=0)
    """Most pages that are read of a document."""
    max_backlog: int | None = Field(None, ge=1)
    """Queued documents of a team from which on its uploads get 503 and `Retry-After`; no limit when not set.
    Files of sources, and mails to addresses, are taken in all the same."""
    settle_seconds: float = Field(1, ge=0)
    """A file must be unchanged for this long before it is taken."""
    source_seconds: float = Field(60, gt=0)
    """Longest time for fetching one document of a source, and several at a stretch."""
    confidence_floor: float = Field(0.5, ge=0, le=1)
    """Mean confidence below which a parser's confidence check warns."""
    review_overdue_hours: float = Field(24, gt=0)
    """A document that waits longer in a review stage is overdue."""


class _Requests(_Topic):
    """Requests, in and out."""

    rate_limit_minute: int = Field(100, ge=0)
    """Requests of an API key a minute; 0 for no limit."""
    rate_limit_day: int = Field(10_000, ge=0)
    """Requests of an API key a day (UTC); 0 for no limit."""
    rate_limit_redis_url: SecretStr | None = None
    """Redis that counts requests, such as `redis://host:6379/0`, for an API on several hosts; while it is
    away, requests are answered with 503; a secret, in no log."""
    outbound_allowed_networks: Networks | None = None
    """Networks of your own, such as `10.1.0.0/16,fd12::/16`, that URLs may be fetched from. A risk: anyone
    with an API key reaches every web server in them. Only public addresses when not set; addresses of cloud
    metadata services never."""
    allow_insecure_webhooks: bool = False
    """Whether webhooks may have `http://` URLs and lead to this machine's loopback addresses: for tests.
    Further private networks are those of `DOCDUCK_OUTBOUND_ALLOWED_NETWORKS`."""


class _Machine(_Topic):
    """The size of the machine."""

    workers: int = Field(default_factory=lambda: max(1, os.cpu_count() or 1), ge=1)
    """Worker processes that read documents on this machine; with 1, a second one reads what takes long."""
    side_workers: int = Field(1, ge=1)
    """Worker processes of the API, besides those that read documents: teams' samples and lessons take turns
    at them; pictures of pages have one more."""
    worker_memory_mb: int = Field(1500, ge=256)
    """Most memory that one worker process takes, in MiB, beside the libraries that all share."""
    max_concurrent_runs: int = Field(4, ge=1)
    """Dagster runs at the same time."""
    api_threads: int = Field(16, ge=1)
    """Requests to the API that work at the same time. Beside them work searches, a fifth as many; exports,
    queries of the page Query and changes of documents' values, an eighth each; and tool calls of MCP clients,
    half as many."""
    warehouse_memory_mb: int = Field(512, ge=64)
    """Memory limit of DuckDB, in MiB."""
    start_timeout_seconds: float = Field(120, gt=0)
    """How long each step of the start of `docduck up` may take."""


class _Model(_Topic):
    """The language model."""

    model_base_url: str | None = Field(None, pattern=r"^https?://[^\s/]+\S*$")
    """OpenAI-compatible endpoint, such as `https://host/v1`, of the model of parsers that name none; that of
    `DOCDUCK_MODEL_PRESET` when not set."""
    model_preset: ModelPreset | None = None
    """The server at this endpoint: `ollama`, `lmstudio`, `llamacpp`, `vllm`, `openai`, `anthropic`, `azure`,
    `gemini` or `mistral`. Recognised by its address when not set."""
    model_file: Path | None = None
    """Model file (GGUF) that docduck serves itself, instead of an endpoint; the one that `docduck model use`
    chose when neither is set. Needs the extra `model`."""
    model_hub: str = Field("https://huggingface.co", pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$")
    """Where `docduck model pull` downloads models from: the hub, or a mirror with the same paths."""
    model_name: str = "default"
    """Name of the model to ask for at the endpoint."""
    model_api_key: SecretStr | None = None
    """API key of the endpoint, sent as a bearer token, to Azure as `api-key`; a secret, in no log."""
    model_extra_headers: Headers | None = None
    """Further headers of requests to the endpoint, as a JSON object such as `{"X-Project": "docs"}`; a
    secret, in no log."""
    model_extra_body: Annotated[JsonObject, AfterValidator(_further_parameters)] | None = None
    """Further parameters of requests to the endpoint, as a JSON object such as `{"seed": 7}`; they replace
    those of the same name."""
    model_reasoning: Literal["default", "none", "low", "medium", "high"] = "default"
    """How much the model thinks before it answers: `none`, `low`, `medium` or `high`; the server decides with
    `default`."""
    model_vision: bool = False
    """Whether the model takes pictures of the pages."""
    model_picture_width: int | None = Field(None, ge=256, le=4096)
    """Width of these pictures, in pixels; that at which the server's models count least when not set."""
    model_context_tokens: int | None = Field(None, ge=2048)
    """Tokens that the model takes, question and answer together; 32768 of an endpoint and 8192 of a model
    file when not set."""
    model_max_concurrent: int = Field(4, ge=1)
    """Requests to the model at the same time, of all processes of this host; a model file gets one."""
    model_seconds: float = Field(120, gt=0)
    """Longest time for one answer of the model."""
    model_input_price: float = Field(0, ge=0)
    """Price of a million tokens that the model reads."""
    model_output_price: float = Field(0, ge=0)
    """Price of a million tokens that the model writes."""
    model_monthly_budget: float | None = Field(None, ge=0)
    """Most that a team may spend on the model in a calendar month (UTC), in the prices' currency; then
    documents are read without it. No limit when not set."""
    models: Path | None = None
    """YAML file of further models by name, of which a parser or classifier may choose one; `models.yaml` in
    the home folder when not set, which need not exist."""

    @field_validator("model_preset")
    @classmethod
    def _has_address(cls, preset: ModelPreset | None, info: ValidationInfo) -> ModelPreset | None:
        if preset == "azure" and not info.data.get("model_base_url"):
            raise ValueError("'azure' needs DOCDUCK_MODEL_BASE_URL, the address of your resource")
        return preset


class _Retention(_Topic):
    """How long records are kept."""

    keep_runs_days: float = Field(14, gt=0)
    """Age after which finished Dagster runs are purged."""
    preview_cache_mb: int = Field(500, ge=0)
    """Most space that kept pictures and words of pages take, in MiB."""
    search_days: float | None = Field(None, gt=0)
    """Days after which the values of documents leave the search index; none do when not set. Such a document
    is then found by its name, status, dates and other properties alone, until it is read again or
    corrected."""
    bin_days: float = Field(30, ge=0)
    """Days for which documents that were deleted on the pages can be restored from the bin; with 0 they are
    deleted at once, as by the API."""
    keep_deliveries_days: float = Field(30, gt=0)
    """Age after which ended deliveries to webhooks, with the values that they sent, are deleted; those of
    deleted documents are deleted the next night."""


class Settings(
    _Installation,
    _Addresses,
    _SignIn,
    _Mail,
    _Documents,
    _Requests,
    _Machine,
    _Model,
    _Retention,
):
    """The settings of an installation, by topic; the README contains each one's description."""

    @property
    def catalog_address(self) -> str:
        """The SQLAlchemy address of the catalog."""
        return self.catalog_url or f"sqlite:///{self.home.absolute() / CATALOG_FILE}"

    @property
    def models_file(self) -> Path:
        """The file of further language models; need not exist."""
        return self.models or self.home / "models.yaml"

    @property
    def inbox(self) -> Path:
        return self.home / "inbox"

    @property
    def exports(self) -> Path:
        return self.home / "exports"

    @property
    def dagster_home(self) -> Path:
        return self.home / "dagster"

    @property
    def search_threads(self) -> int:
        """Searches that the API works on at the same time, beside all other requests."""
        return max(1, self.api_threads * 3 // 16)

    @property
    def correction_threads(self) -> int:
        """Changes of documents' values that the API works on at the same time, beside all other requests."""
        return max(1, self.api_threads // 8)

    @property
    def export_threads(self) -> int:
        """Exports that the API writes at the same time, beside all other requests."""
        return max(1, self.api_threads // 8)

    @property
    def query_processes(self) -> int:
        """Queries of the page Query at the same time, each in its own process."""
        return max(1, self.api_threads // 8)

    @property
    def mcp_threads(self) -> int:
        """Tool calls of MCP clients that work at the same time."""
        return max(1, self.api_threads // 2)


TOPICS = tuple(topic for topic in Settings.__bases__ if issubclass(topic, BaseSettings))


def read_settings() -> Settings:
    """Return the settings from the environment; raise InputError that names the variable and the error.

    A variable that is no setting, such as one of an earlier version or with a typing error, is an error.
    """
    for name, value in sorted(os.environ.items()):
        if value and name.startswith("DOCDUCK_") and _is_unknown(name, value):
            alike = get_close_matches(
                name.removeprefix("DOCDUCK_").lower(), [*Settings.model_fields], 1, _ALIKE
            )
            hint = f"did you mean DOCDUCK_{alike[0].upper()}?" if alike else "unset it"
            raise InputError(f"{name}: there is no such setting; {hint}", name)
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"DOCDUCK_{str(first['loc'][0]).upper()}"
        is_secret = "SecretStr" in str(Settings.model_fields[str(first["loc"][0])].annotation)
        input_text = "" if is_secret else f" (got {first['input']!r})"
        raise InputError(f"{name}: {problem_message(first)}{input_text}", name) from error


def _is_unknown(name: str, value: str) -> bool:
    if name.removeprefix("DOCDUCK_").lower() in Settings.model_fields or name.startswith(_NO_SETTINGS):
        return False
    # Kubernetes sets such variables in all pods if there is a service called docduck.
    return not (value.startswith(("tcp://", "udp://")) or _OF_KUBERNETES.search(name))


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings of this process, read once."""
    return read_settings()
