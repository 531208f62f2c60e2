"""``docduck classifiers``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.backends.backend import Backend, backend
from docduck.cli.commands.upload_pages import classifier_page
from docduck.cli.options.classifier import ClassifierArgument
from docduck.cli.options.json_files import read_json
from docduck.cli.output import JsonOption, percent, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.service.classifiers.classifiers import ClassifierChanges, ClassifierView, NewClassifier
from docduck.service.classifiers.routed_documents import RoutedDocumentQuery

app = typer.Typer(
    help="Classifiers: they route documents to parsers.", no_args_is_help=True, add_completion=False
)

SKIP = "skip"
RuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="LABEL=PARSER", help="A label and its parser; may be repeated.", show_default=False
    ),
]
FallbackOption = Annotated[
    str | None,
    typer.Option(
        metavar="PARSER",
        help=f"The parser of documents that no rule fits, or '{SKIP}'.",
        show_default=False,
    ),
]
InstructionsOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What helps to tell the labels apart.", show_default=False)
]
DescriptionOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Its description.", show_default=False)
]
SettingsOption = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="JSON file with acceptedFileTypes, splitDocuments, emailParsing.",
        show_default=False,
    ),
]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the classifiers."""
    with backend() as chosen:
        found = chosen.classifiers.all()
    if json:
        print_json(found)
        return
    rows = [(one.id, one.name, ", ".join(r.label for r in one.rules), one.is_active) for one in found]
    print_table(["Id", "Name", "Labels", "Active"], rows)


@app.command()
def show(classifier: ClassifierArgument, json: JsonOption = False) -> None:
    """Show a classifier's rules."""
    with backend() as chosen:
        _show(chosen, chosen.classifiers.get(classifier), json)


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    rule: RuleOption = None,
    fallback: FallbackOption = None,
    instructions: InstructionsOption = None,
    description: DescriptionOption = None,
    settings: SettingsOption = None,
    json: JsonOption = False,
) -> None:
    """Create a classifier with at least one rule."""
    if not rule:
        raise InputError("A classifier needs at least one rule: --rule LABEL=PARSER")
    own = _read_settings(settings)
    with backend() as chosen:
        routing = _routing(chosen, rule, fallback, instructions)
        new = NewClassifier(name, routing, description or "", own)
        _show(chosen, chosen.classifiers.create(new), json)


@app.command()
def update(
    classifier: ClassifierArgument,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.", show_default=False)] = None,
    rule: RuleOption = None,
    fallback: FallbackOption = None,
    instructions: InstructionsOption = None,
    description: DescriptionOption = None,
    active: Annotated[
        bool | None,
        typer.Option("--active/--inactive", help="Whether it takes documents.", show_default=False),
    ] = None,
    settings: SettingsOption = None,
    json: JsonOption = False,
) -> None:
    """Change a classifier; rules replace all that it has, and keep what they learned by their label."""
    own = _read_settings(settings)
    with backend() as chosen:
        routing = _routing(chosen, rule or [], fallback, instructions)
        changes = ClassifierChanges(name, description, active, routing or None, own or None)
        _show(chosen, chosen.classifiers.update(classifier, changes), json)


@app.command()
def delete(classifier: ClassifierArgument, json: JsonOption = False) -> None:
    """Delete a classifier and its documents that are in no parser."""
    with backend() as chosen:
        gone = chosen.classifiers.delete(classifier)
    print_result({"deleted": gone}, f"Deleted classifier {gone}", json)


@app.command()
def documents(
    classifier: ClassifierArgument,
    status: Annotated[
        Literal["pending", "routed", "skipped", "failed"] | None,
        typer.Option(help="Only documents with this result.", show_default=False),
    ] = None,
    q: Annotated[
        str | None,
        typer.Option(
            "--query", "-q", metavar="TEXT", help="Part of the name or external id.", show_default=False
        ),
    ] = None,
    page: Annotated[int, typer.Option(min=1, help="The page.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Documents per page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List a classifier's documents and where they went, the newest first."""
    query = RoutedDocumentQuery(q=q, status=status, page=page, limit=limit)
    with backend() as chosen:
        found = chosen.classifiers.documents(classifier, query)
    if json:
        print_json({"data": found.rows, "page": found.page, "limit": found.limit, "total": found.total})
        return
    print_table(
        ["Id", "Name", "Routing", "Label", "Parser", "Conf.", "Why"],
        [
            (
                row.id,
                row.name,
                row.routing.status,
                row.routing.category,
                row.routing.target_parser_name,
                percent(row.routing.confidence),
                row.routing.error or row.routing.reasoning,
            )
            for row in found.rows
        ],
    )
    say(f"{len(found.rows)} of {found.total}")


@app.command()
def route(
    classifier: ClassifierArgument,
    document_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the right parser.")],
    json: JsonOption = False,
) -> None:
    """Move a document to the right parser; the classifier learns from it."""
    with backend() as chosen:
        moved = chosen.classifiers.route(classifier, document_id, chosen.parser(parser).id)
    print_result(moved, f"{moved.name} is in {moved.routing.target_parser_name}", json)


app.command("upload-page")(classifier_page)


def _read_settings(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    found = read_json("--settings", path)
    if not isinstance(found, dict):
        raise InputError(f"--settings {path}: must be a JSON object")
    return found


def _routing(
    chosen: Backend, rules: Sequence[str], fallback: str | None, instructions: str | None
) -> dict[str, Any]:
    """Return the routing settings of options, without those that are not given."""
    routing: dict[str, Any] = {}
    if rules:
        routing["rules"] = [_rule(chosen, text) for text in rules]
    if fallback == SKIP:
        routing["fallback"] = {"action": SKIP, "targetParserId": None}
    elif fallback is not None:
        routing["fallback"] = {"action": "route", "targetParserId": chosen.parser(fallback).id}
    if instructions is not None:
        routing["instructions"] = instructions
    return routing


def _rule(chosen: Backend, text: str) -> dict[str, str]:
    label, sign, parser = text.rpartition("=")
    if not sign or not label.strip() or not parser.strip():
        raise InputError(f"--rule '{text}' must be LABEL=PARSER, for example 'Invoice=invoices'")
    return {"label": label.strip(), "targetParserId": chosen.parser(parser.strip()).id}


def _show(chosen: Backend, found: ClassifierView, json: bool) -> None:
    if json:
        print_json(found)
        return
    slugs = {parser.id: parser.slug for parser in chosen.parsers()}
    say(f"{found.name} ({found.id})", "bold")
    mail = found.email_address and f"E-mail: {found.email_address}"
    for line in filter(None, (found.description, mail, None if found.is_active else "Not active")):
        say(line)
    rows = [(rule.label, slugs.get(rule.target_parser_id)) for rule in found.rules]
    print_table(["Label", "Parser"], rows)
    say(f"Others: {slugs.get(found.fallback_parser_id or '', 'skipped')}")
    if found.instructions:
        say(f"Instructions: {found.instructions}")
