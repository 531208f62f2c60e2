from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import func, select, update

from docduck import clock
from docduck.catalog.models import AuditEntry, Document, PendingCorrection, StoredLayout
from docduck.documents.document import Box
from docduck.errors import Conflict, InputError, NotFound
from docduck.extraction.result import Location
from docduck.fields import Field, parse_fields
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.edited_evidence import edited_entry
from docduck.service.corrections.learning import LEARN_SECONDS, forget_layouts, learn, learned_layouts
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document, show_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, delete_parser
from docduck.service.processing.processing import RunOptions, process_queue
from tests.conftest import MakeInstallation
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, covered, paper
from tests.service.core.documents import add, complete, correct, make_parser, upload
from tests.service.core.people import make_member

pytestmark = pytest.mark.slow


def papers(inst: Installation, fields: list[Field] | None = None) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Papers", fields=fields or list(FIELDS)))


def read(inst: Installation, parser: ParserView, number: int, sender: int = 0) -> tuple[str, dict[str, Any]]:
    """A document that was read, and its truth."""
    data, truth = paper(SENDERS[sender], number)
    document = upload(inst, inst.team_id, parser.slug, data, f"{sender}-{number}.pdf")
    process_queue(inst)
    return document, truth


def lessons(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(StoredLayout)) or 0


def test_a_correction_is_kept_shown_and_learned(any_inst: Installation) -> None:
    parser = papers(any_inst)
    first, truth = read(any_inst, parser, 0)
    assert get_document(any_inst, any_inst.team_id, first).data["Reference"] != truth["Reference"]
    found = correct(any_inst, any_inst.team_id, first, truth, actor="ann")
    assert found.data == truth
    entry = found.field_metadata["Reference"]
    assert (entry["edited"], entry["editedBy"], entry["confidence"], entry["source"]) == (
        True,
        "ann",
        1.0,
        "user",
    )
    assert found.field_metadata["Items"][0]["Article"]["edited"]
    assert [(e.event, e.from_status, e.to_status, e.actor) for e in found.history][-1] == (
        "corrected",
        "processed",
        "processed",
        "ann",
    )
    second, expected = read(any_inst, parser, 1)
    assert get_document(any_inst, any_inst.team_id, second).data == expected
    process_queue(any_inst)
    sql = "SELECT reference FROM papers.documents ORDER BY name"
    assert [row[0] for row in any_inst.warehouse.query(sql).rows] == [
        truth["Reference"],
        expected["Reference"],
    ]


def test_it_is_learned_from_the_pages_that_are_read(inst: Installation) -> None:
    new = NewParser(name="Papers", fields=FIELDS, settings={"parsePages": "2"})
    parser = create_parser(inst, inst.team_id, new)
    documents, truths = [], []
    for number in range(2):
        data, truth = covered(SENDERS[0], number)
        documents.append(upload(inst, inst.team_id, parser.slug, data, f"{number}.pdf"))
        truths.append(truth)
    process_queue(inst)
    first, second = documents
    assert get_document(inst, inst.team_id, second).data["Reference"] != truths[1]["Reference"]
    correct(inst, inst.team_id, first, truths[0])
    reprocess(inst, inst.team_id, [second])
    process_queue(inst)
    assert get_document(inst, inst.team_id, second).data == truths[1]


