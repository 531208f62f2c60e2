"""``docduck classifiers``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic.alias_generators import to_snake

from docduck.cli.commands.upload_pages import classifier_page
from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, classifier_id, parser_id
from docduck.cli.options.json_files import read_json
from docduck.cli.options.targets import ClassifierArgument
from docduck.cli.output import JsonOption, percent, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.client import Client
from docduck.client.types import Classifier
from docduck.errors import InputError

app = typer.Typer(
    help="Classifiers: they route documents to parsers.", no_args_is_help=True, add_completion=False
)

SKIP = "skip"
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
    typer.Option(
        "--settings", metavar="FILE", help="JSON file with acceptedFileTypes, splitDocuments, emailParsing."
    ),
]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the classifiers."""
    with connected() as client:
        classifiers = list(client.classifiers.list(sort="createdAt.asc", limit=100))
    if json:
        print_json(classifiers)
        return
    rows = [
        (classifier["id"], classifier["name"], ", ".join(_labels(classifier)), classifier["isActive"])
        for classifier in classifiers
    ]
    print_table(["Id", "Name", "Labels", "Active"], rows)


@app.command()
def show(classifier: ClassifierArgument, json: JsonOption = False) -> None:
    """Show a classifier's rules."""
    with connected() as client:
        _show(client, client.classifiers.get(classifier_id(client, classifier)), json)


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
    with connected() as client:
        routing = _routing(client, rule, fallback, instructions)
        _show(client, client.classifiers.create(name, routing, description=description, **own), json)


@app.command()
def update(
    classifier: ClassifierArgument,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.")] = None,
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
    own = _read_settings(settings)
    with connected() as client:
        owner_id = classifier_id(client, classifier)
        routing = _routing(client, rule or [], fallback, instructions)
        changed = {
            "name": name,
            "description": description,
            "is_active": active,
            "routing": routing or None,
            **own,
        }
        changes = {key: value for key, value in changed.items() if value is not None}
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
    q: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="TEXT", help="Part of the name or external id."),
    ] = None,
    page: Annotated[int, typer.Option(min=1, help="The page.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Documents per page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List a classifier's documents and where they went, the newest first."""
    with connected() as client:
        documents = client.classifiers.documents_page(
            classifier_id(client, classifier), q=q, status=status, page=page, limit=limit
        )
    if json:
        print_json(documents)
        return
    print_table(
        ["Id", "Name", "Routing", "Label", "Parser", "Conf.", "Why"],
        [
            (
                row["id"],
                row["name"],
                row["routing"]["status"],
                row["routing"]["category"],
                row["routing"]["targetParserName"],
                percent(row["routing"]["confidence"]),
                row["routing"]["error"] or row["routing"]["reasoning"],
            )
            for row in documents["data"]
        ],
    )
    say(f"{len(documents['data'])} of {documents['pagination']['total']}")


@app.command()
def route(
    classifier: ClassifierArgument,
    document_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
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


app.command("upload-page")(classifier_page)


def _read_settings(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    settings = read_json("--settings", path)
    if not isinstance(settings, dict):
        raise InputError(f"--settings {path}: must be a JSON object")
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


def _labels(classifier: Classifier) -> list[str]:
    return [rule["label"] for rule in classifier["settings"]["routing"]["rules"]]


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
