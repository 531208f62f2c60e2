"""Other values for constants of docduck's modules, such as shorter times, in a test and in its children.

Tests name them as they name settings: ``make_installation(intake_batch=1)``.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SetConstants = Callable[..., None]

_SOURCES = "docduck.service.sources"
_OWNERS = {
    "all_samples_seconds": "docduck.service.previews.field_suggestions.ALL_SAMPLES_SECONDS",
    "api_body_seconds": "docduck.api.request.body.BODY_SECONDS",
    "api_header_seconds": "docduck.server.middleware.connection.HEADER_SECONDS",
    "api_keep_alive_seconds": "docduck.server.http_server.KEEP_ALIVE_SECONDS",
    "api_large_request_seconds": "docduck.api.request.lanes.LARGE_REQUEST_WAIT_SECONDS",
    "api_large_requests": "docduck.api.request.lanes.LARGE_REQUESTS",
    "api_max_connections": "docduck.server.middleware.connection.MAX_CONNECTIONS",
    "api_max_connections_per_client": "docduck.server.middleware.connection.MAX_CLIENT_CONNECTIONS",
    "api_max_requests_per_key": "docduck.api.request.key_limits.REQUESTS_PER_KEY",
    "backstop_seconds": "dagster_docduck.orchestration.definitions.BACKSTOP_SECONDS",
    "claim_batch": "docduck.service.processing.processing.CLAIM_BATCH",
    "classifier_examples_per_label": "docduck.service.classifiers.examples.EXAMPLES_PER_LABEL",
    "classify_inline_seconds": "docduck.service.requests.inline_classification.CLASSIFY_SECONDS",
    "correction_wait_seconds": "docduck.api.request.lanes.CORRECTION_WAIT_SECONDS",
    "empty_settle_seconds": f"{_SOURCES}.scan.EMPTY_SETTLE_SECONDS",
    "expiry_batch": "docduck.service.search.expiry.EXPIRY_BATCH",
    "file_grace_seconds": "docduck.service.upkeep.housekeeping.FILE_GRACE_SECONDS",
    "folder_watch_seconds": "docduck.service.runs.folder_watch.WATCH_SECONDS",
    "heartbeat_seconds": "docduck.owner.HEARTBEAT_SECONDS",
    "idempotency_max_bytes": "docduck.service.requests.idempotency.MAX_RESPONSE_BYTES",
    "intake_batch": f"{_SOURCES}.ledger.INTAKE_BATCH",
    "warn_seconds": "docduck.service.upkeep.health.WARN_SECONDS",
    "known_seconds": "docduck.service.uploads.backlog.KNOWN_SECONDS",
    "keep_previews_days": "docduck.service.previews.preview_cache.KEEP_DAYS",
    "learn_document_seconds": "docduck.service.corrections.learning.LEARN_SECONDS",
    "learned_documents_per_parser": "docduck.service.corrections.learning.MAX_DOCUMENTS",
    "lease_seconds": "docduck.owner.LEASE_SECONDS",
    "link_seconds": "docduck.service.previews.signed_links.LINK_SECONDS",
    "look_seconds": f"{_SOURCES}.remote_sources.LOOK_SECONDS",
    "mail_connections": "docduck.smtp.receiver.MAX_CONNECTIONS",
    "max_archive_files": "docduck.extraction.extraction_settings.MAX_ARCHIVE_FILES",
    "max_attachments": "docduck.service.processing.worker_tasks.MAX_ATTACHMENTS",
    "max_downloads": "docduck.service.uploads.url_uploads.MAX_DOWNLOADS",
    "max_export_documents": "docduck.service.outputs.file_exports.MAX_EXPORT_DOCUMENTS",
    "max_fields": "docduck.service.parsers.parser_fields.MAX_FIELDS",
    "max_folders": "docduck.service.core.folder_tree.MAX_FOLDERS",
    "max_header_bytes": "docduck.server.middleware.connection.MAX_HEADER_BYTES",
    "max_json_bytes": "docduck.api.request.body.MAX_JSON_BYTES",
    "max_lookup_table_bytes": "docduck.service.parsers.lookup_tables.MAX_LOOKUP_TABLE_BYTES",
    "max_lookup_table_rows": "docduck.service.parsers.lookup_tables.MAX_LOOKUP_TABLE_ROWS",
    "max_lookup_tables": "docduck.service.parsers.lookup_tables.MAX_LOOKUP_TABLES",
    "max_lost_leases": "docduck.service.processing.document_queue.MAX_LOST_LEASES",
    "max_null_share": "docduck.service.upkeep.checks.MAX_NULL_SHARE",
    "max_review_stages": "docduck.service.reviews.stage_changes.MAX_REVIEW_STAGES",
    "max_saved_queries": "docduck.service.outputs.saved_queries.MAX_SAVED_QUERIES",
    "max_unpacked_bytes": "docduck.extraction.extraction_settings.MAX_UNPACKED_BYTES",
    "max_upload_bytes": "docduck.service.uploads.url_uploads.MAX_UPLOAD_BYTES",
    "max_upload_files": "docduck.service.uploads.url_uploads.MAX_UPLOAD_FILES",
    "max_wait_seconds": "docduck.api.request.long_poll.MAX_WAIT_SECONDS",
    "max_webhooks": "docduck.service.webhooks.webhook_changes.MAX_WEBHOOKS",
    "mcp_max_file_bytes": "docduck.mcp.sent_files.MAX_FILE_BYTES",
    "oauth_new_clients": "docduck.service.oauth.clients.NEW_CLIENTS",
    "prompt_seconds": "docduck.service.webhooks.slots.PROMPT_SECONDS",
    "publish_catalog_factor": "docduck.warehouse.opening.PUBLISH_CATALOG_FACTOR",
    "publish_copy_factor": "docduck.warehouse.opening.PUBLISH_COPY_FACTOR",
    "publish_seconds": "docduck.warehouse.opening.PUBLISH_SECONDS",
    "read_alone_seconds": "docduck.service.runs.last_resort.READ_ALONE_SECONDS",
    "rule_seconds": "docduck.service.conditions.work_limits.RULE_SECONDS",
    "run_handover_seconds": "docduck.service.processing.run_lock.HANDOVER_SECONDS",
    "run_idle_seconds": "docduck.service.processing.processing.IDLE_SECONDS",
    "run_start_seconds": "docduck.service.processing.run_lock.RUN_START_SECONDS",
    "run_warm_seconds": "dagster_docduck.orchestration.jobs.upload.WARM_SECONDS",
    "search_seconds": "docduck.service.conditions.work_limits.SEARCH_SECONDS",
    "search_team_threads": "docduck.api.request.lanes.SEARCH_TEAM_THREADS",
    "search_wait_seconds": "docduck.api.request.lanes.SEARCH_WAIT_SECONDS",
    "setup_pages": "docduck.service.previews.parser_setup.MOST_PAGES",
    "setup_read_seconds": "docduck.service.previews.parser_setup.READ_SECONDS",
    "setup_seconds": "docduck.service.previews.parser_setup.SETUP_SECONDS",
    "sign_in_attempts": "docduck.service.accounts.sign_in.SIGN_IN_ATTEMPTS",
    "sign_in_attempts_per_address": "docduck.service.accounts.sign_in.SIGN_IN_ATTEMPTS_PER_ADDRESS",
    "sign_in_attempts_per_user": "docduck.service.accounts.sign_in.SIGN_IN_ATTEMPTS_PER_USER",
    "suggest_seconds": "docduck.service.previews.field_suggestions.SUGGEST_SECONDS",
    "sync_documents": "docduck.service.outputs.warehouse_sync.DOCUMENTS_AT_ONCE",
    "sync_parsers": "docduck.service.outputs.warehouse_sync.PARSERS_AT_ONCE",
    "trace_away_seconds": "docduck.outbound.trace_collector.AWAY_SECONDS",
    "trace_end_seconds": "docduck.outbound.trace_collector.END_SECONDS",
    "trace_most_spans": "docduck.outbound.trace_collector.MOST_SPANS",
    "trace_send_seconds": "docduck.outbound.trace_collector.SEND_SECONDS",
    "upload_link_seconds": "docduck.service.uploads.upload_links.LINK_SECONDS",
    "values_at_once": "docduck.service.search.index_tables.VALUES_AT_ONCE",
    "webhook_deliveries": "docduck.service.webhooks.delivery.MAX_DELIVERIES",
    "webhook_poll_seconds": "docduck.service.webhooks.delivery.POLL_SECONDS",
    "webhook_seconds": "docduck.outbound.policy.WEBHOOK_SECONDS",
    "worker_megabyte_seconds": "docduck.extraction.extraction_settings.MEGABYTE_SECONDS",
    "worker_page_seconds": "docduck.extraction.extraction_settings.PAGE_SECONDS",
    "worker_seconds": "docduck.extraction.extraction_settings.WORKER_SECONDS",
}
_CONSTANTS = {path.rpartition(".")[2] for path in _OWNERS.values()}
_PACKAGES = ("docduck.", "dagster_docduck.")


def split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings among ``values``, and the constants."""
    return (
        {name: value for name, value in values.items() if name not in _OWNERS},
        {name: value for name, value in values.items() if name in _OWNERS},
    )


