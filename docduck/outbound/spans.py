"""Spans in the protobuf encoding of OpenTelemetry (OTLP)."""

from __future__ import annotations

import datetime as dt
import os
import random
import re
import socket
import uuid
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from urllib.parse import unquote

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from docduck.outbound.trace_collector import DocumentSpan, Scalar

_KINDS = {"upload": Span.SPAN_KIND_SERVER, "webhook": Span.SPAN_KIND_CLIENT}
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")
"""W3C Trace Context, 3.2."""
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def encoded(spans: Iterable[DocumentSpan]) -> bytes:
    """Return the body of a request that sends spans."""
    scope = InstrumentationScope(name="docduck", version=version("docduck"))
    scope_spans = ScopeSpans(scope=scope, spans=map(_span, spans))
    resource_spans = ResourceSpans(resource=_resource(), scope_spans=[scope_spans])
    return bytes(ExportTraceServiceRequest(resource_spans=[resource_spans]).SerializeToString())


def _resource() -> Resource:
    """Return what describes this process; ``OTEL_SERVICE_NAME`` and ``OTEL_RESOURCE_ATTRIBUTES`` go first."""
    pairs = (pair.partition("=") for pair in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "").split(","))
    attributes: dict[str, Scalar] = {
        "service.name": "docduck",
        "service.version": version("docduck"),
        "host.name": socket.gethostname(),
        "process.pid": os.getpid(),
        **{name.strip(): unquote(value.strip()) for name, _, value in pairs if value},
    }
    if name := os.environ.get("OTEL_SERVICE_NAME"):
        attributes["service.name"] = name
    return Resource(attributes=_attributes(attributes))


def _span(span: DocumentSpan) -> Span:
    trace_id = uuid.UUID(span.document_id).bytes
    root_id, is_root = trace_id[8:], span.is_root
    attributes = {f"docduck.{name}": value for name, value in span.attributes.items()}
    if span.error is not None:
        attributes["error.type"] = span.error
    return Span(
        trace_id=trace_id,
        span_id=root_id if is_root else random.randbytes(8),
        parent_span_id=b"" if is_root else root_id,
        name=span.name,
        kind=_KINDS.get(span.name, Span.SPAN_KIND_INTERNAL),
        start_time_unix_nano=_nanoseconds(span.began),
        end_time_unix_nano=_nanoseconds(max(span.began, span.ended)),
        attributes=_attributes({"docduck.document_id": span.document_id, **attributes}),
        links=_links(span.traceparent),
        status=Status() if span.error is None else Status(code=Status.STATUS_CODE_ERROR, message=span.error),
    )


def _links(traceparent: str | None) -> list[Span.Link]:
    """Return a link to the caller's span; none if the header is missing or invalid."""
    match = _TRACEPARENT.fullmatch(traceparent or "")
    if match is None or not int(match[1], 16) or not int(match[2], 16):
        return []
    return [Span.Link(trace_id=bytes.fromhex(match[1]), span_id=bytes.fromhex(match[2]))]


def _attributes(values: Mapping[str, Scalar]) -> list[KeyValue]:
    return [KeyValue(key=name, value=_value(value)) for name, value in values.items()]


def _value(value: Scalar) -> AnyValue:
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int):
        return AnyValue(int_value=value)
    return AnyValue(double_value=value) if isinstance(value, float) else AnyValue(string_value=value)


def _nanoseconds(moment: dt.datetime) -> int:
    return (moment - _EPOCH) // dt.timedelta(microseconds=1) * 1000
