"""``docduck sources``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.output import JsonOption, installation, print_json, say
from docduck.cli.tables import print_table
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.source_log import REPLAYABLE, replay, source_statuses, try_source

app = typer.Typer(help="What sources have brought, and what they would bring.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name in pipeline.yaml, or inbox.")]


@app.command("status")
def show_status(json: JsonOption = False) -> None:
    """Show the sources: what was seen, taken in and refused, and why."""
    with installation() as inst:
        statuses = source_statuses(inst, inst.team_id)
    if json:
        print_json(statuses)
        return
    print_table(
        ["Source", "Kind", "Place", "For", *ItemOutcome],
        [
            [
                source.name,
                source.kind,
                source.place,
                source.target,
                *(source.counts.get(name, 0) for name in ItemOutcome),
            ]
            for source in statuses
        ],
    )
    for status in statuses:
        if status.message:
            say(f"{status.name}: {status.message}")
    for source_status in statuses:
        if source_status.latest:
            rows = [(entry.at, entry.item, entry.outcome, entry.message) for entry in source_status.latest]
            print_table(
                ["When", "Item", "Outcome", "Why"], rows, title=f"{source_status.name}: not registered"
            )


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
    if json:
        print_json({"source": name, "forgotten": count})
        return
    say(f"{count} items of {name} are looked at again")
