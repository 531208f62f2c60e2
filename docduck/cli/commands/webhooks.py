"""``docduck webhooks``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, parser_id
from docduck.cli.options.shared import (
    CursorOption,
    DocumentArgument,
    PageOption,
    ParserArgument,
    ParserOption,
    command_group,
    given,
)
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import Columns, print_page, print_rows
from docduck.client import Client
from docduck.client.types import CreatedWebhook, Webhook
from docduck.errors import DocduckError, InputError

_ALL = "*"
"""In place of a parser: all of them."""

app = command_group("Webhooks: they tell other programs about documents.")

OwnerArgument = Annotated[
    str,
    typer.Argument(metavar="PARSER", help="Slug, name or id of the parser; '*' for webhooks of all of them."),
]
WebhookArgument = Annotated[str, typer.Argument(metavar="WEBHOOK", help="The webhook's id.")]
EventOption = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help="Such as document.exported (the default) or document.failed, or '*'; may be repeated.",
    ),
]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="NAME=VARIABLE",
        help="A header of each request; the environment variable holds its value. May be repeated.",
    ),
]
NameOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Its name.")]
DescriptionOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Its description.")]
FormatOption = Annotated[
    Literal["typed", "string"] | None,
    typer.Option("--values", help="Values as they are, or all as text."),
]


@app.command("list")
def list_(parser: OwnerArgument, json: JsonOption = False) -> None:
    """List a parser's webhooks, or with '*' those of all parsers."""
    with connected() as client:
        webhooks = client.webhooks.list(_owner(client, parser))
    columns = {"Id": "id", "Name": "name", "URL": "url", "Events": "events", "Status": "status"}
    print_rows(webhooks, {**columns, "Last": "lastDeliveryAt", "Code": "lastStatusCode"}, json)


@app.command()
def show(parser: OwnerArgument, webhook: WebhookArgument, json: JsonOption = False) -> None:
    """Show a webhook."""
    with connected() as client:
        details = client.webhooks.get(_owner(client, parser), checked_id("webhookId", webhook))
    _show(details, json)


@app.command()
def create(
    parser: OwnerArgument,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where events are posted; HTTPS.")],
    event: EventOption = None,
    header: HeaderOption = None,
    name: NameOption = None,
    description: DescriptionOption = None,
    values: FormatOption = None,
    json: JsonOption = False,
) -> None:
    """Create a webhook, and print the secret that signs what it sends."""
    new = _given(event, header, name=name, description=description, value_format=values)
    with connected() as client:
        created = client.webhooks.create(_owner(client, parser), url, **new)
    _show(created, json)
    if not json:
        say(f"Secret: {created['secret']}")


