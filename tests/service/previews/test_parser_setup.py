from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError
from docduck.evaluation.score import FieldScore
from docduck.service.accounts.quotas import QuotaReached
from docduck.service.core.installation import Installation
from docduck.service.corrections.learning import learned_layouts
from docduck.service.documents.queries.document_views import show_document
from docduck.service.parsers.parsers import list_parsers
from docduck.service.previews import parser_setup
from docduck.service.previews.parser_setup import NewSetup, ParserSetUp, setup_parser
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.uploads.file_uploads import UploadedFile
from tests.conftest import MakeInstallation
from tests.service.core.documents import upload
from tests.service.processing.test_processing import invoice

ROWS = "<table><tr><th>Item<th>Quantity<th>Amount</tr>{}</table>"


def letter(number: int, *, zorbel: str = "Zorbel") -> bytes:
    rows = "".join(f"<tr><td>Rope {n}<td>{n + 1}<td>{n + 4}.00</tr>" for n in range(number))
    return (
        f"<p>Kestrel Quill Ltd</p><p>Invoice Number: A-{number}</p><p>Invoice Date: 2024-03-0{number}</p>"
        f"<p>{zorbel}: Clerk {number}</p>{ROWS.format(rows)}<p>Total: {number}19.00 EUR</p>"
    ).encode()


def truth(number: int) -> dict[str, Any]:
    return {
        "Our number": f"A-{number}",
        "Day": f"2024-03-0{number}",
        "Qvix": f"Clerk {number}",
        "Sum": number * 100 + 19.0,
        "Wares": [{"What": f"Rope {n}", "Count": n + 1, "Price": n + 4.0} for n in range(number)],
    }


def stored(inst: Installation, content: bytes, name: str) -> UploadedFile:
    kind = {
        "html": "text/html",
        "txt": "text/plain",
        "pdf": "application/pdf",
        "bin": "application/octet-stream",
    }[name.rpartition(".")[2]]
    return UploadedFile(name, inst.files.put_bytes(content), kind)


def setup(inst: Installation, samples: list[UploadedFile], **more: Any) -> ParserSetUp:
    return setup_parser(inst, inst.team_id, NewSetup("Letters", samples, **more), "agent")


def test_a_parser_is_made_of_what_its_samples_print(inst: Installation) -> None:
    made = setup(inst, [stored(inst, letter(n), f"{n}.html") for n in (2, 3)])
    names = [field.name for field in made.parser.fields]
    assert {"Invoice Number", "Invoice Date", "Total"} <= set(names)
    assert [reading.data["Invoice Number"] for reading in made.readings] == ["A-2", "A-3"]
    (table,) = [field.name for field in made.parser.fields if field.columns]
    assert [len(reading.data[table]) for reading in made.readings] == [2, 3]
    assert made.score is None
    process_queue(inst, RunOptions(idle_seconds=0))
    for document, reading in zip(made.documents, made.readings, strict=True):
        shown = show_document(inst, inst.team_id, made.parser.id, document.id)
        assert shown.data == reading.data
    assert learned_layouts(inst, made.parser.id) == ()


def test_with_truth_the_fields_are_its_own_and_other_documents_are_read(inst: Installation) -> None:
    made = setup(inst, [stored(inst, letter(n), f"{n}.html") for n in (2, 3)], truths=[truth(2), truth(3)])
    fields = {field.name: field for field in made.parser.fields}
    assert {name: field.type.value for name, field in fields.items()} == {
        "Our number": "text", "Day": "date", "Qvix": "text", "Sum": "currency", "Wares": "table",
    }  # fmt: skip
    assert fields["Qvix"].labels == ("Zorbel",)
    assert {column.name: column.type.value for column in fields["Wares"].columns} == {
        "What": "text", "Count": "number", "Price": "currency",
    }  # fmt: skip
    assert made.score is not None
    assert made.score.total == FieldScore(values=23, right=23)
    assert (made.wrong, made.wrong_count, made.warnings) == ([], 0, [])
    assert {layout.document_id for layout in learned_layouts(inst, made.parser.id)} == {
        document.id for document in made.documents
    }
    process_queue(inst, RunOptions(idle_seconds=0))
    further = read_further(inst, made, letter(4))
    assert further == truth(4)


def read_further(inst: Installation, made: ParserSetUp, content: bytes) -> dict[str, Any]:
    document = upload(inst, inst.team_id, made.parser.slug, content, "further.html")
    process_queue(inst, RunOptions(idle_seconds=0))
    return dict(show_document(inst, inst.team_id, made.parser.id, document).data)


def test_what_is_wrong_or_not_printed_is_told(inst: Installation) -> None:
    right = truth(2) | {"Sum": 777.0, "Colour": "blue"}
    made = setup(inst, [stored(inst, letter(2), "2.html")], truths=[right])
    assert "Colour" in [field.name for field in made.parser.fields]
    assert made.warnings == [
        "Sum: its value is printed on no sample, so it may not be found",
        "Colour: its value is printed on no sample, so it may not be found",
    ]
    told = {(cell.field, cell.expected) for cell in made.wrong}
    assert told >= {("Sum", 777.0), ("Colour", "blue")}
    assert {cell.document_id for cell in made.wrong} == {made.documents[0].id}


