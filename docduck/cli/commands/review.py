"""``docduck review``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, find_document, member_id, parser_id, parser_of
from docduck.cli.options.json_files import read_json
from docduck.cli.options.shared import (
    DocumentArgument,
    NameArgument,
    NewNameOption,
    ParserArgument,
    ParserOption,
    command_group,
    given,
)
from docduck.cli.output import JsonOption, print_result
from docduck.cli.tables import Columns, print_rows
from docduck.client import Client
from docduck.client.types import Document, DocumentDetails, StageSetup
from docduck.errors import Conflict
from docduck.statuses import Status

app = command_group("Review stages, and documents in review.")

StageId = Annotated[str, typer.Argument(metavar="STAGE", help="The review stage's id.")]
Person = Annotated[str, typer.Option("--as", metavar="EMAIL", help="The reviewer's e-mail address.")]
Reviewer = Annotated[
    str | None,
    typer.Option(metavar="EMAIL", help="Who gets the documents."),
]
Rules = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="JSON array of rules; the stage is then conditional."),
]
Instructions = Annotated[str | None, typer.Option(metavar="TEXT", help="What the reviewer has to do.")]
Position = Annotated[int | None, typer.Option(min=1, help="Its place.")]


@app.command()
def stages(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's review stages."""
    with connected() as client:
        stages = client.review_stages.list(parser_id(client, parser))
    columns: Columns = {
        "Id": "id",
        "Position": "position",
        "Name": "name",
        "Type": "reviewType",
        "Reviewer": "reviewer.email",
        "Rules": lambda stage: [rule["name"] for rule in stage["rules"]],
    }
    print_rows(stages, columns, json)


@app.command()
def create(
    parser: ParserArgument,
    name: NameArgument,
    reviewer: Reviewer = None,
    rules: Rules = None,
    instructions: Instructions = None,
    position: Position = None,
    json: JsonOption = False,
) -> None:
    """Create a review stage, by default mandatory and the last one."""
    with connected() as client:
        owner_id = parser_id(client, parser)
        own = _given(client, owner_id, reviewer, rules, reviewer_instructions=instructions, position=position)
        _print_stage(client.review_stages.create(owner_id, name, **own), json)


@app.command()
def update(
    parser: ParserArgument,
    stage_id: StageId,
    name: NewNameOption = None,
    reviewer: Reviewer = None,
    rules: Rules = None,
    kind: Annotated[
        Literal["mandatory", "conditional"] | None,
        typer.Option("--type", help="Whether its rules count."),
    ] = None,
    instructions: Instructions = None,
    position: Position = None,
    json: JsonOption = False,
) -> None:
    """Change a review stage; documents that are at it keep their assignee."""
    with connected() as client:
        owner_id = parser_id(client, parser)
        own = _given(client, owner_id, reviewer, rules, reviewer_instructions=instructions, position=position)
        changes = own | given(name=name, review_type=kind)
        stage = client.review_stages.update(owner_id, checked_id("stageId", stage_id), **changes)
        _print_stage(stage, json)


@app.command()
def delete(parser: ParserArgument, stage_id: StageId, json: JsonOption = False) -> None:
    """Delete a review stage that no document waits for."""
    with connected() as client:
        client.review_stages.delete(parser_id(client, parser), checked_id("stageId", stage_id))
    print_result({"id": stage_id}, "Deleted", json)


@app.command()
def queue(
    parser: ParserOption = None,
    reviewer: Annotated[
        str | None,
        typer.Option(metavar="EMAIL", help="Only documents of this reviewer."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the documents in review with their stage and assignee, the oldest first."""
    with connected() as client:
        owner_id = None if parser is None else parser_id(client, parser)
        waiting = client.documents.list(owner_id, status=Status.IN_REVIEW, sort="createdAt.asc", limit=100)
        documents = [row for row in waiting if reviewer is None or _is_for(row, reviewer)]
    columns = {"Id": "id", "Name": "name", "Stage": "review.currentStage.name"}
    columns |= {"Assignee": "review.assignee.email", "Created": "createdAt"}
    print_rows(documents, columns, json)


@app.command()
def approve(
    document_id: DocumentArgument,
    person: Person,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also a duplicate, or a document that fails a check.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Approve the stage in progress; the last approval approves the document."""
    with connected() as client:
        concerns = () if anyway else _concerns(find_document(client, document_id))
        ids = _reviewed(client, document_id, person)
        if concerns:
            raise Conflict(f"Look at it first; --anyway approves it nevertheless: {'; '.join(concerns)}")
        _print_document(client.reviews.approve(*ids), json)


@app.command()
def reject(
    document_id: DocumentArgument,
    person: Person,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why; it is kept.")] = None,
    json: JsonOption = False,
) -> None:
    """Reject a document at the stage in progress."""
    with connected() as client:
        ids = _reviewed(client, document_id, person)
        _print_document(client.reviews.reject(*ids, reason), json)


@app.command()
def reset(document_id: DocumentArgument, person: Person, json: JsonOption = False) -> None:
    """Start the review of an approved or rejected document again."""
    with connected() as client:
        ids = _reviewed(client, document_id, person)
        _print_document(client.reviews.reset(*ids), json)


@app.command()
def assign(
    document_id: DocumentArgument,
    assignee: Annotated[str, typer.Argument(metavar="EMAIL", help="Who gets the document.")],
    json: JsonOption = False,
) -> None:
    """Assign a document, and its stage in progress, to another person."""
    with connected() as client:
        ids = _reviewed(client, document_id, assignee)
        _print_document(client.reviews.assign(*ids), json)


def _given(
    client: Client, owner_id: str, reviewer: str | None, rules: Path | None, **options: Any
) -> dict[str, Any]:
    """Return the properties that were given; a stage with rules is conditional."""
    changes = given(**options)
    if reviewer is not None:
        changes["reviewer_id"] = member_id(client, owner_id, reviewer)
    if rules is not None:
        changes |= {"rules": read_json("--rules", rules), "review_type": "conditional"}
    return changes


def _reviewed(client: Client, document_id: str, email: str) -> tuple[str, str, str]:
    """Return the ids of a document's parser, of the document, and of the member with this address."""
    owner_id = parser_of(find_document(client, document_id))
    return owner_id, document_id, member_id(client, owner_id, email)


def _concerns(document: DocumentDetails) -> list[str]:
    """Return what looks wrong with a document in review: that it is a duplicate, and failed checks."""
    if document["status"] != Status.IN_REVIEW:
        return []
    concerns = ["it is a duplicate of an earlier document"] if document["metadata"]["duplicateOf"] else []
    for evidence in document["metadata"]["field_metadata"].values():
        rows = evidence if isinstance(evidence, list) else [{"": evidence}]
        entries = (entry for row in rows for entry in row.values())
        concerns += (
            problem["message"] for entry in entries for problem in (entry or {}).get("validation") or ()
        )
    return list(dict.fromkeys(concerns))


def _is_for(document: Document, reviewer: str) -> bool:
    assignee = document["review"]["assignee"]
    return assignee is not None and assignee["email"].lower() == reviewer.strip().lower()


def _print_stage(stage: StageSetup, json: bool) -> None:
    print_result(stage, f"{stage['id']} {stage['position']}. {stage['name']}", json)


def _print_document(document: DocumentDetails, json: bool) -> None:
    stage, assignee = document["review"]["currentStage"], document["review"]["assignee"]
    text = f"{document['name']} is {document['status'].replace('_', ' ')}"
    if stage is not None:
        text += f" at {stage['name']}, assigned to {assignee['email'] if assignee else 'nobody'}"
    print_result(document, text, json)