def test_what_is_learned_counts_in_a_run_that_is_under_way(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    told: list[int] = []

    def teach_and_queue(done: int) -> None:
        if not told:
            correct(inst, inst.team_id, first, truth)
            told.append(done)

    data, _ = paper(SENDERS[0], 1)
    second = upload(inst, inst.team_id, parser.slug, data, "second.pdf")
    process_queue(inst, RunOptions(on_progress=teach_and_queue))
    reprocess(inst, inst.team_id, [second])
    process_queue(inst)
    _, expected = paper(SENDERS[0], 1)
    assert get_document(inst, inst.team_id, second).data == expected


def test_nothing_is_learned_across_teams_or_parsers(inst: Installation) -> None:
    mine, other = papers(inst), create_parser(inst, inst.team_id, NewParser(name="Others", fields=FIELDS))
    first, truth = read(inst, mine, 0)
    correct(inst, inst.team_id, first, truth)
    assert len(learned_layouts(inst, mine.id)) == 1
    assert learned_layouts(inst, other.id) == ()
    second, expected = read(inst, other, 1)
    assert get_document(inst, inst.team_id, second).data["Reference"] != expected["Reference"]


def test_the_newest_lesson_of_a_document_replaces_its_earlier_one(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, first, {"Reference": truth["Recipient"]})
    correct(inst, inst.team_id, first, {"Reference": truth["Reference"]})
    assert lessons(inst) == 1
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, second).data["Reference"] == expected["Reference"]


def test_the_oldest_is_forgotten_when_there_are_too_many(make_installation: MakeInstallation) -> None:
    inst = make_installation(learned_documents_per_parser=1)
    parser = papers(inst)
    for sender in (0, 1):
        document, truth = read(inst, parser, 0, sender)
        correct(inst, inst.team_id, document, truth)
    (left,) = learned_layouts(inst, parser.id)
    assert "merk" in left.fingerprint.words


def test_a_parser_can_be_made_to_forget(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, first, truth)
    delete_documents(inst, inst.team_id, [first])
    assert lessons(inst) == 1, "a deleted document has taught all the same"
    assert forget_layouts(inst, inst.team_id, parser.slug) == 1
    assert lessons(inst) == 0
    with pytest.raises(NotFound):
        forget_layouts(inst, inst.team_id, "nobody")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"Nothing": 1}, "data.Nothing"),
        ({"Reference": 5}, "data.Reference"),
        ({"Issued": "05/06/2024"}, "data.Issued"),
        ({"Deposit": "12"}, "data.Deposit"),
        ({"Deposit": True}, "data.Deposit"),
        ({"Depot": "West"}, "data.Depot"),
        ({"Items": {"Article": "a"}}, "data.Items"),
        ({"Items": ["a"]}, "data.Items.0"),
        ({"Items": [{"Colour": "red"}]}, "data.Items.0.Colour"),
        ({"Items": [{"Amount": "12"}]}, "data.Items.0.Amount"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_changes(
    inst: Installation, changes: dict[str, Any], path: str
) -> None:
    parser = papers(inst)
    document, _ = read(inst, parser, 0)
    before = get_document(inst, inst.team_id, document)
    with pytest.raises(InputError) as caught:
        correct(inst, inst.team_id, document, changes)
    assert caught.value.path == path
    assert get_document(inst, inst.team_id, document) == before
    assert lessons(inst) == 0


def test_a_document_that_is_not_done_is_refused(inst: Installation) -> None:
    parser = papers(inst)
    data, _ = paper(SENDERS[0], 0)
    waiting = upload(inst, inst.team_id, parser.slug, data, "waiting.pdf")
    with pytest.raises(Conflict, match="already being processed"):
        correct(inst, inst.team_id, waiting, {"Reference": "A"})
    with pytest.raises(NotFound):
        correct(inst, inst.team_id, "nobody", {"Reference": "A"})


def test_null_clears_a_value_and_its_place(inst: Installation) -> None:
    parser = papers(inst)
    document, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, document, truth)
    found = correct(inst, inst.team_id, document, {"Reference": None})
    assert found.data["Reference"] is None
    entry = found.field_metadata["Reference"]
    assert (entry["edited"], entry["source"], entry["page"], entry["locations"]) == (True, "user", None, [])


def owed(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(PendingCorrection)) or 0