def test_a_template_gives_the_fields(inst: Installation) -> None:
    made = setup(inst, [stored(inst, letter(2), "2.html")], template_key="invoice")
    assert made.parser.template_key == "invoice"
    assert made.readings[0].data["Invoice Number"] == "A-2"


WRONG: list[tuple[list[tuple[str, bytes]], dict[str, Any], str]] = [
    ([("a.html", letter(2)), ("b.pdf", b"%PDF-1.7 no")], {}, "b.pdf: File is damaged or not readable"),
    ([("a.txt", b"")], {}, "a.txt: File is empty"),
    ([("a.txt", b"Hello")], {}, "No fields were found on the samples: give their truth, or a templateKey"),
    ([("a.bin", bytes(range(256)))], {}, "a.bin: Unsupported file type: "),
    (
        [("a.txt", b"x")],
        {"truths": [{"A": [{"b\0": 1}]}]},
        "truth: 'b\\x00' can't name a field: 1 to 255 characters, without control characters",
    ),
    ([], {}, "Give 1 to 5 samples; further documents can be sent later"),
    ([("a.txt", b"x")] * 6, {}, "Give 1 to 5 samples; further documents can be sent later"),
    ([("a.txt", b"x")], {"truths": [{}, {}]}, "truth must have one object for each sample, in their order"),
    ([("a.txt", b"x")], {"truths": [{}]}, "truth must name at least one field"),
    ([("a.txt", b"x")], {"truths": [{"A": {"b": 1}}]}, "truth.A must be a value, or an array in all samples"),
    ([("a.txt", b"x")], {"truths": [{"A": [1, {"b": 1}]}]}, "truth.A must be an array of rows, or of texts"),
    ([("a.txt", b"x")], {"template_key": "nothing"}, "Unknown templateKey: nothing. Known: "),
]


def test_nothing_is_made_of_what_cannot_be(inst: Installation) -> None:
    for samples, more, message in WRONG:
        files = [stored(inst, content, name) for name, content in samples]
        with pytest.raises(InputError) as refused:
            setup(inst, files, **more)
        assert str(refused.value).startswith(message)
    assert list_parsers(inst, inst.team_id) == []


def test_large_samples_are_refused_with_the_remedy(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser_setup, "MAX_SAMPLE_BYTES", 10)
    monkeypatch.setattr(parser_setup, "MAX_ALL_SAMPLES_BYTES", 15)
    with pytest.raises(InputError, match=r"^a.txt: .*create_upload_url once the parser is made$"):
        setup(inst, [stored(inst, b"x" * 11, "a.txt")])
    with pytest.raises(InputError, match=r"^All samples together may have 0 MB: leave some out$"):
        setup(inst, [stored(inst, b"x" * 8, "a.txt"), stored(inst, b"y" * 8, "b.txt")])


def test_samples_that_take_too_long_are_refused(make_installation: MakeInstallation) -> None:
    inst = make_installation(setup_seconds=0.001)
    with pytest.raises(InputError, match=r"^Reading the samples takes more than 0.001 s: send fewer, "):
        setup(inst, [stored(inst, letter(2), "2.html")])
    assert list_parsers(inst, inst.team_id) == []


def test_samples_that_are_not_read_in_time_are_documents_all_the_same(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(setup_read_seconds=0.0)
    files = [stored(inst, letter(n), f"{n}.html") for n in (2, 3)]
    made = setup(inst, files, truths=[truth(2), truth(3)])
    assert (len(made.documents), len(made.readings)) == (2, 1)
    assert made.warnings == ["3.html: not read in time; it is queued, and was not used"]
    assert made.score is not None
    assert made.score.documents == 1
    process_queue(inst, RunOptions(idle_seconds=0))
    shown = show_document(inst, inst.team_id, made.parser.id, made.documents[1].id)
    assert shown.data == truth(3)


def test_of_a_long_sample_the_first_pages_are_read_at_once(make_installation: MakeInstallation) -> None:
    inst = make_installation(setup_pages=2)
    made = setup(inst, [stored(inst, invoice("A-17", pages=3), "a.pdf")])
    assert made.warnings == ["a.pdf: only its first 2 of 3 pages were read at once"]
    assert [page.number for page in made.readings[0].pages] == [1, 2]
    process_queue(inst, RunOptions(idle_seconds=0))
    assert show_document(inst, inst.team_id, made.parser.id, made.documents[0].id).page_count == 3


def test_no_parser_remains_if_its_samples_cannot_be_queued(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise QuotaReached.__new__(QuotaReached)

    monkeypatch.setattr(parser_setup, "register_upload", fail)
    with pytest.raises(QuotaReached):
        setup(inst, [stored(inst, letter(2), "2.html")])
    assert list_parsers(inst, inst.team_id) == []
