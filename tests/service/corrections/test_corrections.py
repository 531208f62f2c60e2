from __future__ import annotations

import datetime as dt
import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from docduck import clock
from docduck.catalog.models import PendingCorrection, StoredLayout
from docduck.documents.document import Box
from docduck.errors import Conflict, InputError, NotFound
from docduck.extraction.jobs.extraction_job import TEACHING, Taught, TeachTask
from docduck.extraction.learned_layout import LayoutFingerprint, LearnedLayout
from docduck.extraction.result import Location, ValueKey
from docduck.fields import Field, FieldType, parse_fields
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections import learning
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.corrections.edited_evidence import edited_entry
from docduck.service.corrections.learning import (
    LEARN_SECONDS,
    forget_layouts,
    keep_lesson,
    learn,
    learned_layouts,
)
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document, show_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.value_checks import check_values
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, delete_parser
from docduck.service.processing.processing import process_queue
from docduck.workers.context import Context
from tests.conftest import MakeInstallation
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, covered, paper
from tests.service.core.catalog import audited, count
from tests.service.core.documents import add, correct, make_parser, read_document, set_document, upload
from tests.service.core.people import make_member

pytestmark = pytest.mark.slow

LEARN = "docduck.service.corrections.pending_corrections.learn"


def papers(inst: Installation, fields: list[Field] | None = None) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Papers", fields=fields or list(FIELDS)))


def read(inst: Installation, parser: ParserView, number: int, sender: int = 0) -> tuple[str, dict[str, Any]]:
    """A document that was read, and its truth."""
    data, truth = paper(SENDERS[sender], number)
    document = upload(inst, inst.team_id, parser.slug, data, f"{sender}-{number}.pdf")
    process_queue(inst)
    return document, truth


def owed_and_learned(inst: Installation) -> tuple[int, int]:
    return count(inst, PendingCorrection), count(inst, StoredLayout)


def test_values_are_set_at_once_and_learned_from_later(any_inst: Installation) -> None:
    inst, parser = any_inst, papers(any_inst)
    other = create_parser(inst, inst.team_id, NewParser(name="Others", fields=FIELDS))
    first, truth = read(inst, parser, 0)
    ann = make_member(inst)
    before = get_document(inst, inst.team_id, first).data
    assert before["Deposit"] != truth["Deposit"]
    found = set_values(inst, inst.team_id, parser.id, first, truth, reviewer_id=ann, actor="key abc")
    assert found.data == truth
    entry = found.field_metadata["Deposit"]
    marks = (entry["edited"], entry["editedBy"], entry["confidence"], entry["source"])
    assert marks == (True, ann, 1.0, "user")
    assert found.field_metadata["Items"][0]["Article"]["edited"]
    last = get_document(inst, inst.team_id, first).history[-1]
    told = (last.event, last.from_status, last.to_status, last.actor)
    assert told == ("corrected", "processed", "processed", ann)
    ((actor, _, details),) = audited(inst, action="document.corrected", resource_id=first)
    assert (actor, details["fields"], details["replaced"]) == (ann, sorted(truth), False)
    changed = {name for name in truth if truth[name] != before[name]}
    assert set(details["changed"]) == changed
    assert details["before"] == {name: before[name] for name in changed}
    assert details["after"] == {name: truth[name] for name in changed}

    assert owed_and_learned(inst) == (1, 0)
    assert (process_pending(inst), owed_and_learned(inst), process_pending(inst)) == (1, (0, 1), 0)
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, second).data == expected
    sql = "SELECT reference FROM papers.documents ORDER BY name"
    assert inst.warehouse.query(sql).rows == [(truth["Reference"],), (expected["Reference"],)]
    # Nothing is learned across parsers, and a run learns what is owed before it reads.
    assert learned_layouts(inst, other.id) == ()
    set_values(inst, inst.team_id, parser.id, second, expected)
    stranger, expected = read(inst, other, 2)
    assert get_document(inst, inst.team_id, stranger).data["Deposit"] != expected["Deposit"]
    assert owed_and_learned(inst) == (0, 2)


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
    assert get_document(inst, inst.team_id, second).data["Deposit"] != truths[1]["Deposit"]
    correct(inst, inst.team_id, first, truths[0])
    reprocess(inst, inst.team_id, [second])
    process_queue(inst)
    assert get_document(inst, inst.team_id, second).data == truths[1]