def test_values_are_set_at_once_and_learned_from_later(any_inst: Installation) -> None:
    inst, parser = any_inst, papers(any_inst)
    first, truth = read(inst, parser, 0)
    ann = make_member(inst)
    before = get_document(inst, inst.team_id, first).data
    found = set_values(inst, inst.team_id, parser.id, first, truth, reviewer_id=ann, actor="key abc")
    assert found.data == truth
    assert found.field_metadata["Reference"]["editedBy"] == ann
    assert (owed(inst), lessons(inst)) == (1, 0)
    assert process_pending(inst) == 1
    assert (owed(inst), lessons(inst)) == (0, 1)
    assert process_pending(inst) == 0
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, second).data == expected
    with inst.catalog.read_session() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "document.corrected"))
        assert (entry.actor, entry.resource_id) == (ann, first)
        assert entry.details is not None
        assert (entry.details["fields"], entry.details["replaced"]) == (sorted(truth), False)
        changed = {name for name in truth if truth[name] != before[name]}
        assert set(entry.details["changed"]) == changed
        assert entry.details["before"] == {name: before[name] for name in changed}
        assert entry.details["after"] == {name: truth[name] for name in changed}


def test_a_run_learns_what_is_owed_before_it_reads(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    set_values(inst, inst.team_id, parser.id, first, truth)
    assert lessons(inst) == 0
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, second).data == expected
    assert owed(inst) == 0


