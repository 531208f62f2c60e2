"""Catalogs as older docducks left them, with a handful of rows each.

Each was written by a docduck of that version: it read an invoice and a mail with an invoice, and one value
was corrected.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, make_url, select

from docduck.catalog.models import Classifier, DocumentResult, Webhook
from docduck.service.core.installation import open_installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.parsers.parsers import list_parsers
from docduck.service.search.maintenance import index_stale_documents
from docduck.service.search.query import DocumentQuery
from docduck.settings import Settings
from tests.catalog.sql_dump import restore

FOLDER = Path(__file__).parent / "catalogs"
VERSIONS = sorted(path.stem for path in FOLDER.glob("[0-9][0-9][0-9][0-9].sql"))
"""Of the catalog, each as SQLite's SQL; the first also as PostgreSQL's."""
FIRST = VERSIONS[0]


def create_old(address: str, version: str = FIRST) -> None:
    """Make the catalog of an old version in an empty database."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        restore((FOLDER / f"{version}.sql").read_text(), Path(str(url.database)))
        return
    engine = create_engine(url)
    connection = engine.raw_connection()
    connection.cursor().execute((FOLDER / f"{version}.postgres.sql").read_text())
    connection.commit()
    connection.close()
    engine.dispose()


def check_home(settings: Settings) -> None:
    """Check what each of these catalogs has: it is shown, found by its values, and corrected."""
    inst = open_installation(settings)
    assert index_stale_documents(inst) == 0
    (parser,) = list_parsers(inst, inst.team_id)
    rows = find_documents(inst, parser.team_id, parser.id, DocumentQuery()).rows
    statuses = {row.name: row.status for row in rows}
    assert statuses.pop("mail.eml") in ("processed", "skipped")
    assert statuses == {
        "a.txt": "processed",
        "c.txt": "processed",
        "b.txt": "queued",
    }
    ids = {row.name: row.id for row in rows}
    for query in (DocumentQuery(q="a.tx"), DocumentQuery(q="a-9", in_values=True)):
        found = find_documents(inst, parser.team_id, parser.id, query).rows
        assert [row.name for row in found] == ["a.txt"]
    view = get_document(inst, parser.team_id, ids["a.txt"])
    assert (view.data["Number"], view.data["Total"]) == ("A-9", 119)
    assert view.field_metadata["Number"]["edited"] and not view.field_metadata["Total"]["edited"]
    assert [entry.event for entry in view.history] == ["stored", "claimed", "extracted", "corrected"]
    of_mail = get_document(inst, parser.team_id, ids["c.txt"])
    assert (of_mail.source_detail or {})["mail"] == ids["mail.eml"]
    assert of_mail.parts in ([], [ids["mail.eml"], ids["c.txt"]])
    set_values(inst, parser.team_id, parser.id, ids["a.txt"], {"Number": "A-10"})
    assert get_document(inst, parser.team_id, ids["a.txt"]).data["Number"] == "A-10"
    with inst.catalog.read_session() as session:
        read = session.scalars(select(DocumentResult.read_values).where(DocumentResult.edited)).one()
        assert "A-1" in (read or {}).values(), "what was read before the first correction"
        (hook,) = session.scalars(select(Webhook))
        assert len(hook.previous_secrets or []) == 1
        assert session.scalars(select(Classifier.slug)).all() == ["incoming_mail"]
    inst.close()
