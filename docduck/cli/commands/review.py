"""``docduck review``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.backends.backend import Backend, Json, backend
from docduck.cli.options.json_files import read_json
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result
from docduck.cli.tables import print_table
from docduck.service.documents.queries.document_views import DocumentRow, DocumentView
from docduck.statuses import Status

app = typer.Typer(help="Review stages, and documents in review.", no_args_is_help=True, add_completion=False)

StageId = Annotated[str, typer.Argument(metavar="STAGE", help="The review stage's id.")]
Document = Annotated[str, typer.Argument(metavar="ID", help="The document's id.")]
Person = Annotated[
    str, typer.Option("--as", metavar="EMAIL", help="The reviewer's e-mail address.", show_default=False)
]
Reviewer = Annotated[
    str | None,
    typer.Option(metavar="EMAIL", help="Who gets the documents.", show_default=False),
]
Rules = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="JSON array of rules; the stage is then conditional.", show_default=False
    ),
]
Instructions = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What the reviewer has to do.", show_default=False)
]
Position = Annotated[int | None, typer.Option(min=1, help="Its place.", show_default=False)]


@app.command()
def stages(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's review stages."""
    with backend() as chosen:
        found = chosen.stages(parser)
    if json:
        print_json(found)
        return
    print_table(
        ["Id", "Position", "Name", "Type", "Reviewer", "Rules"],
        [
            (
                one["id"],
                one["position"],
                one["name"],
                one["reviewType"],
                one["reviewer"]["email"] if one["reviewer"] else None,
                [rule["name"] for rule in one["rules"]],
            )
            for one in found
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
    with backend() as chosen:
        changes = _changes(chosen, parser, reviewer, rules, instructions, position)
        _print_stage(chosen.create_stage(parser, {**changes, "name": name}), json)


@app.command()
def update(
    parser: ParserArgument,
    stage_id: StageId,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.", show_default=False)] = None,
    reviewer: Reviewer = None,
    rules: Rules = None,
    kind: Annotated[
        Literal["mandatory", "conditional"] | None,
        typer.Option("--type", help="Whether its rules count.", show_default=False),
    ] = None,
    instructions: Instructions = None,
    position: Position = None,
    json: JsonOption = False,
) -> None:
    """Change a review stage; documents that are at it keep their assignee."""
    with backend() as chosen:
        changes = _changes(chosen, parser, reviewer, rules, instructions, position)
        if name is not None:
            changes["name"] = name
        if kind is not None:
            changes["review_type"] = kind
        _print_stage(chosen.update_stage(parser, stage_id, changes), json)


@app.command()
def delete(parser: ParserArgument, stage_id: StageId, json: JsonOption = False) -> None:
    """Delete a review stage that no document waits for."""
    with backend() as chosen:
        chosen.delete_stage(parser, stage_id)
    print_result({"id": stage_id}, "Deleted", json)


@app.command()
def queue(
    parser: Annotated[
        str | None,
        typer.Option("--parser", metavar="PARSER", help="Only documents of this parser.", show_default=False),
    ] = None,
    reviewer: Annotated[
        str | None,
        typer.Option(metavar="EMAIL", help="Only documents of this reviewer.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the documents in review with their stage and assignee, the oldest first."""
    with backend() as chosen:
        found = [one for one in _in_review(chosen, parser) if reviewer is None or _is_for(one, reviewer)]
    if json:
        print_json(found)
        return
    print_table(
        ["Id", "Name", "Stage", "Assignee", "Created"],
        [
            (
                one.id,
                one.name,
                one.review.current_stage.name if one.review.current_stage else None,
                one.review.assignee.email if one.review.assignee else None,
                one.created_at,
            )
            for one in found
        ],
    )


@app.command()
def approve(document_id: Document, person: Person, json: JsonOption = False) -> None:
    """Approve the stage in progress; the last approval approves the document."""
    with backend() as chosen:
        _print_document(chosen.approve(document_id, person), json)


@app.command()
def reject(
    document_id: Document,
    person: Person,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why; it is kept.", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """Reject a document at the stage in progress."""
    with backend() as chosen:
        _print_document(chosen.reject(document_id, person, reason), json)


@app.command()
def reset(document_id: Document, person: Person, json: JsonOption = False) -> None:
    """Start the review of an approved or rejected document again."""
    with backend() as chosen:
        _print_document(chosen.reset(document_id, person), json)


@app.command()
def assign(
    document_id: Document,
    assignee: Annotated[str, typer.Argument(metavar="EMAIL", help="Who gets the document.")],
    json: JsonOption = False,
) -> None:
    """Assign a document, and its stage in progress, to another person."""
    with backend() as chosen:
        _print_document(chosen.assign(document_id, assignee), json)


def _changes(
    chosen: Backend,
    parser: str,
    reviewer: str | None,
    rules: Path | None,
    instructions: str | None,
    position: int | None,
) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if reviewer is not None:
        changes["reviewer_id"] = chosen.reviewer(parser, reviewer)
    if rules is not None:
        changes["rules"] = read_json("--rules", rules)
        changes["review_type"] = "conditional"
    if instructions is not None:
        changes["reviewer_instructions"] = instructions
    if position is not None:
        changes["position"] = position
    return changes


def _in_review(chosen: Backend, parser: str | None) -> Iterator[DocumentRow]:
    page, is_last = 1, False
    while not is_last:
        found = chosen.documents(
            parser, status=Status.IN_REVIEW, q=None, sort="createdAt.asc", page=page, limit=100
        )
        yield from found.rows
        is_last = page * found.limit >= found.total
        page += 1


def _is_for(document: DocumentRow, reviewer: str) -> bool:
    assignee = document.review.assignee
    return assignee is not None and assignee.email.lower() == reviewer.strip().lower()


def _print_stage(stage: Json, json: bool) -> None:
    print_result(stage, f"{stage['id']} {stage['position']}. {stage['name']}", json)


def _print_document(document: DocumentView, json: bool) -> None:
    stage, assignee = document.review.current_stage, document.review.assignee
    text = f"{document.name} is {document.status.replace('_', ' ')}"
    if stage is not None:
        text += f" at {stage.name}, assigned to {assignee.email if assignee else 'nobody'}"
    print_result(document, text, json)
