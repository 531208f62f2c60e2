"""``docduck review``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, find_document, member_id, parser_id, parser_of
from docduck.cli.options.json_files import read_json
from docduck.cli.options.targets import ParserArgument
from docduck.cli.output import JsonOption, moment, print_json, print_result
from docduck.cli.tables import print_table
from docduck.client import Client
from docduck.client.types import Document as DocumentJson
from docduck.client.types import DocumentDetails, StageSetup
from docduck.statuses import Status

app = typer.Typer(help="Review stages, and documents in review.", no_args_is_help=True, add_completion=False)

StageId = Annotated[str, typer.Argument(metavar="STAGE", help="The review stage's id.")]
Document = Annotated[str, typer.Argument(metavar="ID", help="The document's id.")]
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
    if json:
        print_json(stages)
        return
    print_table(
        ["Id", "Position", "Name", "Type", "Reviewer", "Rules"],
        [
            (
                stage["id"],
                stage["position"],
                stage["name"],
                stage["reviewType"],
                stage["reviewer"]["email"] if stage["reviewer"] else None,
                [rule["name"] for rule in stage["rules"]],
            )
            for stage in stages
        ],
    )


@app.command()
def create(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    reviewer: Reviewer = None,
    rules: Rules = None,
    instructions: Instructions = None,
    position: Position = None,
    json: JsonOption = False,
) -> None:
    """Create a review stage, by default mandatory and the last one."""
    with connected() as client:
        owner_id = parser_id(client, parser)
        changes = _changes(client, owner_id, reviewer, rules, instructions, position)
        _print_stage(client.review_stages.create(owner_id, name, **changes), json)


@app.command()
def update(
    parser: ParserArgument,
    stage_id: StageId,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.")] = None,
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
        changes = _changes(client, owner_id, reviewer, rules, instructions, position)
        if name is not None:
            changes["name"] = name
        if kind is not None:
            changes["review_type"] = kind
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
    parser: Annotated[
        str | None,
        typer.Option("--parser", metavar="PARSER", help="Only documents of this parser."),
    ] = None,
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
    if json:
        print_json(documents)
        return
    print_table(
        ["Id", "Name", "Stage", "Assignee", "Created"],
        [
            (
                document["id"],
                document["name"],
                stage["name"] if (stage := document["review"]["currentStage"]) else None,
                assignee["email"] if (assignee := document["review"]["assignee"]) else None,
                moment(document["createdAt"]),
            )
            for document in documents
        ],
    )


@app.command()
def approve(document_id: Document, person: Person, json: JsonOption = False) -> None:
    """Approve the stage in progress; the last approval approves the document."""
    with connected() as client:
        ids = _reviewed(client, document_id, person)
        _print_document(client.reviews.approve(*ids), json)


@app.command()
def reject(
    document_id: Document,
    person: Person,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why; it is kept.")] = None,
    json: JsonOption = False,
) -> None:
    """Reject a document at the stage in progress."""
    with connected() as client:
        ids = _reviewed(client, document_id, person)
        _print_document(client.reviews.reject(*ids, reason), json)


@app.command()
def reset(document_id: Document, person: Person, json: JsonOption = False) -> None:
    """Start the review of an approved or rejected document again."""
    with connected() as client:
        ids = _reviewed(client, document_id, person)
        _print_document(client.reviews.reset(*ids), json)


@app.command()
def assign(
    document_id: Document,
    assignee: Annotated[str, typer.Argument(metavar="EMAIL", help="Who gets the document.")],
    json: JsonOption = False,
) -> None:
    """Assign a document, and its stage in progress, to another person."""
    with connected() as client:
        ids = _reviewed(client, document_id, assignee)
        _print_document(client.reviews.assign(*ids), json)


def _changes(
    client: Client,
    owner_id: str,
    reviewer: str | None,
    rules: Path | None,
    instructions: str | None,
    position: int | None,
) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if reviewer is not None:
        changes["reviewer_id"] = member_id(client, owner_id, reviewer)
    if rules is not None:
        changes["rules"] = read_json("--rules", rules)
        changes["review_type"] = "conditional"
    if instructions is not None:
        changes["reviewer_instructions"] = instructions
    if position is not None:
        changes["position"] = position
    return changes


def _reviewed(client: Client, document_id: str, email: str) -> tuple[str, str, str]:
    """Return the ids of a document's parser, of the document, and of the member with this address."""
    owner_id = parser_of(find_document(client, document_id))
    return owner_id, document_id, member_id(client, owner_id, email)


def _is_for(document: DocumentJson, reviewer: str) -> bool:
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