class Constants:
    """Sets constants in this process, until ``reset``; in their own modules, and where they are imported."""

    def __init__(self) -> None:
        self._changed: dict[str, tuple[Any, Any]] = {}

    def set(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            module, _, constant = _OWNERS[name].rpartition(".")
            present = getattr(import_module(module), constant)
            first = self._changed[name][0] if name in self._changed else present
            _replace(constant, present, value)
            self._changed[name] = first, value

    def reset(self) -> None:
        """Also in modules that were imported since."""
        for name, (first, value) in self._changed.items():
            _replace(_OWNERS[name].rpartition(".")[2], value, first)
        self._changed.clear()


@pytest.fixture
def set_constants() -> Iterator[SetConstants]:
    """Sets constants for a test, by name."""
    constants = Constants()
    yield lambda **values: constants.set(values)
    constants.reset()


def children_environment(values: Mapping[str, Any]) -> dict[str, str]:
    """The variables by which a process that a test starts, and its children, have these constants."""
    by_module: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        module, _, constant = _OWNERS[name].rpartition(".")
        by_module.setdefault(module, {})[constant] = value
    return {
        "PYTHONPATH": str(Path(__file__).parent / "children"),
        "TEST_CONSTANTS": json.dumps(by_module),
    }


def _replace(constant: str, present: Any, value: Any) -> None:
    for name in _holders(constant):
        module = sys.modules.get(name)
        known = vars(module).get(constant) if module else None
        if type(known) is type(present) and known == present:
            setattr(module, constant, value)


_known_modules: set[str] = set()
_known_holders: defaultdict[str, list[str]] = defaultdict(list)


def _holders(constant: str) -> list[str]:
    """Return the names of docduck's modules that have the constant; each module is searched once."""
    for name in sys.modules.keys() - _known_modules:
        module = sys.modules[name]
        if not name.startswith(_PACKAGES):
            _known_modules.add(name)
        elif isinstance(module, ModuleType) and not _is_incomplete(module):
            _known_modules.add(name)
            for known in _CONSTANTS & vars(module).keys():
                _known_holders[known].append(name)
    return _known_holders[constant]


def _is_incomplete(module: ModuleType) -> bool:
    """Return whether another thread is still importing it."""
    return bool(getattr(module.__spec__, "_initializing", False))