def test_corrections_of_one_document_are_one_lesson_of_all_that_is_right(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, first, {"Deposit": 1.0})
    names = ("Deposit", "Recipient", "Grand Total")
    for name in names:
        set_values(inst, inst.team_id, parser.id, first, {name: truth[name]})
    assert (owed_and_learned(inst), process_pending(inst)) == ((1, 1), 1)
    (lesson,) = learned_layouts(inst, parser.id)
    (deposit,) = (str(field.id) for field in parser.fields if field.name == "Deposit")
    assert lesson.places[deposit].corrected
    correct(inst, inst.team_id, first, {"Recipient Address": "Nowhere on this page"})
    assert owed_and_learned(inst) == (0, 1)
    second, expected = read(inst, parser, 1)
    found = get_document(inst, inst.team_id, second).data
    assert [found[name] for name in names] == [expected[name] for name in names]


def test_the_oldest_lesson_is_forgotten_when_there_are_too_many_and_all_on_request(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(learned_documents_per_parser=2)
    parser = make_parser(inst)
    documents = add(inst, parser, 3)
    for document_id in documents:
        keep_lesson(inst, parser, document_id, LearnedLayout(LayoutFingerprint(frozenset(), frozenset())))
    assert [one.document_id for one in learned_layouts(inst, parser.id)] == [documents[2], documents[1]]
    delete_documents(inst, inst.team_id, documents)
    assert count(inst, StoredLayout) == 2, "a deleted document has taught all the same"
    assert (forget_layouts(inst, inst.team_id, parser.slug), count(inst, StoredLayout)) == (2, 0)
    with pytest.raises(NotFound):
        forget_layouts(inst, inst.team_id, "nobody")


def test_all_that_is_wrong_is_told() -> None:
    fields = [field.model_copy(update={"id": field.name[:3]}) for field in FIELDS]
    wrong: list[tuple[dict[str, Any], list[str]]] = [
        ({"Nothing": 1}, ["data.Nothing"]),
        ({"Reference": 5, "Issued": "05/06/2024"}, ["data.Reference", "data.Issued"]),
        ({"Issued": "20240131", "Reference": "A", "Ref": "twice"}, ["data.Issued", "data.Ref"]),
        ({"Deposit": "12"}, ["data.Deposit"]),
        ({"Deposit": True, "Grand Total": 12}, ["data.Deposit"]),
        ({"Depot": "West"}, ["data.Depot"]),
        ({"Items": {"Article": "a"}}, ["data.Items"]),
        ({"Items": ["a", {"Colour": "red"}]}, ["data.Items.0", "data.Items.1.Colour"]),
        ({"Items": [{"Amount": "12", "Article": "a"}, 7]}, ["data.Items.0.Amount", "data.Items.1"]),
    ]
    for values, paths in wrong:
        with pytest.raises(InputError) as caught:
            check_values(fields, values)
        assert ([path for path, _ in caught.value.details], caught.value.path) == (paths, paths[0])


def test_nothing_is_changed_if_something_is_wrong_or_unknown(inst: Installation) -> None:
    parser, document = read_document(inst)
    before = show_document(inst, inst.team_id, parser.id, document)
    with pytest.raises(InputError):
        set_values(inst, inst.team_id, parser.id, document, {"Number": "A", "Total": "12"})
    with pytest.raises(NotFound) as missing:
        set_values(inst, inst.team_id, parser.id, document, {"Number": "A"}, reviewer_id=new_id())
    assert missing.value.kind == "reviewerId"
    with pytest.raises(NotFound):
        set_values(inst, inst.team_id, parser.id, "nobody", {"Number": "A"})
    assert set_values(inst, inst.team_id, parser.id, document, {}) == before, "nothing is no change"
    assert show_document(inst, inst.team_id, parser.id, document) == before
    assert count(inst, PendingCorrection) == 0


def test_the_status_may_forbid_changes(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = read_document(inst)
    changes = (
        partial(set_values, inst, inst.team_id, parser.id, document, {"Number": "B"}),
        partial(confirm_values, inst, inst.team_id, parser.id, document),
    )
    for status, message in (
        *((status, "already being processed") for status in ("uploading", "queued", "processing")),
        ("approved", "is approved"),
        *((status, "has no values") for status in ("failed", "skipped")),
    ):
        set_document(inst, document, status=status)
        for change in changes:
            with pytest.raises(Conflict, match=message):
                change()
    assert count(inst, PendingCorrection) == 0


def test_values_are_cleared_replaced_and_get_the_places_that_were_drawn(inst: Installation) -> None:
    parser, document = read_document(inst)
    found = [Location(1, Box(0.1, 0.2, 0.3, 0.1), "A-1"), Location(2, Box(0.1, 0.1, 0.2, 0.1), "8")]
    locations = [place.as_json() for place in found]
    change = partial(set_values, inst, inst.team_id, parser.id, document)
    entry = change({"Number": "A-18"}, places={("Number",): found}).field_metadata["Number"]
    assert (entry["page"], entry["locations"], entry["rawText"]) == (1, locations, "A-1 8")
    same = change({"Number": "A-18"}).field_metadata["Number"]
    assert same["locations"] == locations, "the value stays"

    cleared = change({"Number": None})
    entry = cleared.field_metadata["Number"]
    assert cleared.data["Number"] is None
    assert (entry["edited"], entry["source"], entry["page"], entry["locations"]) == (True, "user", None, [])

    replaced = change({str(parser.fields[0].id): "R-1"}, replace=True)
    assert replaced.data == {"Number": "R-1", "Total": None, "Tags": [], "Line Items": []}
    assert set(replaced.field_metadata) == set(replaced.data)
    scalars = [entry for entry in replaced.field_metadata.values() if isinstance(entry, dict)]
    assert all(entry["edited"] and not entry["locations"] for entry in scalars)


def test_reading_again_without_corrections_brings_no_edit_back(any_inst: Installation) -> None:
    inst, parser = any_inst, papers(any_inst)
    first, _ = read(inst, parser, 0)
    before = get_document(inst, inst.team_id, first)
    changes = {"Reference": "K404/17", "Recipient": "Written by hand", "Depot": None, "Deposit": 472.64}
    assert all(before.data[name] != value for name, value in changes.items())
    correct(inst, inst.team_id, first, changes)
    reprocess(inst, inst.team_id, [first], discard_corrections=True)
    process_queue(inst)
    again = get_document(inst, inst.team_id, first)
    assert (again.data, again.field_metadata) == (before.data, before.field_metadata)


def test_what_a_document_taught_outlives_its_edit(inst: Installation) -> None:
    parser = papers(inst)
    first, truth = read(inst, parser, 0)
    correct(inst, inst.team_id, first, truth)
    reprocess(inst, inst.team_id, [first], discard_corrections=True)
    second, expected = read(inst, parser, 1)
    assert get_document(inst, inst.team_id, first).data["Deposit"] is None
    assert get_document(inst, inst.team_id, second).data == expected
    correct(inst, inst.team_id, second, {"Deposit": 1.0})
    reprocess(inst, inst.team_id, [first])
    process_queue(inst)
    assert get_document(inst, inst.team_id, first).data["Deposit"] is None


def test_constants_need_two_corrected_documents(inst: Installation) -> None:
    parser = papers(inst, [Field(name="Vendor"), Field(name="Reference")])
    firm = "Brontal International Holding Ltd"
    ids = [
        upload(inst, inst.team_id, parser.slug, paper(SENDERS[0], number)[0], f"{number}.pdf")
        for number in range(2)
    ]
    process_queue(inst)
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
    parser, document = read_document(inst)
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-1"})
    seen: list[str] = []

    def interrupted(*given: Any) -> None:
        seen.append(given[4].data["Number"])
        if len(seen) == 1:
            set_values(inst, inst.team_id, parser.id, document, {"Number": "B-2"})

    monkeypatch.setattr(LEARN, interrupted)
    assert (process_pending(inst), seen, count(inst, PendingCorrection)) == (2, ["B-1", "B-2"], 0)


def test_a_lesson_whose_process_dies_stays_owed(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser, document = read_document(inst)
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-1"})

    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(LEARN, die)
        process_pending(inst)
    assert (owed_and_learned(inst), process_pending(inst)) == ((1, 0), 0), "it is somebody's for the lease"
    later = clock.now() + dt.timedelta(seconds=LEARN_SECONDS + 61)
    monkeypatch.setattr("docduck.clock.now", lambda: later)
    assert (process_pending(inst), owed_and_learned(inst)) == (1, (0, 1))


def die(task: TeachTask, context: Context) -> Taught:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_lesson_whose_worker_is_killed_is_tried_again_for_an_hour(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, document = read_document(inst)
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-1"})
    with monkeypatch.context() as patch:
        patch.setattr(learning, "TEACHING", replace(TEACHING, work=die))
        assert (process_pending(inst), owed_and_learned(inst)) == (0, (1, 0))
    inst.side_workers.close()
    later = clock.now() + dt.timedelta(seconds=LEARN_SECONDS + 61)
    monkeypatch.setattr("docduck.clock.now", lambda: later)
    assert (process_pending(inst), owed_and_learned(inst)) == (1, (0, 1))
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-2"})
    much_later = later + dt.timedelta(hours=1)
    monkeypatch.setattr("docduck.clock.now", lambda: much_later)
    monkeypatch.setattr(learning, "TEACHING", replace(TEACHING, work=die))
    inst.side_workers.close()
    assert (process_pending(inst), owed_and_learned(inst)) == (1, (0, 1))


def test_a_lesson_that_takes_too_long_teaches_nothing(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docduck.workers.pool._WATCH_SECONDS", 0.0)
    inst = make_installation(learn_document_seconds=0.001)
    parser, document = read_document(inst)
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-1"})
    assert (process_pending(inst), owed_and_learned(inst)) == (1, (0, 0))
    assert "could not be learned from: Timed out while processing document" in caplog.text


def test_nothing_is_learned_from_what_is_gone(inst: Installation) -> None:
    parser, first = read_document(inst)
    set_values(inst, inst.team_id, parser.id, first, {"Number": "B-1"})
    delete_documents(inst, inst.team_id, [first])
    assert owed_and_learned(inst) == (0, 0)
    parser, second = read_document(inst)
    set_values(inst, inst.team_id, parser.id, second, {"Number": "B-1"})
    delete_parser(inst, inst.team_id, parser.id)
    assert (process_pending(inst), owed_and_learned(inst)) == (1, (0, 0))


def test_cells_that_stay_keep_their_places() -> None:
    row = {"Article": "Bolt", "Amount": 2.0}
    places = {
        name: {"confidence": 0.5, "page": 1, "locations": [{"page": 1, "text": name}], "rawText": name}
        for name in row
    }
    mark = {"confidence": 1.0, "edited": True}
    columns = [{"name": "Article"}, {"name": "Amount"}]
    (table,) = parse_fields([{"name": "Items", "type": "table", "columns": columns}])
    found = Location(2, Box(0.1, 0.2, 0.3, 0.1), "9.00")
    nut, screw = {"Article": "Nut", "Amount": 1.0}, {"Article": "Screw", "Amount": 3.0}
    after = [screw, {**row, "Amount": 9.0}, nut, {"Article": "New", "Amount": None}]
    drawn: dict[ValueKey, list[Location]] = {("Items", 1, "Amount"): [found]}
    entries = edited_entry(table, [row, nut, screw], [places] * 3, after, mark, drawn)
    pages = [[cell["page"] for cell in one.values()] for one in entries]
    assert pages == [[1, 1], [1, 2], [1, 1], [None, None]]
    assert all(cell["edited"] and cell["confidence"] == 1.0 for one in entries for cell in one.values())
    assert entries[1]["Amount"]["locations"] == [found.as_json()]
    assert entries[3]["Article"]["locations"] == []


def entry(inst: Installation, document: str, field: str) -> Any:
    return get_document(inst, inst.team_id, document).field_metadata[field]


def middle(place: Mapping[str, Any]) -> float:
    box = place["bbox"]
    return float(box["top"] + box["height"] / 2)


def test_typed_values_and_cells_are_shown_where_they_are_printed(any_inst: Installation) -> None:
    inst = any_inst
    parser = papers(inst)
    document, truth = read(inst, parser, 0)
    typed = {name: truth[name] for name in ("Reference", "Recipient Address", "Deposit")}
    correct(inst, inst.team_id, document, dict.fromkeys(typed))
    seen = correct(inst, inst.team_id, document, {**typed, "Recipient": "Nobody Printed"}).field_metadata
    assert (seen["Reference"]["page"], seen["Reference"]["rawText"]) == (1, truth["Reference"])
    assert [place["text"] for place in seen["Reference"]["locations"]] == [truth["Reference"]]
    lines = seen["Recipient Address"]["locations"]
    assert ", ".join(place["text"] for place in lines) == truth["Recipient Address"]
    assert middle(lines[0]) < middle(lines[1])
    assert len(seen["Deposit"]["locations"]) == 1
    assert all(seen[name]["edited"] and seen[name]["confidence"] == 1 for name in typed)
    nobody = seen["Recipient"]
    assert (nobody["page"], nobody["locations"], nobody["rawText"]) == (None, [], None)
    process_queue(inst)
    sql = "SELECT page, text FROM papers._evidence WHERE field = 'Reference'"
    assert inst.warehouse.query(sql).rows == [(1, truth["Reference"])]
    reprocess(inst, inst.team_id, [document])
    process_queue(inst)
    assert entry(inst, document, "Reference") == seen["Reference"]
    # Typed cells are shown in their row.
    rows = truth["Items"]
    correct(inst, inst.team_id, document, {"Items": [{**row, "Quantity": None} for row in rows]})
    correct(inst, inst.team_id, document, {"Items": rows})
    found = entry(inst, document, "Items")
    places = [(row["Quantity"]["locations"], row["Article"]["locations"]) for row in found]
    assert len(places) == len(rows) > 1
    for quantity, article in places:
        assert abs(middle(quantity[0]) - middle(article[0])) < 0.008
    correct(inst, inst.team_id, document, {"Items": [{**rows[0], "Quantity": 999}, *rows[1:]]})
    assert entry(inst, document, "Items")[0]["Quantity"]["locations"] == []


def test_items_of_a_list_are_shown_in_their_order_and_what_has_changed_gets_no_place(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = [*FIELDS[:1], Field(name="Words", type=FieldType.LIST)]
    parser: ParserView = create_parser(inst, inst.team_id, NewParser(name="Papers", fields=fields))
    document, truth = read(inst, parser, 0)
    words = [truth["Depot"], "never printed", truth["Recipient"]]
    correct(inst, inst.team_id, document, {"Words": words})
    texts = [place["text"] for place in entry(inst, document, "Words")["locations"]]
    assert texts == [truth["Depot"], truth["Recipient"]]
    # A place is not given to a value that was changed meanwhile.
    set_values(inst, inst.team_id, parser.id, document, {"Reference": truth["Recipient"]})
    seen: list[Any] = []

    def interrupted(inst: Installation, *given: Any, **more: Any) -> Any:
        places = learn(inst, *given, **more)
        if not seen:
            set_values(inst, inst.team_id, parser.id, document, {"Reference": "never printed"})
        seen.append(places)
        return places

    monkeypatch.setattr(LEARN, interrupted)
    assert process_pending(inst) == 2
    assert [bool(places) for places in seen] == [True, False]
    assert entry(inst, document, "Reference")["locations"] == []
