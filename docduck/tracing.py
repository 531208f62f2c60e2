"""Traces of documents, for OpenTelemetry: off unless ``OTEL_EXPORTER_OTLP_ENDPOINT`` is set.

    record("read", document_id, began, parser="invoices", pages=2)

The id of a document's trace is the document's, and so is the id of its first span, ``upload``: processes and
hosts add to one trace without telling each other anything. Attributes are ids, kinds and numbers, never
names of files, values or secrets.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docduck import clock
from docduck.errors import InputError
from docduck.outbound.trace_collector import DocumentSpan, Scalar, TraceCollector

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

ENDPOINT, HEADERS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"

_collector: TraceCollector | None = None


@dataclass(frozen=True, slots=True)
class _Request:
    """The request that is being answered."""

    at: dt.datetime
    traceparent: str | None


_request: ContextVar[_Request | None] = ContextVar("docduck_request", default=None)
_common: ContextVar[Mapping[str, Scalar | None]] = ContextVar("docduck_span_attributes", default={})  # noqa: B039


def start() -> None:
    """Send the spans that are recorded from now on, if ``OTEL_EXPORTER_OTLP_ENDPOINT`` is set.

    Raise InputError if it or ``OTEL_EXPORTER_OTLP_HEADERS`` is invalid, or the extra ``traces`` is missing.
    """
    global _collector
    url = os.environ.get(ENDPOINT, "")
    if not url or _collector is not None:
        return
    if not re.fullmatch(r"https?://[^\s?#@]+", url):
        raise InputError(f"{ENDPOINT} must be http://… or https://…, such as http://localhost:4318", ENDPOINT)
    pairs = [pair.partition("=") for pair in os.environ.get(HEADERS, "").split(",") if pair.strip()]
    headers = {unquote(name.strip()): unquote(value.strip()) for name, _, value in pairs}
    if not all(
        re.fullmatch(r"[\w-]+", name, re.ASCII) and value.isascii() and value.isprintable()
        for name, value in headers.items()
    ):
        # Without the text, which has secrets.
        raise InputError(f"{HEADERS} must be name=value, with commas between several", HEADERS)
    if importlib.util.find_spec("opentelemetry") is None or not importlib.util.find_spec(
        "opentelemetry.proto"
    ):
        raise InputError(
            f"{ENDPOINT} needs the package opentelemetry-proto: install docduck[traces]", ENDPOINT
        )
    _collector = TraceCollector(url, headers)


def stop() -> None:
    """Send the spans that wait, for a moment, and record no more."""
    global _collector
    if _collector is not None:
        _collector.close()
        _collector = None


def is_on() -> bool:
    """Return whether spans are recorded."""
    return _collector is not None


def record(
    name: str,
    document_id: str,
    began: dt.datetime,
    ended: dt.datetime | None = None,
    *,
    error: str | None = None,
    session: Session | None = None,
    **attributes: Scalar | None,
) -> None:
    """Record a step of a document's way, which ended now by default; ``error`` is the kind of an error.

    With ``session``, it is recorded once its transaction has committed.
    """
    if _collector is not None:
        _add(DocumentSpan(name, document_id, began, ended or clock.now(), _known(attributes), error), session)


def record_upload(
    session: Session,
    document_id: str,
    at: dt.datetime,
    began: dt.datetime | None,
    **attributes: Scalar | None,
) -> None:
    """Record that a document was registered ``at`` a moment, once the transaction has committed.

    It ``began`` to be taken in before; None: with the request that is being answered, if there is one.
    """
    if _collector is not None:
        request = _request.get()
        began = began or (request.at if request else at)
        span = DocumentSpan(
            "upload",
            document_id,
            began,
            clock.now(),
            _known(attributes),
            is_root=True,
            traceparent=request.traceparent if request else None,
        )
        _add(span, session)


def begin_request(traceparent: str | None) -> None:
    """Note that a request is answered in this context from now on, whose sender's span is ``traceparent``."""
    _request.set(_Request(clock.now(), traceparent))


@contextmanager
def common(**attributes: Scalar | None) -> Iterator[None]:
    """Add attributes to the spans that are recorded in the block."""
    token = _common.set({**_common.get(), **attributes})
    try:
        yield
    finally:
        _common.reset(token)


def _known(attributes: Mapping[str, Scalar | None]) -> dict[str, Scalar]:
    return {name: value for name, value in {**_common.get(), **attributes}.items() if value is not None}


def _add(span: DocumentSpan, session: Session | None) -> None:
    collector = _collector
    assert collector is not None
    if session is None:
        collector.add(span)
        return
    from sqlalchemy import event

    event.listen(session, "after_commit", lambda _: collector.add(span), once=True)