def test_several_corrections_owe_one_lesson_of_what_was_read_first(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    for name in ("Reference", "Recipient"):
        set_values(inst, inst.team_id, parser.id, first, {name: truth[name]})
    assert owed(inst) == 1
    assert process_pending(inst) == 1
    (lesson,) = learned_layouts(inst, parser.id)
    by_id = {str(field.id): field.name for field in parser.fields}
    places = {by_id[key]: place.corrected for key, place in lesson.places.items()}
    assert places["Reference"]


def test_a_later_correction_keeps_what_earlier_ones_taught(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    for name in ("Reference", "Recipient", "Grand Total"):
        correct(inst, inst.team_id, first, {name: truth[name]})
    correct(inst, inst.team_id, first, {"Recipient Address": "Nowhere on this page"})
    assert lessons(inst) == 1
    second, expected = read(inst, parser, 1)
    found = get_document(inst, inst.team_id, second).data
    for name in ("Reference", "Recipient", "Grand Total"):
        assert found[name] == expected[name]


@pytest.mark.parametrize(
    "changes",
    [
        {"Reference": "A reference written by hand", "Depot": None},
        {"Reference": "M636/95", "Deposit": 472.64},
    ],
)
def test_reading_again_without_corrections_brings_no_edit_back(
    any_inst: Installation, changes: dict[str, Any]
) -> None:
    inst, parser = any_inst, papers(any_inst)
    first, _ = read(inst, parser, 0)
    before = get_document(inst, inst.team_id, first)
    assert all(before.data[name] != value for name, value in changes.items())
    correct(inst, inst.team_id, first, changes)
    reprocess(inst, inst.team_id, [first], discard_corrections=True)
    process_queue(inst)
    again = get_document(inst, inst.team_id, first)
    assert again.data == before.data
    assert again.field_metadata == before.field_metadata


def test_what_a_document_taught_outlives_its_edit(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, first, truth)
    reprocess(inst, inst.team_id, [first], discard_corrections=True)
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, first).data["Reference"] is None
    assert get_document(inst, inst.team_id, second).data == expected
    correct(inst, inst.team_id, second, {"Deposit": 1.0})
    reprocess(inst, inst.team_id, [first])
    process_queue(inst)
    assert get_document(inst, inst.team_id, first).data["Reference"] is None


def test_constants_need_two_corrected_documents(any_inst: Installation) -> None:
    inst = any_inst
    parser = papers(inst, [Field(name="Vendor"), Field(name="Reference")])
    firm = "Brontal International Holding Ltd"
    ids = [read(inst, parser, number)[0] for number in range(2)]
    seen = []
    for number, document in enumerate(ids, start=2):
        correct(inst, inst.team_id, document, {"Vendor": firm, "Reference": "never printed"})
        seen.append(get_document(inst, inst.team_id, read(inst, parser, number)[0]))
    assert [one.data["Vendor"] == firm for one in seen] == [False, True]
    assert all(one.data["Reference"] != "never printed" for one in seen)
    entry = seen[1].field_metadata["Vendor"]
    assert (entry["source"], entry["locations"]) == ("learned", [])
    assert entry["confidence"] <= 0.7
    reprocess(inst, inst.team_id, ids, discard_corrections=True)
    process_queue(inst)
    assert all(get_document(inst, inst.team_id, one).data["Vendor"] != firm for one in ids)


def test_a_correction_while_it_is_learned_is_not_lost(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    set_values(inst, inst.team_id, parser.id, first, {"Reference": truth["Recipient"]})
    seen: list[Any] = []

    def interrupted(inst: Installation, *given: Any, **more: Any) -> Any:
        seen.append(given[3].data["Reference"])
        if len(seen) == 1:
            set_values(inst, inst.team_id, parser.id, first, {"Reference": truth["Reference"]})
        return learn(inst, *given, **more)

    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", interrupted)
    assert process_pending(inst) == 2
    assert seen == [truth["Recipient"], truth["Reference"]]
    assert (owed(inst), lessons(inst)) == (0, 1)


def test_a_lesson_whose_process_dies_stays_owed(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    set_values(inst, inst.team_id, parser.id, first, truth)

    def die(*given: Any, **more: Any) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("docduck.service.corrections.pending_corrections.learn", die)
        process_pending(inst)
    assert (owed(inst), process_pending(inst)) == (1, 0), "it is somebody's until the lease ends"
    later = clock.now() + dt.timedelta(seconds=LEARN_SECONDS + 61)
    monkeypatch.setattr("docduck.clock.now", lambda: later)
    assert process_pending(inst) == 1
    assert (owed(inst), lessons(inst)) == (0, 1)


def test_a_lesson_that_takes_too_long_teaches_nothing(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docduck.workers.pool._WATCH_SECONDS", 0.0)
    inst = make_installation(learn_document_seconds=0.001)
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    set_values(inst, inst.team_id, parser.id, first, truth)
    assert process_pending(inst) == 1
    assert (owed(inst), lessons(inst)) == (0, 0)
    assert "could not be learned from: Timed out while processing document" in caplog.text


def test_nothing_is_learned_from_what_is_gone(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    second, _ = read(inst, parser, 0, sender=1)
    set_values(inst, inst.team_id, parser.id, first, truth)
    delete_documents(inst, inst.team_id, [first])
    assert owed(inst) == 0
    set_values(inst, inst.team_id, parser.id, second, {"Reference": "X"})
    delete_parser(inst, inst.team_id, parser.id)
    assert process_pending(inst) == 1
    assert (owed(inst), lessons(inst)) == (0, 0)


def test_put_clears_what_it_does_not_name(inst: Installation) -> None:
    parser = papers(inst)
    document, truth = read(inst, parser, 0)
    field_id = next(str(field.id) for field in parser.fields if field.name == "Reference")
    found = set_values(inst, inst.team_id, parser.id, document, {field_id: "R-1"}, replace=True)
    assert {name for name, value in found.data.items() if value not in (None, [])} == {"Reference"}
    assert set(found.field_metadata) == set(found.data)
    scalars = [entry for entry in found.field_metadata.values() if isinstance(entry, dict)]
    assert all(entry["edited"] and not entry["locations"] for entry in scalars)
    before = show_document(inst, inst.team_id, parser.id, document)
    assert set_values(inst, inst.team_id, parser.id, document, {}) == before, "nothing is no change"
    assert truth["Reference"] != "R-1"


def test_all_mistakes_are_told_and_nothing_is_changed(inst: Installation) -> None:
    parser = papers(inst)
    document, _ = read(inst, parser, 0)
    before = show_document(inst, inst.team_id, parser.id, document)
    field_id = next(str(field.id) for field in parser.fields if field.name == "Reference")
    wrong = {
        "Reference": 5,
        "Nothing": 1,
        "Issued": "20240131",
        "Items": [{"Amount": "12", "Colour": "red"}, 7],
        field_id: "twice",
    }
    with pytest.raises(InputError) as caught:
        set_values(inst, inst.team_id, parser.id, document, {**wrong, "Deposit": 12})
    assert [path for path, _ in caught.value.details] == [
        "data.Reference",
        "data.Nothing",
        "data.Issued",
        "data.Items.0.Amount",
        "data.Items.0.Colour",
        "data.Items.1",
        f"data.{field_id}",
    ]
    assert show_document(inst, inst.team_id, parser.id, document) == before
    with pytest.raises(NotFound) as missing:
        set_values(inst, inst.team_id, parser.id, document, {"Reference": "A"}, reviewer_id=new_id())
    assert missing.value.kind == "reviewerId"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        ("uploading", "already being processed"),
        ("queued", "already being processed"),
        ("processing", "already being processed"),
        ("approved", "is approved"),
        ("failed", "has no values"),
        ("skipped", "has no values"),
    ],
)
def test_values_are_kept_where_the_status_does_not_allow_a_change(
    any_inst: Installation, status: str, message: str
) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document,) = add(inst, parser)
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(status=status))
    with pytest.raises(Conflict, match=message):
        set_values(inst, inst.team_id, parser.id, document, {"Number": "B"})
    assert owed(inst) == 0


def test_cells_that_stay_keep_their_places() -> None:
    row = {"Article": "Bolt", "Amount": 2.0}
    places = {
        name: {"confidence": 0.5, "page": 1, "locations": [{"page": 1, "text": name}], "rawText": name}
        for name in row
    }
    mark = {"confidence": 1.0, "edited": True}
    table = parse_fields(
        [{"name": "Items", "type": "table", "columns": [{"name": "Article"}, {"name": "Amount"}]}]
    )[0]
    found = Location(2, Box(0.1, 0.2, 0.3, 0.1), "9.00")
    nut, screw = {"Article": "Nut", "Amount": 1.0}, {"Article": "Screw", "Amount": 3.0}
    after = [screw, {**row, "Amount": 9.0}, nut, {"Article": "New", "Amount": None}]
    entries = edited_entry(
        table, [row, nut, screw], [places] * 3, after, mark, {("Items", 1, "Amount"): [found]}
    )
    assert [[cell["page"] for cell in one.values()] for one in entries] == [
        [1, 1],
        [1, 2],
        [1, 1],
        [None] * 2,
    ]
    assert all(cell["edited"] and cell["confidence"] == 1.0 for one in entries for cell in one.values())
    assert entries[1]["Amount"]["locations"] == [found.as_json()]
    assert entries[3]["Article"]["locations"] == []


def test_a_scalar_gets_the_places_that_were_drawn(inst: Installation) -> None:
    parser = papers(inst)
    document_id, _ = read(inst, parser, 0)
    found = [Location(1, Box(0.1, 0.2, 0.3, 0.1), "A-1"), Location(2, Box(0.1, 0.1, 0.2, 0.1), "8")]
    locations = [place.as_json() for place in found]
    view = set_values(
        inst,
        inst.team_id,
        parser.id,
        document_id,
        {"Reference": "A-18"},
        places={("Reference",): found},
    )
    entry = view.field_metadata["Reference"]
    assert (entry["page"], entry["locations"], entry["rawText"]) == (1, locations, "A-1 8")
    same = set_values(inst, inst.team_id, parser.id, document_id, {"Reference": "A-18"})
    assert same.field_metadata["Reference"]["locations"] == locations, "the value stays"
