"""Traces of documents, as a collector that speaks OTLP gets them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from obstore.store import S3Store
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from docduck import clock, tracing
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.core.installation import Installation, open_installation
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.object_store import KEYS, bucket, server
from tests.server.served import serving
from tests.service.core.documents import make_parser, upload
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import approved, stage
from tests.service.webhooks.receiver import INSECURE, Received, Receiver, deliver, receiving, subscribe

ROOT = Path(__file__).parent.parent

__all__ = ["bucket", "server"]

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
Sent = Callable[[], list[Span]]


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def sent(collector: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sent]:
    """Switches traces on; when called, ends them and returns the spans that the collector got."""
    monkeypatch.setenv(tracing.ENDPOINT, collector.url(""))
    monkeypatch.setenv(tracing.HEADERS, "authorization=Bearer%20t0ken,x-tenant=a")
    tracing.start()

    def stop() -> list[Span]:
        tracing.stop()
        return [span for one in requests(collector.received) for span in spans_of(one)]

    yield stop
    tracing.stop()


def requests(received: Sequence[Received]) -> list[ExportTraceServiceRequest]:
    return [ExportTraceServiceRequest.FromString(one.body) for one in received]


def spans_of(request: ExportTraceServiceRequest) -> list[Span]:
    return [
        span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans
    ]


def attributes(described: Any) -> dict[str, Any]:
    """The attributes of a span or a resource."""
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in described.attributes}


def names(spans: Sequence[Span]) -> list[str]:
    """In their order of time; a step is recorded when it ends."""
    return [span.name for span in sorted(spans, key=lambda span: span.start_time_unix_nano)]


def in_child(home: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run lines in another process, with the installation ``inst``."""
    opening = (
        "from docduck.service.core.installation import open_installation",
        "inst = open_installation()",
    )
    environment = {**os.environ, "DOCDUCK_HOME": str(home)}
    command = [sys.executable, "-c", "\n".join([*opening, *lines])]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_a_document_has_one_trace_from_its_upload_to_its_webhook(
    make_installation: MakeInstallation, sent: Sent, collector: Receiver
) -> None:
    inst = make_installation(**INSECURE)
    with serving(inst) as api, receiving() as receiver:
        parser_id = api.parser()
        subscribe(inst, parser_id, receiver.url("/s3cret-path"), ["document.exported"])
        api.headers["traceparent"] = CALLER
        document_id = api.upload(parser_id, name="Rechnung Meier.txt", externalIds='["E-77"]')
        process_queue(inst, RunOptions(run_id="run-1"))
        assert deliver(inst) == 1
    spans = sent()
    assert names(spans) == ["upload", "queued", "read", "store", "table", "webhook"]
    assert {span.trace_id for span in spans} == {uuid.UUID(document_id).bytes}
    root, *others = sorted(spans, key=lambda span: span.name != "upload")
    assert root.span_id == uuid.UUID(document_id).bytes[8:] and root.parent_span_id == b""
    assert {span.parent_span_id for span in others} == {root.span_id}
    assert len({span.span_id for span in spans}) == 6
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in spans)
    assert all(span.status.code == Status.STATUS_CODE_UNSET for span in spans)
    (link,) = root.links
    assert f"00-{link.trace_id.hex()}-{link.span_id.hex()}-01" == CALLER
    by_name = {span.name: attributes(span) for span in spans}
    shared = {"docduck.document_id": document_id, "docduck.team_id": inst.team_id}
    assert all(found.items() >= shared.items() for found in by_name.values())
    assert by_name["upload"]["docduck.source"] == "api" and by_name["upload"]["docduck.size"] == 25
    read = {"parser": "invoices", "attempt": 1, "type": "text/plain", "pages": 1, "run_id": "run-1"}
    assert by_name["read"].items() >= {f"docduck.{name}": value for name, value in read.items()}.items()
    assert by_name["store"]["docduck.status"] == by_name["table"]["docduck.status"] == "processed"
    assert by_name["webhook"]["docduck.event"] == "document.exported"
    assert by_name["webhook"]["docduck.status_code"] == 204
    first = collector.received[0]
    assert first.path == "/v1/traces" and first.headers["content-type"] == "application/x-protobuf"
    assert (first.headers["authorization"], first.headers["x-tenant"]) == ("Bearer t0ken", "a")
    for secret in ("Meier", "E-77", "A-1", "12.5", "s3cret-path", "t0ken", api.key):
        assert all(secret.encode() not in one.body for one in collector.received), secret


def test_a_file_of_a_source_is_traced_and_an_error_is_named(any_inst: Installation, sent: Sent) -> None:
    parser = make_parser(any_inst)
    folder = any_inst.settings.home / "inbox" / parser.slug
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 this is damaged")
    ingest(any_inst, inbox(any_inst))
    process_queue(any_inst)
    spans = sent()
    assert names(spans) == ["upload", "queued", "read", "store", "table"]
    by_name = {span.name: span for span in spans}
    assert attributes(by_name["upload"])["docduck.source"] == "folder" and not by_name["upload"].links
    for name in ("read", "store"):
        assert by_name[name].status.code == Status.STATUS_CODE_ERROR
        assert attributes(by_name[name])["error.type"] == "DamagedFile"
    assert attributes(by_name["store"])["docduck.status"] == "failed"


