"""``docduck sources``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, installation, print_json, print_result, say
from docduck.cli.tables import Columns, print_rows
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.source_log import REPLAYABLE, SourceStatus, replay, source_statuses, try_source

app = typer.Typer(help="What sources have brought, and what they would bring.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name in pipeline.yaml, or inbox.")]


@app.command("status")
def show_status(json: JsonOption = False) -> None:
    """Show the sources: what was seen, taken in and refused, and why."""
    with installation() as inst:
        statuses = source_statuses(inst, inst.team_id)
    counted: Columns = {outcome: _count_of(outcome) for outcome in ItemOutcome}
    columns = {"Source": "name", "Kind": "kind", "Place": "place", "For": "target"}
    print_rows(statuses, {**columns, **counted}, json)
    if json:
        return
    for source in statuses:
        if source.message:
            say(f"{source.name}: {source.message}")
    entries = {"When": "at", "Item": "item", "Outcome": "outcome", "Why": "message"}
    for source in statuses:
        if source.latest:
            print_rows(source.latest, entries, title=f"{source.name}: not registered")


@app.command("test")
def test_source(name: NameArgument, json: JsonOption = False) -> None:
    """Try a source's connection and list what would be taken in; nothing is."""
    with installation() as inst:
        preview = try_source(inst, name)
    if json:
        print_json(preview)
        return
    say(preview.message)
    for item in preview.items:
        say(item)
    if preview.new > len(preview.items):
        say(f"… and {preview.new - len(preview.items)} more")


@app.command("replay")
def replay_source(
    name: NameArgument,
    outcome: Annotated[
        list[ItemOutcome] | None,
        typer.Option(help=f"Only items with this outcome: {', '.join(sorted(REPLAYABLE))}."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Look again at all items of a source that were not taken in, such as refused ones."""
    with installation() as inst:
        count = replay(inst, inst.team_id, name, outcome or REPLAYABLE)
    print_result({"source": name, "forgotten": count}, f"{count} items of {name} are looked at again", json)


def _count_of(outcome: ItemOutcome) -> Callable[[SourceStatus], int]:
    return lambda source: source.counts.get(outcome, 0)
