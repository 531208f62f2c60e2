"""Settings: all limits, time-outs and paths, from environment variables ``DOCDUCK_<NAME>``."""

from __future__ import annotations

import os
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from docduck.errors import InputError
from docduck.validation_messages import problem_message

LogLevel = Annotated[
    Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(lambda text: str(text).upper())
]


def _parts(given: Any) -> Any:
    return [part.strip() for part in given.split(",")] if isinstance(given, str) else given


def _networks(given: Any) -> Any:
    return [ip_network(part) for part in _parts(given)] if isinstance(given, str) else given


def _paths(given: Any) -> Any:
    return [Path(part.strip()) for part in given.split(",")] if isinstance(given, str) else given


CATALOG_FILE = "catalog.sqlite"
"""The name of the catalog in the home folder."""

Paths = Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_paths)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)]
Host = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$")]
Origin = Annotated[str, Field(pattern=r"^(\*|https?://[^\s/?#]+)$")]


class Settings(BaseSettings):
    """The settings of an installation; the README contains each field's description."""

    model_config = SettingsConfigDict(
        env_prefix="DOCDUCK_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(
        Path("data"), description="Folder that holds all state: catalog, files, warehouse, inbox"
    )
    pipeline: Path = Field(Path("pipeline.yaml"), description="The pipeline as code; need not exist")
    catalog_url: str | None = Field(
        None, description="SQLAlchemy address of the catalog; SQLite in the home folder when not set"
    )
    dagster_postgres_url: str | None = Field(
        None, description="postgresql+psycopg2:// address for Dagster's own storage; SQLite when not set"
    )

    bind_host: str = Field("127.0.0.1", description="Address that the API listens on")
    ui_host: str = Field(
        "127.0.0.1",
        description="Address that the Dagster UI listens on. It has no sign-in, and anyone who reaches it "
        "sees all teams and starts runs: keep it on loopback, or behind a proxy that asks who is there",
    )
    ui_port: int = Field(3000, ge=0, le=65535, description="Port of the Dagster UI")
    stop_grace_seconds: float = Field(
        10, gt=0, description="How long a process may take to stop before it is killed"
    )
    start_timeout_seconds: float = Field(
        120, gt=0, description="How long each step of the start of `docduck up` may take"
    )
    dagster_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$",
        description="Where the Dagster UI answers, for runs that the API starts at once, and for the page "
        "`/dagster`; `docduck up` sets it. When not set, a sensor starts the runs. A webserver of your own "
        "needs `--path-prefix /dagster` for that page",
    )
    dagster_ui_seconds: float = Field(
        60, gt=0, description="How long the Dagster UI may take for each step of an answer behind `/dagster`"
    )
    dagster_ui_connections: int = Field(
        40, ge=1, description="Requests behind `/dagster` that are passed on to the Dagster UI at a time"
    )
    workspace: Path | None = Field(
        None,
        description="A workspace.yaml with code locations of your own, which `docduck up` loads beside "
        "docduck's",
    )
    max_run_operations: int = Field(
        1000,
        ge=0,
        description="Most operations that the tag `docduck/operations` of a Dagster run lists",
    )

    api_port: int = Field(8000, ge=0, le=65535, description="Port of the API; 0 chooses a free one")
    api_trusted_proxies: Networks | None = Field(
        None,
        description="Networks of reverse proxies, such as `10.0.0.0/24`, whose `X-Forwarded-For` and "
        "`X-Forwarded-Proto` are believed; nobody's when not set. Behind a proxy that is not named here, all "
        "visitors of an upload page count as one",
    )
    api_max_connections: int = Field(1000, ge=1, description="Connections to the API at the same time")
    api_max_connections_per_client: int = Field(
        250,
        ge=1,
        description="Connections to the API from one address at the same time; trusted proxies may have more",
    )
    api_max_requests_per_key: int = Field(
        64, ge=1, description="Requests to the API with one key at the same time"
    )
    mcp_threads: int = Field(8, ge=1, description="Tool calls of MCP clients that work at the same time")
    mcp_team_threads: int = Field(4, ge=1, description="Tool calls of one team that work at the same time")
    mcp_wait_seconds: float = Field(
        15,
        ge=0,
        description="How long a tool call of an MCP client waits for its turn before it is refused",
    )
    mcp_max_file_bytes: int = Field(
        10 * 1024 * 1024, gt=0, description="Largest file in the arguments of a tool call, in bytes"
    )
    mcp_evaluate_documents: int = Field(
        50, ge=1, description="Most documents that one evaluation of a parser reads"
    )
    mcp_evaluate_seconds: float = Field(
        45,
        gt=0,
        description="How long one evaluation of a parser reads documents; the rest is left to others",
    )
    upload_link_seconds: int = Field(
        900, ge=1, description="How long the links of `create_upload_url` hold, in seconds"
    )
    api_large_requests: int = Field(
        2, ge=1, description="Requests to the API with more than 64 KiB of JSON that work at the same time"
    )
    api_large_team_requests: int = Field(1, ge=1, description="Such requests of one team at the same time")
    api_large_request_seconds: float = Field(
        30, gt=0, description="How long such a request waits for its turn before it is told to come again"
    )
    api_keep_alive_seconds: int = Field(
        30, ge=1, description="How long the API keeps a connection open for its next request"
    )
    api_header_seconds: float = Field(
        10, gt=0, description="How long a client of the API may take to send a request's headers"
    )
    max_header_bytes: int = Field(
        32 * 1024, ge=1024, description="Largest request line and headers together, in bytes"
    )
    mail_domain: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$",
        description="Domain of the e-mail addresses of parsers and classifiers; they have none when not set",
    )
    mail_smtp_port: int | None = Field(
        None, ge=1, le=65535, description="Port at which mails to these addresses are received by SMTP"
    )
    mail_lmtp_port: int | None = Field(
        None, ge=1, le=65535, description="Port at which a mail server hands them over by LMTP"
    )
    mail_tls_certificate: Path | None = Field(
        None, description="Certificate (PEM) with which the mail receiver offers STARTTLS"
    )
    mail_tls_key: Path | None = Field(None, description="Its key, if it is not in the same file")
    mail_connections: int = Field(
        50,
        ge=1,
        description="Connections to the mail receiver at a time, for each port; "
        "an SMTP client gets a fifth of them, its network half",
    )
    mail_recipients: int = Field(50, ge=1, description="Most recipients of one mail that is received")
    base_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$",
        description="Where the API is reached from outside, such as `https://docs.example.org`, for links to "
        "files and upload pages",
    )
    trusted_hosts: Annotated[tuple[Host, ...], NoDecode, BeforeValidator(_parts)] | None = Field(
        None,
        description="Hosts such as `docs.example.org,10.0.0.5:8000` by which the API and the UI are reached. "
        "The UI answers for these, `DOCDUCK_UI_HOST` and loopback alone. When `DOCDUCK_BASE_URL` is not set, "
        "links name the request's host if it is one of these or loopback, and are paths otherwise",
    )
    cors_allowed_origins: Annotated[tuple[Origin, ...], NoDecode, BeforeValidator(_parts)] | None = Field(
        None,
        description="Origins such as `https://app.example.org` whose pages may call the API from a browser; "
        "`*` for all, none when not set",
    )
    api_threads: int = Field(16, ge=1, description="Requests to the API that work at the same time")
    api_body_seconds: float = Field(
        30, gt=0, description="How long the API waits for the next bytes of a request's body"
    )
    max_json_bytes: int = Field(
        10 * 1024 * 1024, gt=0, description="Largest JSON body of a request to the API, in bytes"
    )
    max_json_values: int = Field(
        500_000,
        gt=0,
        description="Most values (numbers, texts, objects …) in a JSON body of a request to the API",
    )
    rate_limit_minute: int = Field(100, ge=0, description="Requests of an API key a minute; 0 for no limit")
    rate_limit_day: int = Field(
        10_000, ge=0, description="Requests of an API key a day (UTC); 0 for no limit"
    )
    rate_limit_redis_url: SecretStr | None = Field(
        None,
        description="Redis that counts requests, such as `redis://host:6379/0`, for an API on several hosts; "
        "while it is away, requests are answered with 503; a secret, in no log",
    )
    rate_limit_redis_seconds: float = Field(1, gt=0, description="Longest wait for Redis' answer")
    idempotency_keep_hours: float = Field(
        24, gt=0, description="How long the answer to a request with an Idempotency-Key is kept"
    )
    idempotency_max_bytes: int = Field(
        1024 * 1024, ge=0, description="Largest answer kept for an Idempotency-Key, in bytes"
    )
    idempotency_work_seconds: float = Field(
        900, gt=0, description="Time after which a request with an Idempotency-Key is given up as lost"
    )
    password_min_length: int = Field(12, ge=8, description="Fewest characters of a person's password")
    session_days: float = Field(30, gt=0, description="Days after which users have to sign in again")
    session_idle_hours: float = Field(
        72, gt=0, description="Hours without a request after which users have to sign in again"
    )
    sign_in_attempts: int = Field(
        10,
        ge=1,
        description="Attempts to sign in as one user from one network address in a quarter of an hour",
    )
    sign_in_attempts_per_address: int = Field(
        100, ge=1, description="Attempts to sign in from one network address in a quarter of an hour"
    )
    oauth_access_minutes: float = Field(
        15, gt=0, le=1440, description="Minutes for which an access token of an MCP client is valid"
    )
    oauth_refresh_days: float = Field(
        30, gt=0, description="Days without use after which an MCP client has to be connected again"
    )
    oauth_new_clients: int = Field(
        20,
        ge=1,
        description="MCP clients that one network address may register, and whose metadata is fetched for "
        "one user, in a quarter of an hour",
    )
    sign_in_attempts_per_user: int = Field(
        100,
        ge=1,
        description="Attempts to sign in as one user from all addresses in a quarter of an hour. Browsers in "
        "which the user signed in before don't count, and are not kept out",
    )
    invitation_days: float = Field(7, gt=0, description="How long an invitation to a team is valid")
    password_reset_hours: float = Field(
        4, gt=0, description="How long a link to set a password is valid; it can be used once"
    )
    password_resets: int = Field(
        5,
        ge=1,
        description="Mails with such links that one user is sent in an hour, and that may be asked for from "
        "one network address",
    )
    allow_team_creation: bool = Field(
        False,
        description="Whether users may create teams on the pages, whose owners they become; otherwise "
        "`docduck teams create` alone creates them",
    )
    outgoing_mail_url: str | None = Field(
        None,
        pattern=r"^(smtps?|smtp\+plain)://[^\s/?#@]+/?$",
        description="Mail server that sends invitations and links to set a password: `smtps://host`, or "
        "`smtp://host` for STARTTLS; `smtp+plain://localhost` is without TLS, for this machine only. Needs "
        "`DOCDUCK_BASE_URL`. Links are shown to whoever sends the invitation when not set",
    )
    outgoing_mail_from: str | None = Field(
        None, pattern=r"^[^\s@<>]+@[^\s@<>]+$", description="Address that these mails are from"
    )
    outgoing_mail_username: str | None = Field(
        None, description="User name at the mail server, if it needs one"
    )
    outgoing_mail_password: SecretStr | None = Field(
        None, description="Password at the mail server; a secret, in no log"
    )
    outgoing_mail_ca: Path | None = Field(
        None, description="File of certificate authorities (PEM) that sign the mail server's certificate"
    )
    outgoing_mail_seconds: float = Field(
        15, gt=0, description="How long the mail server may take for each step of sending a mail"
    )
    oidc_issuer: str | None = Field(
        None,
        pattern=r"^https?://[^\s?#]+$",
        description="OpenID Connect provider by which users may sign in, such as "
        "`https://login.example.org`; `http://` for this machine only. Its redirect URI is "
        "`/sign-in/provider/callback` below "
        "`DOCDUCK_BASE_URL`, which must be set",
    )
    oidc_client_id: str | None = Field(None, description="Client id at the provider")
    oidc_client_secret: SecretStr | None = Field(
        None, description="Client secret at the provider, if it gave one; a secret, in no log"
    )
    oidc_name: str = Field("single sign-on", description="Name of the provider on the sign-in page")
    oidc_allowed_domains: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parts)] | None = Field(
        None,
        description="Domains, such as `example.org`, of the addresses that may sign in by the provider; all "
        "when not set",
    )
    oidc_create_users: bool = Field(
        False,
        description="Whether somebody without an account gets one by signing in at the provider. They are in "
        "no team until they are invited to one",
    )
    oidc_allowed_networks: Networks | None = Field(
        None,
        description="Networks of your own, such as `10.1.0.0/16`, in which the provider may be; only public "
        "addresses when not set",
    )
    max_upload_files: int = Field(20, ge=1, description="Most files, or URLs, of one upload")
    max_upload_bytes: int = Field(
        500 * 1024 * 1024, gt=0, description="Largest upload of several files together, in bytes"
    )
    max_wait_seconds: float = Field(
        60, ge=0, description="Longest time that an upload waits for its result when asked to (`wait=`)"
    )
    classify_inline_seconds: float = Field(
        20,
        ge=0,
        le=300,
        description="Longest time that an upload to a classifier waits for its documents to be routed; it is "
        "then answered with the routing status `pending`",
    )
    classifier_examples_per_label: int = Field(
        20,
        ge=0,
        le=50,
        description="Most examples that a classifier remembers per label when people route documents: the "
        "newest; 0 for none",
    )

    secret_key: SecretStr | None = Field(
        None,
        min_length=32,
        description="What signs the links to files and upload pages, at least 32 characters; `secret.key` in "
        "the home folder when not set; a secret, in no log",
    )
    link_seconds: int = Field(
        3600, ge=1, description="How long the links to files, thumbnails and markdown hold"
    )
    preview_seconds: float = Field(
        20, gt=0, description="Longest time for drawing a page or thumbnail, or for reading a page's words"
    )
    thumbnail_width: int = Field(240, ge=16, le=2000, description="Width of thumbnails, in pixels")
    preview_cache_mb: int = Field(
        500,
        ge=0,
        description="Most space that kept pictures and words of pages take, in MiB",
    )
    keep_previews_days: float = Field(
        30, gt=0, description="Age after which a kept picture is removed; it is drawn anew when asked for"
    )
    search_seconds: float = Field(10, gt=0, description="Longest time that a search or a list may take")
    search_threads: int = Field(
        3, ge=1, description="Searches that the API works on at the same time, beside all other requests"
    )
    search_team_threads: int = Field(
        2, ge=1, description="Searches of one team that the API works on at the same time"
    )
    search_wait_seconds: float = Field(
        15,
        ge=0,
        description="How long a search waits for its turn, before it is answered with 429 (its team has too "
        "many) or 503 (others have)",
    )
    correction_threads: int = Field(
        2,
        ge=1,
        description="Changes of documents' values that the API works on at the same time, beside all other "
        "requests; a large one takes some hundred MB of memory",
    )
    correction_team_threads: int = Field(
        1, ge=1, description="Changes of values of one team that the API works on at the same time"
    )
    correction_wait_seconds: float = Field(
        30,
        ge=0,
        description="How long a change of values waits for its turn, before it is answered with 429 (its "
        "team has too many) or 503 (others have)",
    )
    regex_work: int = Field(
        20_000_000,
        ge=1000,
        description="Work of a regular expression in one value: characters times instructions of the "
        "compiled expression (ten for a short one, thousands with large repetitions). The rest of a longer "
        "text is not searched",
    )
    rule_seconds: float = Field(
        1,
        gt=0,
        description="Longest time that the rules of folders, and those of review stages, take for one "
        "document; where they take longer, it is put in no folder and is reviewed, and its warnings say so",
    )
    max_review_stages: int = Field(20, ge=1, description="Most review stages of a parser")
    review_overdue_hours: float = Field(
        24, gt=0, description="A document that waits longer in a review stage is overdue"
    )
    max_deleted_documents: int = Field(
        10_000, ge=1, description="Most documents that one request to the API deletes"
    )
    max_lookup_tables: int = Field(50, ge=1, le=1000, description="Most lookup tables of one parser")
    max_lookup_table_bytes: int = Field(
        10 * 1024 * 1024, ge=1, le=256 * 1024 * 1024, description="Largest lookup table, in bytes"
    )
    max_lookup_table_rows: int = Field(100_000, ge=1, description="Most rows of a lookup table")
    lookup_comparisons: int = Field(
        5_000_000,
        ge=1,
        description="Most comparisons of a value with a row that the fuzzy lookups of one document make. "
        "Further values are left, with a warning",
    )
    max_folders: int = Field(1000, ge=1, le=20_000, description="Most folders of one parser")
    max_fields: int = Field(
        1000, ge=1, le=10_000, description="Most fields of one parser, the columns of its tables included"
    )
    suggest_seconds: float = Field(
        60, gt=0, description="Longest time for finding the fields that one sample could be read for"
    )

    max_url_length: int = Field(4096, ge=16, description="Longest URL that is fetched, in characters")
    max_redirects: int = Field(5, ge=0, description="Most redirects that are followed for one URL")
    download_seconds: float = Field(300, gt=0, description="Longest time for fetching one URL")
    download_connect_seconds: float = Field(
        10, gt=0, description="How long a server may take to be found, or to be connected to"
    )
    download_read_seconds: float = Field(
        30, gt=0, description="How long a server may take for the next bytes of what is fetched"
    )
    max_downloads: int = Field(5, ge=1, description="URLs of one upload that are fetched at the same time")
    outbound_allowed_networks: Networks | None = Field(
        None,
        description="Networks of your own, such as `10.1.0.0/16,fd12::/16`, that URLs may be fetched from. "
        "A risk: anyone with an API key reaches every web server in them. Only public addresses when not "
        "set; addresses of cloud metadata services never",
    )

    allow_insecure_webhooks: bool = Field(
        False,
        description="Whether webhooks may have `http://` URLs and lead to this machine's loopback addresses: "
        "for tests. Further private networks are those of `DOCDUCK_OUTBOUND_ALLOWED_NETWORKS`",
    )
    max_webhooks: int = Field(20, ge=1, le=1000, description="Most webhooks of one parser")
    webhook_seconds: float = Field(
        15, gt=0, le=300, description="Longest time for one delivery to a webhook, until its status is there"
    )
    webhook_connect_seconds: float = Field(
        5, gt=0, description="How long a webhook's server may take to be found, or to be connected to"
    )
    webhook_deliveries: int = Field(
        32,
        ge=2,
        le=1000,
        description="Deliveries to webhooks that a process sends at the same time. Webhooks that answer "
        "slowly, or have not answered yet, take half of them at most",
    )
    webhook_deliveries_each: int = Field(
        8,
        ge=1,
        description="Deliveries that a process sends to one webhook at the same time; to one that answers "
        "slowly, one",
    )
    webhook_poll_seconds: float = Field(
        1, gt=0, description="How often the API looks for deliveries to webhooks that are due"
    )
    webhook_failing_days: float = Field(
        5, gt=0, description="Time without a successful delivery after which a failing webhook is disabled"
    )

    workers: int = Field(
        default_factory=lambda: max(1, os.cpu_count() or 1),
        ge=1,
        description="Worker processes that read documents on this machine; with 1, a second one reads what "
        "takes long",
    )
    side_workers: int = Field(
        1,
        ge=1,
        description="Worker processes of the API, besides those that read documents: teams' samples and "
        "lessons take turns at them; pictures of pages have one more",
    )
    worker_seconds: float = Field(
        60, gt=0, description="Longest time for one document, without that for its size and its pages"
    )
    worker_megabyte_seconds: float = Field(
        20, ge=0, description="Further time for each MiB of a document's file"
    )
    worker_page_seconds: float = Field(10, ge=0, description="Further time for each page of a document")
    worker_most_seconds: float = Field(
        3600, gt=0, description="Longest time for a document of whatever size, and however many pages"
    )
    slow_seconds: float = Field(
        5,
        gt=0,
        description="Time after which a document counts as slow: slow ones have half of the workers, and "
        "more only while no others come",
    )
    worker_memory_mb: int = Field(
        1500,
        ge=256,
        description="Most memory that one worker process takes, in MiB, beside the libraries that all share",
    )
    worker_tasks: int = Field(1000, ge=1, description="Documents after which a worker process is replaced")
    max_file_bytes: int = Field(100 * 1024 * 1024, gt=0, description="Largest file taken in, in bytes")
    max_pages: int = Field(2000, gt=0, description="Most pages that are read of a document")
    max_words: int = Field(
        1_000_000, gt=0, description="Most words read of one document; a warning names what is left out"
    )
    max_pixels: int = Field(100_000_000, gt=0, description="Most pixels of an image or of a rendered page")
    max_archive_files: int = Field(
        1000, ge=1, description="Most files of one archive, with the archives inside it"
    )
    max_unpacked_bytes: int = Field(
        300_000_000, ge=1, description="Most bytes that one archive, with the archives inside it, unpacks to"
    )
    max_mail_bytes: int = Field(
        25 * 1024 * 1024, gt=0, description="Largest mail taken in from a mailbox or by address, in bytes"
    )
    mailbox_seconds: float = Field(
        60, gt=0, description="How long a mail server may take to answer, and one that delivers mails to send"
    )
    max_attachments: int = Field(
        20, ge=1, description="Most attachments of one mail that become documents of their own"
    )

    claim_batch: int = Field(1000, ge=1, description="Most documents that a run has claimed at a time")
    lease_seconds: float = Field(60, gt=0, description="How long a claim holds without a heartbeat")
    heartbeat_seconds: float = Field(10, gt=0, description="How often a run renews its claims")
    max_lost_leases: int = Field(
        25, ge=1, description="Times a document may be lost with its run before it is given up as failed"
    )
    run_idle_seconds: float = Field(
        5, ge=0, description="How long a run waits for more once its queue is empty"
    )
    run_warm_seconds: float = Field(
        180,
        ge=0,
        description="How long a run stays for more documents, which it then reads at once, after it has "
        "reported to Dagster; it ends earlier for other runs, and when parsers or the pipeline file change",
    )
    run_start_seconds: float = Field(
        180,
        gt=0,
        description="Longest time for the start of a Dagster run, after which it is failed; until then, no "
        "other is started",
    )
    read_alone_seconds: float = Field(
        600,
        ge=0,
        description="Time without any run of Dagster that reads, while documents wait, after which the API's "
        "process reads them itself, until runs start again; 0 for never",
    )
    run_handover_seconds: float = Field(
        300,
        gt=0,
        description="How long a run goes on before it hands over to the next; one that reads a slow document "
        "goes on until that is read, and reports to Dagster this often what it has done",
    )
    max_concurrent_runs: int = Field(4, ge=1, description="Dagster runs at the same time")
    run_max_seconds: float = Field(
        14_400, gt=0, description="Longest life of a Dagster run, after which it is failed"
    )
    stuck_seconds: float = Field(
        3600, gt=0, description="Time in one state after which the check calls a document stuck"
    )
    confidence_floor: float = Field(
        0.5, ge=0, le=1, description="Mean confidence below which a parser's confidence check warns"
    )

    max_null_share: float = Field(
        0.95, ge=0, le=1, description="Share of rows without a value above which a column's check warns"
    )

    learned_documents_per_parser: int = Field(
        500,
        ge=0,
        description="Corrected or approved documents that a parser remembers; older ones are forgotten",
    )
    learn_document_seconds: float = Field(
        60,
        gt=0,
        description="Longest time for learning from one corrected document; one that takes longer teaches "
        "nothing",
    )
    learn_seconds: float = Field(
        30, ge=0, description="How long a run learns from pending corrections before it reads"
    )

    settle_seconds: float = Field(
        1, ge=0, description="A file must be unchanged for this long before it is taken"
    )
    empty_settle_seconds: float = Field(10, ge=0, description="An empty file is waited for this long")
    intake_batch: int = Field(200, ge=1, description="Files registered in one transaction")
    look_seconds: float = Field(
        20, gt=0, le=50, description="How long a source's server may take to answer what is new"
    )
    source_seconds: float = Field(
        60,
        gt=0,
        description="Longest time for fetching one document of a source, and several at a stretch",
    )
    folder_watch_seconds: float = Field(
        1,
        ge=0,
        description="Seconds between looks of `docduck up` at watched folders while files in them wait, and "
        "where the system does not report changes; 0 leaves folders to their sensors",
    )
    sensor_seconds: int | None = Field(
        None,
        ge=1,
        description="Shortest time between two ticks of a sensor that looks for documents; when not set, "
        "two minutes beside a service that watches folders and starts runs itself, as in `docduck up`, and 5 "
        "seconds otherwise",
    )

    publish_seconds: float = Field(5, ge=0, description="Shortest time between two copies for analysts")
    publish_copy_factor: float = Field(
        10, ge=0, description="Shortest time between two copies, in multiples of the last copy's time"
    )
    analytics_group: str | None = Field(
        None,
        description="Group of this machine's users who may read `analytics.duckdb`; all else in the home is "
        "for its owner alone",
    )
    warehouse_lock_seconds: float = Field(
        120, gt=0, description="How long to wait for the warehouse's writer lock"
    )
    warehouse_memory_mb: int = Field(512, ge=64, description="Memory limit of DuckDB, in MiB")
    query_seconds: float = Field(
        20, gt=0, le=600, description="Longest time that a query on the page Query may take"
    )
    query_memory_mb: int = Field(
        256, ge=64, description="Memory of DuckDB for such a query, in MiB; its process has 512 MiB more"
    )
    query_threads: int = Field(2, ge=1, description="Threads of DuckDB for such a query")
    query_processes: int = Field(
        2, ge=1, description="Such queries at the same time, each in its own process"
    )
    query_team_processes: int = Field(1, ge=1, description="Such queries of one team at the same time")
    query_wait_seconds: float = Field(
        30,
        ge=0,
        description="How long such a query waits for its turn, before it is answered with 429 (its team has "
        "too many) or 503 (others have)",
    )
    max_query_rows: int = Field(100_000, ge=1, description="Most rows of a query's result as a CSV file")
    max_query_characters: int = Field(
        20_000_000, ge=1000, description="Most characters of all values in such a file together"
    )
    max_saved_queries: int = Field(200, ge=1, le=10_000, description="Most saved queries of one team")
    export_folders: Paths | None = Field(
        None,
        description="Folders, such as `/srv/exports,/mnt/share`, that the Dagster job `export` may write to, "
        "besides the home's and those of exports in the pipeline file",
    )
    max_export_documents: int = Field(
        10_000, ge=1, description="Most documents of one export over the API; jobs and commands have no limit"
    )
    max_export_layouts: int = Field(100, ge=1, le=1000, description="Most saved export layouts of one parser")
    export_threads: int = Field(
        2, ge=1, description="Exports that the API writes at the same time, beside all other requests"
    )
    export_team_threads: int = Field(
        1, ge=1, description="Exports of one team that the API writes at the same time"
    )
    export_wait_seconds: float = Field(
        30,
        ge=0,
        description="How long an export waits for its turn, before it is answered with 429 (its team has too "
        "many) or 503 (others have)",
    )
    export_link_seconds: int = Field(
        24 * 3600, ge=1, description="How long an export by link is kept, and its link holds"
    )
    file_grace_seconds: float = Field(
        600, ge=0, description="How long a stored file without a document is kept before it is removed"
    )
    model_base_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s/]+\S*$",
        description="OpenAI-compatible endpoint that mode `accurate` asks, such as `https://host/v1`",
    )
    model_name: str = Field("default", description="Name of the model to ask for at the endpoint")
    model_api_key: SecretStr | None = Field(
        None, description="API key of the endpoint, sent as a bearer token; a secret, in no log"
    )
    model_vision: bool = Field(False, description="Whether the model takes pictures of the pages")
    model_context_tokens: int = Field(
        32_768, ge=2048, description="Tokens that the model takes, question and answer together"
    )
    model_max_concurrent: int = Field(
        4, ge=1, description="Requests to the model at the same time, of all processes of this host"
    )
    model_seconds: float = Field(120, gt=0, description="Longest time for one answer of the model")
    model_retries: int = Field(3, ge=0, description="Times that a failed request to the model is repeated")
    model_input_price: float = Field(0, ge=0, description="Price of a million tokens that the model reads")
    model_output_price: float = Field(0, ge=0, description="Price of a million tokens that the model writes")
    model_monthly_budget: float | None = Field(
        None,
        ge=0,
        description="Most that a team may spend on the model in a calendar month (UTC), in the prices' "
        "currency; then documents are read without it. No limit when not set",
    )

    keep_runs_days: float = Field(14, gt=0, description="Age after which finished Dagster runs are purged")
    keep_deliveries_days: float = Field(
        30,
        gt=0,
        description="Age after which ended deliveries to webhooks, with the values that they sent, are "
        "deleted; those of deleted documents are deleted the next night",
    )
    keep_exports_days: float = Field(
        90,
        gt=0,
        description="Age after which records of exports are deleted; exports of only what is new still know "
        "which documents they had",
    )
    keep_skipped_ticks_days: int = Field(2, ge=1, description="Days that sensor ticks without a run are kept")
    log_level: LogLevel = Field(
        "INFO", description="Lowest level of log lines: DEBUG, INFO, WARNING or ERROR"
    )

    @property
    def catalog_address(self) -> str:
        """The SQLAlchemy address of the catalog."""
        return self.catalog_url or f"sqlite:///{self.home.absolute() / CATALOG_FILE}"

    @property
    def inbox(self) -> Path:
        return self.home / "inbox"

    @property
    def exports(self) -> Path:
        return self.home / "exports"

    @property
    def dagster_home(self) -> Path:
        return self.home / "dagster"


def read_settings() -> Settings:
    """Return the settings from the environment; raise InputError that names the variable and the error."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"DOCDUCK_{str(first['loc'][0]).upper()}"
        is_secret = "SecretStr" in str(Settings.model_fields[str(first["loc"][0])].annotation)
        given = "" if is_secret else f" (got {first['input']!r})"
        raise InputError(f"{name}: {problem_message(first)}{given}", name) from error


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings of this process, read once."""
    return read_settings()
