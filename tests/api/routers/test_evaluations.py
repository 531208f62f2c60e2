"""The accuracy of a parser, over the API."""

from __future__ import annotations

from typing import Any

from docduck.catalog.models import Document
from docduck.ids import new_id
from docduck.service.corrections.accuracy import parser_accuracy
from tests.api.request.hostile import refused
from tests.server.served import Api

NOTHING_KNOWN = "The parser has no approved or corrected documents yet; confirm some, or give truth"


def documents(api: Api, parser: str, count: int) -> list[str]:
    """Documents that were read."""
    ids = [api.upload(parser, f"Number: A-{n}\nRef: Z-{n}\nTotal: {n}.50\n".encode()) for n in range(count)]
    api.process(parser)
    return ids


def evaluate(api: Api, parser: str, **body: Any) -> Any:
    answer = api.post(f"/parsers/{parser}/evaluations", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def judged(told: Any) -> dict[str, tuple[int, int]]:
    """How many values of each field are known, and right now."""
    return {one["name"]: (one["now"]["values"], one["now"]["right"]) for one in told["fields"]}


def correct(api: Api, parser: str, document: str, **data: Any) -> None:
    answer = api.patch(f"/parsers/{parser}/documents/{document}/data", json={"data": data})
    assert answer.status_code == 200, answer.text


def test_corrected_documents_are_read_again(lite: Api) -> None:
    parser = lite.parser()
    at = f"/parsers/{parser}"
    refused(lite.post(f"{at}/evaluations"), 400, NOTHING_KNOWN)
    right, other = documents(lite, parser, 2)
    correct(lite, parser, right, Total=99)
    found = lite.post(f"{at}/evaluations")
    assert found.status_code == 200, found.text
    told = found.json()
    assert (told["documents"], told["evaluatedDocuments"]) == (1, [right])
    assert (told["failedDocuments"], told["remainingDocuments"]) == ([], [])
    (total,) = told["fields"]
    assert (total["name"], total["before"]["values"], total["before"]["right"]) == ("Total", 1, 0)
    named = evaluate(lite, parser, documentIds=[right])
    assert named["evaluatedDocuments"] == [right]
    gone = refused(lite.post(f"{at}/evaluations", json={"documentIds": [other]}), 404)
    assert gone["notFound"] == [{"type": "documentId", "value": other}]
    for ids in ([], ["x"], [new_id()] * 51):
        assert lite.post(f"{at}/evaluations", json={"documentIds": ids}).status_code == 400, ids
    with lite.using(lite.key_with(["parsers:read"])) as limited:
        refused(limited.post(f"{at}/evaluations"), 403)


def test_what_nobody_reviewed_is_never_right(lite: Api) -> None:
    parser = lite.parser()
    ids = documents(lite, parser, 6)
    correct(lite, parser, ids[0], Total=99)
    told = evaluate(lite, parser)
    assert (told["basis"], told["documents"], told["documentsNotReviewed"]) == ("reviewed", 1, 5)
    assert told["documentsByBasis"] == {"given": 0, "corrected": 1, "approved": 0}
    assert judged(told) == {"Total": (1, 0)}, "nothing is known of the other values"
    assert (told["total"]["now"]["values"], told["total"]["now"]["accuracy"]) == (1, 0)
    wrong = {"documentId": ids[0], "field": "Total", "row": None}
    assert told["wrongCells"] == [{**wrong, "expected": 99, "got": 0.5, "gotBefore": 0.5}]
    (period,) = parser_accuracy(lite.inst, lite.inst.team_id, parser).periods
    assert (period.documents, period.not_reviewed, sum(period.looked.values())) == (1, 5, 1)

    assert lite.post(f"/parsers/{parser}/documents/{ids[1]}/confirm").status_code == 200
    told = evaluate(lite, parser)
    assert (told["documents"], told["documentsNotReviewed"]) == (2, 4)
    assert judged(told) == {"Total": (2, 1), "Number": (1, 1)}


def test_all_values_of_approved_documents_are_known_but_not_those_of_later_fields(lite: Api) -> None:
    parser = lite.parser()
    corrected, approved, both, _ = documents(lite, parser, 4)
    correct(lite, parser, corrected, Number="A-0")
    correct(lite, parser, both, Number="B-2")
    with lite.inst.catalog.transaction() as session:
        for document in (approved, both):
            session.get_one(Document, document).status = "approved"
    assert lite.post(f"/parsers/{parser}/fields", json={"name": "Ref"}).status_code == 201
    for basis, counts, values in (
        ("approved", {"given": 0, "corrected": 0, "approved": 2}, {"Number": (2, 1), "Total": (2, 2)}),
        ("corrected", {"given": 0, "corrected": 1, "approved": 0}, {"Number": (1, 1)}),
        ("reviewed", {"given": 0, "corrected": 1, "approved": 2}, {"Number": (3, 2), "Total": (2, 2)}),
    ):
        told = evaluate(lite, parser, basis=basis)
        assert (told["basis"], told["documentsByBasis"], judged(told)) == (basis, counts, values)
    refused(
        lite.post(f"/parsers/{parser}/evaluations", json={"basis": "approved", "documentIds": [corrected]}),
        404,
        "Not a document of this parser that is approved",
    )


def test_documents_are_held_against_given_values_which_are_not_stored(lite: Api) -> None:
    parser = lite.parser()
    one, two, three = documents(lite, parser, 3)
    total = next(
        field["id"]
        for field in lite.get(f"/parsers/{parser}/fields").json()["fields"]
        if field["name"] == "Total"
    )
    before = [lite.get(f"/parsers/{parser}/documents/{document}").json() for document in (one, two)]
    change = {"name": "Ref", "labels": ["Ref"]}
    assert lite.patch(f"/parsers/{parser}/fields/Number", json=change).status_code == 200
    rows = [{"Amount": 1}, {"Amount": 2.5}]
    truth = [
        {"documentId": one, "data": {"Ref": "A-0", "Line Items": rows}},
        {"documentId": two, "data": {total: 1.5, "Ref": "x" * 300}},
    ]
    told = evaluate(lite, parser, truth=truth)
    assert (told["basis"], told["documents"], told["documentsNotReviewed"]) == ("given", 2, 3)
    assert told["documentsByBasis"] == {"given": 2, "corrected": 0, "approved": 0}
    assert judged(told) == {"Ref": (2, 0), "Line Items.Amount": (2, 0), "Total": (1, 1)}
    assert told["wrongCellCount"] == len(told["wrongCells"]) == 4
    cells = {(one["documentId"], one["field"], one["row"]): one for one in told["wrongCells"]}
    first = cells[one, "Ref", None]
    assert (first["expected"], first["got"], first["gotBefore"]) == ("A-0", "Z-0", "A-0")
    for number, amount in ((1, 1), (2, 2.5)):
        cell = cells[one, "Line Items.Amount", number]
        assert (cell["expected"], cell["got"], cell["gotBefore"]) == (amount, None, None)
    assert cells[two, "Ref", None]["expected"] == "x" * 199 + "…"
    after = [lite.get(f"/parsers/{parser}/documents/{document}").json() for document in (one, two)]
    assert [document["data"]["Ref"] for document in after] == ["A-0", "A-1"]
    assert [document["updatedAt"] for document in after] == [document["updatedAt"] for document in before]
    many = [{"Amount": number} for number in range(150)]
    told = evaluate(lite, parser, truth=[{"documentId": three, "data": {"Line Items": many}}], basis="given")
    assert (told["wrongCellCount"], len(told["wrongCells"])) == (150, 100)


def test_an_invented_row_is_told(lite: Api) -> None:
    parser = lite.parser()
    document = lite.upload(parser, b"Description    Amount\nBolt           10.00\nNut            2.50\n")
    lite.process(parser)
    read = lite.get(f"/parsers/{parser}/documents/{document}").json()["data"]["Line Items"]
    assert [row["Amount"] for row in read] == [10, 2.5]
    given = {"Line Items": [{"Amount": 10, "Description": "Bolt"}]}
    told = evaluate(lite, parser, truth=[{"documentId": document, "data": given}])
    assert [(one["field"], one["row"], one["expected"], one["got"]) for one in told["wrongCells"]] == [
        ("Line Items.Description", 2, None, "Nut"),
        ("Line Items.Amount", 2, None, 2.5),
    ]


def test_what_contradicts_or_is_unknown_is_refused(lite: Api) -> None:
    parser = lite.parser()
    (document,) = documents(lite, parser, 1)
    right = [{"Total": 1}]
    cases: list[tuple[list[dict[str, Any]] | None, dict[str, Any], str, str]] = [
        ([{"Numbr": 1}], {}, "truth.0.data.Numbr", "There is no field 'Numbr'"),
        (
            [{"Line Items": [{"Sum": 1}]}],
            {},
            "truth.0.data.Line Items.0.Sum",
            "'Line Items' has no column 'Sum'; it has: Description, Amount",
        ),
        ([{"Total": "12"}], {}, "truth.0.data.Total", "'Total' is a currency; give a number such as 12.5"),
        (right, {"documentIds": [new_id()]}, "documentIds", "truth names its documents"),
        (right, {"basis": "approved"}, "basis", "basis 'approved' takes no truth"),
        (right * 2, {}, "truth", "must name each document once"),
        (None, {"basis": "given"}, "basis", "basis 'given' needs truth"),
        (None, {"basis": "all"}, "basis", "basis"),
        ([], {}, "truth", "truth"),
        ([{}], {}, "truth.0.data", "truth"),
    ]
    for truth, more, path, message in cases:
        given = {"truth": [{"documentId": document, "data": data} for data in truth or ()]}
        body = {**({} if truth is None else given), **more}
        told = refused(lite.post(f"/parsers/{parser}/evaluations", json=body), 400)
        assert message in told["message"]
        assert told["details"][0]["path"] == path
        known = ["Number", "Total", "Line Items"] if path.endswith("Numbr") else None
        assert told.get("known") == known


def test_only_documents_of_the_parser_are_held_against_values(lite: Api) -> None:
    parser = lite.parser()
    other = lite.parser("Others")
    (document,) = documents(lite, other, 1)
    strangers = lite.other_team()
    with strangers:
        theirs = strangers.upload(strangers.post("/parsers", json={"name": "Theirs"}).json()["id"])
    for unknown in (document, theirs, new_id()):
        truth = [{"documentId": unknown, "data": {"Total": 1}}]
        answer = lite.post(f"/parsers/{parser}/evaluations", json={"truth": truth})
        refused(answer, 404, "Not a document of this parser with values")
        assert answer.json()["notFound"] == [{"type": "documentId", "value": unknown}]
    truth = [{"documentId": new_id(), "data": {"Total": 1}} for _ in range(51)]
    answer = lite.post(f"/parsers/{parser}/evaluations", json={"truth": truth})
    refused(answer, 400, "truth must have at most 50 items")
