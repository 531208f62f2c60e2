"""``docduck classifiers``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic.alias_generators import to_snake

from docduck.cli.commands.upload_pages import add_page_command
from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, classifier_id, parser_id
from docduck.cli.options.json_files import read_json
from docduck.cli.options.shared import (
    ClassifierArgument,
    DocumentArgument,
    NameArgument,
    NewNameOption,
    PageOption,
    PageSizeOption,
    QueryOption,
    command_group,
    given,
)
from docduck.cli.output import JsonOption, percent, print_json, print_result, say
from docduck.cli.tables import Columns, print_page, print_rows, print_table
from docduck.client import Client
from docduck.client.types import Classifier
from docduck.errors import InputError

app = command_group("Classifiers: they route documents to parsers.")

SKIP = "skip"
_SETTINGS = ("acceptedFileTypes", "model", "splitDocuments", "emailParsing")
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="LABEL=PARSER", help="A label and its parser; may be repeated."),
]
FallbackOption = Annotated[
    str | None,
    typer.Option(metavar="PARSER", help=f"The parser of documents that no rule fits, or '{SKIP}'."),
]
InstructionsOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What helps to tell the labels apart.")
]
DescriptionOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Its description.")]
SettingsOption = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help=f"JSON file with {', '.join(_SETTINGS)}."),
]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the classifiers."""
    with connected() as client:
        classifiers = list(client.classifiers.list(sort="createdAt.asc", limit=100))
    columns: Columns = {"Id": "id", "Name": "name", "Labels": _labels, "Active": "isActive"}
    print_rows(classifiers, columns, json)


@app.command()
def show(classifier: ClassifierArgument, json: JsonOption = False) -> None:
    """Show a classifier's rules."""
    with connected() as client:
        _show(client, client.classifiers.get(classifier_id(client, classifier)), json)


@app.command()
def create(
    name: NameArgument,
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
    own = _read_settings(settings, _SETTINGS)
    with connected() as client:
        routing = _routing(client, rule, fallback, instructions)
        _show(client, client.classifiers.create(name, routing, description=description, **own), json)


@app.command()
def update(
    classifier: ClassifierArgument,
    name: NewNameOption = None,
    rule: RuleOption = None,
    fallback: FallbackOption = None,
    instructions: InstructionsOption = None,
    description: DescriptionOption = None,
    active: Annotated[
        bool | None,
        typer.Option("--active/--inactive", help="Whether it takes documents."),
    ] = None,
    settings: SettingsOption = None,
    json: JsonOption = False,
) -> None:
    """Change a classifier; rules replace all that it has, and keep what they learned by their label."""
    own = _read_settings(settings, (*_SETTINGS, "name", "description", "isActive", "routing"))
    with connected() as client:
        owner_id = classifier_id(client, classifier)
        routing = _routing(client, rule or [], fallback, instructions)
        plain = {"name": name, "description": description, "is_active": active}
        changes = given(**{**plain, "routing": routing or None, **own})
        _show(client, client.classifiers.update(owner_id, **changes), json)


@app.command()
def delete(classifier: ClassifierArgument, json: JsonOption = False) -> None:
    """Delete a classifier and its documents that are in no parser."""
    with connected() as client:
        id_ = classifier_id(client, classifier)
        client.classifiers.delete(id_)
    print_result({"deleted": id_}, f"Deleted classifier {id_}", json)


@app.command()
def documents(
    classifier: ClassifierArgument,
    status: Annotated[
        Literal["pending", "routed", "skipped", "failed"] | None,
        typer.Option(help="Only documents with this result."),
    ] = None,
    q: QueryOption = None,
    page: PageOption = 1,
    limit: PageSizeOption = 50,
    json: JsonOption = False,
) -> None:
    """List a classifier's documents and where they went, the newest first."""
    with connected() as client:
        documents = client.classifiers.documents_page(
            classifier_id(client, classifier), q=q, status=status, page=page, limit=limit
        )
    columns: Columns = {
        "Id": "id",
        "Name": "name",
        "Routing": "routing.status",
        "Label": "routing.category",
        "Parser": "routing.targetParserName",
        "Conf.": lambda row: percent(row["routing"]["confidence"]),
        "Why": lambda row: row["routing"]["error"] or row["routing"]["reasoning"],
    }
    print_page(documents, columns, json)


@app.command()
def route(
    classifier: ClassifierArgument,
    document_id: DocumentArgument,
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the right parser.")],
    json: JsonOption = False,
) -> None:
    """Move a document to the right parser; the classifier learns from it."""
    with connected() as client:
        moved = client.classifiers.route(
            classifier_id(client, classifier),
            checked_id("documentId", document_id),
            parser_id(client, parser),
        )
    print_result(moved, f"{moved['name']} is in {moved['routing']['targetParserName']}", json)


add_page_command(app, "classifier", "Name or id of the classifier.", classifier_id)


def _read_settings(path: Path | None, known: Sequence[str]) -> dict[str, Any]:
    if path is None:
        return {}
    settings = read_json("--settings", path)
    if not isinstance(settings, dict):
        raise InputError(f"--settings {path}: must be a JSON object")
    if unknown := [key for key in settings if key not in known]:
        raise InputError(f"--settings {path}: unknown key {unknown[0]}; known are {', '.join(known)}")
    return {to_snake(key): value for key, value in settings.items()}


def _routing(
    client: Client, rules: Sequence[str], fallback: str | None, instructions: str | None
) -> dict[str, Any]:
    """Return the routing settings of options, without those that are not given."""
    routing: dict[str, Any] = {}
    if rules:
        routing["rules"] = [_rule(client, text) for text in rules]
    if fallback == SKIP:
        routing["fallback"] = {"action": SKIP, "targetParserId": None}
    elif fallback is not None:
        routing["fallback"] = {"action": "route", "targetParserId": parser_id(client, fallback)}
    if instructions is not None:
        routing["instructions"] = instructions
    return routing


def _rule(client: Client, text: str) -> dict[str, str]:
    label, sign, parser = text.rpartition("=")
    if not sign or not label.strip() or not parser.strip():
        raise InputError(f"--rule '{text}' must be LABEL=PARSER, for example 'Invoice=invoices'")
    return {"label": label.strip(), "targetParserId": parser_id(client, parser.strip())}


def _labels(classifier: Classifier) -> str:
    return ", ".join(rule["label"] for rule in classifier["settings"]["routing"]["rules"])


def _show(client: Client, classifier: Classifier, json: bool) -> None:
    if json:
        print_json(classifier)
        return
    slugs = {parser["id"]: parser["slug"] for parser in client.parsers.list(limit=100)}
    say(f"{classifier['name']} ({classifier['id']})", "bold")
    mail = classifier["emailAddress"] and f"E-mail: {classifier['emailAddress']}"
    active = None if classifier["isActive"] else "Not active"
    for line in filter(None, (classifier["description"], mail, active)):
        say(line)
    routing = classifier["settings"]["routing"]
    rows = [(rule["label"], slugs.get(rule["targetParserId"])) for rule in routing["rules"]]
    print_table(["Label", "Parser"], rows)
    say(f"Others: {slugs.get(routing['fallback']['targetParserId'] or '', 'skipped')}")
    if routing["instructions"]:
        say(f"Instructions: {routing['instructions']}")