def test_reviews_and_incremental_exports_are_traced(inst: Installation, sent: Sent) -> None:
    parser = make_parser(inst)
    ann = make_member(inst, "ann@example.org")
    stage(inst, parser, "Books", ann)
    document_id = upload(inst, inst.team_id, parser.slug, b"Number: A-1")
    process_queue(inst)
    approved(inst, parser, document_id, ann)
    for _ in range(2):
        export_to_folder(inst, inst.team_id, parser.slug, increment="nightly")
    spans = {span.name: span for span in sent()}
    assert [*spans] == ["upload", "queued", "read", "store", "table", "review", "export"]
    assert attributes(spans["store"])["docduck.status"] == "in_review"
    assert attributes(spans["review"])["docduck.decision"] == "approved"
    assert attributes(spans["export"])["docduck.format"] == "json"


def test_files_of_a_bucket_are_fetched(
    make_installation: MakeInstallation, server: str, bucket: S3Store, sent: Sent, monkeypatch: Any
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    inst = make_installation(files_url=f"s3://{bucket.config['bucket']}", files_endpoint=server)
    upload(inst, inst.team_id, make_parser(inst).slug, b"Number: A-1")
    process_queue(inst)
    assert names(sent()) == ["upload", "queued", "fetch", "read", "store", "table"]


def test_what_is_rolled_back_is_not_traced(inst: Installation, sent: Sent) -> None:
    with pytest.raises(RuntimeError), inst.catalog.transaction() as session:
        tracing.record("review", new_id(), clock.now(), session=session)
        raise RuntimeError
    with inst.catalog.transaction() as session:
        tracing.record("export", new_id(), clock.now(), session=session)
    assert names(sent()) == ["export"]


def test_names_of_the_environment_describe_the_process(
    sent: Sent, collector: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test%20one,service.name=a")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "invoices")
    tracing.record("read", new_id(), clock.now())
    assert len(sent()) == 1
    ((resource,),) = (one.resource_spans for one in requests(collector.received))
    found = attributes(resource.resource)
    assert found["service.name"] == "invoices" and found["deployment.environment"] == "test one"


@pytest.mark.parametrize(
    "header", ["", "00-0-0-01", CALLER.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32)]
)
def test_an_invalid_traceparent_is_no_link(inst: Installation, sent: Sent, header: str) -> None:
    tracing.begin_request(header)
    with inst.catalog.transaction() as session:
        tracing.record_upload(session, new_id(), clock.now(), None)
    (span,) = sent()
    assert not span.links


@pytest.mark.slow
def test_other_processes_add_to_the_trace(inst: Installation, sent: Sent) -> None:
    document_id = upload(inst, inst.team_id, make_parser(inst).slug, b"Number: A-1")
    done = in_child(
        inst.settings.home,
        "from docduck.service.processing.processing import RunOptions, process_queue",
        "process_queue(inst, RunOptions(idle_seconds=0))",
    )
    assert done.returncode == 0, done.stderr
    spans = sent()
    assert names(spans) == ["upload", "queued", "read", "store", "table"]
    assert {span.trace_id for span in spans} == {uuid.UUID(document_id).bytes}
    assert {span.parent_span_id for span in spans} == {b"", uuid.UUID(document_id).bytes[8:]}


@pytest.mark.slow
def test_off_imports_nothing_and_records_nothing(tmp_path: Path) -> None:
    done = in_child(
        tmp_path / "home",
        "import sys",
        "from docduck import clock, tracing",
        "from docduck.service.processing import processing",
        "tracing.record('read', 'id', clock.now())",
        "assert not tracing.is_on()",
        "heavy = ('opentelemetry.proto', 'google.protobuf', 'docduck.outbound.spans')",
        "assert not {*heavy} & {*sys.modules}",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("endpoint", "headers", "problem"),
    [
        ("collector:4317", "", "OTEL_EXPORTER_OTLP_ENDPOINT must be http"),
        ("https://user:s3cret@collector", "", "OTEL_EXPORTER_OTLP_ENDPOINT must be http"),
        ("http://collector", "authorization: s3cret", "OTEL_EXPORTER_OTLP_HEADERS must be name=value"),
        ("http://collector", "authorization=s3crét", "OTEL_EXPORTER_OTLP_HEADERS must be name=value"),
        ("http://collector", "authorization=s3cret%0Ax", "OTEL_EXPORTER_OTLP_HEADERS must be name=value"),
    ],
)
def test_wrong_variables_are_refused_without_their_secrets(
    endpoint: str, headers: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(tracing.ENDPOINT, endpoint)
    monkeypatch.setenv(tracing.HEADERS, headers)
    with pytest.raises(InputError, match=problem) as raised:
        open_installation(Settings(home=tmp_path / "home"))
    assert "s3cr" not in str(raised.value) and not (tmp_path / "home").exists()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tracing.ENDPOINT, "http://localhost:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.proto", None)
    with pytest.raises(InputError, match=r"install docduck\[traces\]"):
        tracing.start()
    assert not tracing.is_on()


def test_the_readme_lists_all_spans() -> None:
    source = "".join(path.read_text() for path in (ROOT / "docduck").rglob("*.py"))
    recorded = {"upload", *re.findall(r'tracing\.record\(\s*"(\w+)"', source)}
    text = (ROOT / "docduck/service/upkeep/README.md").read_text()
    table = text.partition("\n## Traces\n")[2].partition("\n## ")[0]
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)} == recorded