@app.command()
def update(
    parser: OwnerArgument,
    webhook: WebhookArgument,
    url: Annotated[str | None, typer.Option(metavar="URL", help="A new URL.")] = None,
    event: EventOption = None,
    header: HeaderOption = None,
    name: NameOption = None,
    description: DescriptionOption = None,
    values: FormatOption = None,
    active: Annotated[
        bool | None,
        typer.Option("--active/--paused", help="Whether events are sent to it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Change a webhook; events and headers replace all that it has."""
    changed = {"url": url, "name": name, "description": description, "value_format": values}
    changes = _given(event, header, **changed, is_active=active)
    with connected() as client:
        details = client.webhooks.update(_owner(client, parser), checked_id("webhookId", webhook), **changes)
    _show(details, json)


@app.command()
def delete(parser: OwnerArgument, webhook: WebhookArgument, json: JsonOption = False) -> None:
    """Delete a webhook and its deliveries."""
    with connected() as client:
        deleted = client.webhooks.delete(_owner(client, parser), checked_id("webhookId", webhook))["id"]
    print_result({"deleted": deleted}, f"Deleted webhook {deleted}", json)


@app.command()
def secret(
    parser: OwnerArgument,
    webhook: WebhookArgument,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Make a new one; the old one signs as well for 24 hours.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print the secret that signs what a webhook sends."""
    with connected() as client:
        ids = _owner(client, parser), checked_id("webhookId", webhook)
        if not rotate:
            current = client.webhooks.secret(*ids)
            print_result({"secret": current}, current, json)
            return
        created = client.webhooks.rotate_secret(*ids)
    print_result(created, created["secret"], json)


@app.command()
def test(
    parser: OwnerArgument,
    webhook: WebhookArgument,
    event: Annotated[str, typer.Option(metavar="EVENT", help="The event to send.")] = "webhook.test",
    json: JsonOption = False,
) -> None:
    """Send an event of a document that doesn't exist, and print the result."""
    with connected() as client:
        result = client.webhooks.test(_owner(client, parser), checked_id("webhookId", webhook), event=event)
    if json:
        print_json(result)
    elif result["success"]:
        say(f"{result['statusCode']} in {result['durationMs']} ms")
    if not result["success"]:
        raise DocduckError(f"The test failed: {result['error']}")


@app.command()
def deliveries(
    parser: OwnerArgument,
    webhook: WebhookArgument,
    status: Annotated[
        Literal["pending", "succeeded", "failed", "cancelled"] | None,
        typer.Option(help="Only deliveries with this status."),
    ] = None,
    page: PageOption = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Deliveries per page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List what was sent to a webhook, the newest first."""
    with connected() as client:
        deliveries_page = client.webhooks.deliveries_page(
            _owner(client, parser),
            checked_id("webhookId", webhook),
            status=status,
            page=page,
            limit=limit,
        )
    columns: Columns = {
        "Id": "id",
        "Event": "event",
        "Document": "documentId",
        "Status": "status",
        "Attempts": lambda delivery: len(delivery["attempts"]),
        "Last error": lambda delivery: delivery["attempts"][-1]["error"] if delivery["attempts"] else None,
        "Next attempt": "nextAttemptAt",
    }
    print_page(deliveries_page, columns, json)


@app.command()
def retry(
    parser: OwnerArgument,
    webhook: WebhookArgument,
    delivery: Annotated[str, typer.Argument(metavar="DELIVERY", help="The delivery's id.")],
    json: JsonOption = False,
) -> None:
    """Send a delivery again now."""
    with connected() as client:
        client.webhooks.retry(
            _owner(client, parser),
            checked_id("webhookId", webhook),
            checked_id("deliveryId", delivery),
        )
    print_result({"retried": delivery}, f"{delivery} is sent again", json)


@app.command()
def events(
    parser: ParserOption = None,
    event: Annotated[str | None, typer.Option(metavar="EVENT", help="Only this kind of event.")] = None,
    since: Annotated[str | None, typer.Option(metavar="MOMENT", help="Only events then or later.")] = None,
    cursor: CursorOption = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Events per page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List what happened to documents in the last 30 days, the oldest first."""
    with connected() as client:
        owner_id = None if parser is None else parser_id(client, parser)
        page = client.events.page(parser_id=owner_id, event=event, since=since, cursor=cursor, limit=limit)
    columns = {
        "Id": "id",
        "Event": "event",
        "Document": "documentId",
        "Parser": "parserId",
        "At": "createdAt",
    }
    print_rows(page["data"], {**columns, "At": "createdAt"}, json, whole=page)


@app.command()
def replay(
    webhook: WebhookArgument,
    event: Annotated[str | None, typer.Option(metavar="ID", help="The event to send.")] = None,
    since: Annotated[str | None, typer.Option(metavar="MOMENT", help="All events then or later.")] = None,
    until: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="With --since: not those after this moment.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Send an event, or those of a range, to a webhook again."""
    with connected() as client:
        sent = client.webhooks.replay(
            checked_id("webhookId", webhook), event_id=event, created_from=since, created_to=until
        )
    text = (
        f"{sent['deliveries']} sent, {sent['pending']} were waiting, {sent['skipped']} of deleted documents"
    )
    print_result(sent, text, json)


@app.command()
def resend(parser: ParserArgument, document_id: DocumentArgument, json: JsonOption = False) -> None:
    """Send a document's export to the parser's webhooks once more."""
    with connected() as client:
        client.webhooks.resend_export(parser_id(client, parser), checked_id("documentId", document_id))
    print_result({"resent": document_id}, f"document.exported of {document_id} is sent again", json)


def _owner(client: Client, parser: str) -> str | None:
    """Return the id of the parser; None for all of them."""
    return None if parser == _ALL else parser_id(client, parser)


def _given(events: Sequence[str] | None, headers: Sequence[str] | None, **options: Any) -> dict[str, Any]:
    """Return the properties that were given."""
    sent = dict(_header(header) for header in headers) if headers else None
    return given(events=events or None, headers=sent, **options)


def _header(text: str) -> tuple[str, str]:
    name, sign, variable = text.partition("=")
    if not sign or not name or not variable:
        raise InputError(f"--header '{text}' must be NAME=VARIABLE, for example Authorization=ERP_TOKEN")
    value = os.environ.get(variable)
    if not value:
        raise InputError(f"--header {name}: the environment variable {variable} is not set")
    return name, value


def _show(webhook: Webhook | CreatedWebhook, json: bool) -> None:
    if json:
        print_json(webhook)
        return
    say(f"{webhook['name'] or webhook['url']} ({webhook['id']})", "bold")
    for line in (
        webhook["description"],
        f"URL: {webhook['url']}",
        f"Events: {', '.join(webhook['events'])}",
        f"Headers: {', '.join(webhook['headers'])}" if webhook["headers"] else "",
        f"Values: {webhook['valueFormat']}",
        f"Status: {webhook['status']}",
    ):
        if line:
            say(line)
