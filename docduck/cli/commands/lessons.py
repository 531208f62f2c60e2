"""``docduck lessons``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, parser_id
from docduck.cli.options.shared import ParserArgument, command_group
from docduck.cli.output import JsonOption, print_result, say
from docduck.cli.tables import Columns, print_rows
from docduck.client.types import Lesson

app = command_group("Lessons: what a parser has learned from corrections and approvals.")


@app.command("list")
def list_(
    parser: ParserArgument,
    page: Annotated[int, typer.Option(min=1, help="The page, from 1.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Lessons of a page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List what a parser has learned of its fields, the newest first."""
    with connected() as client:
        learned = client.lessons.page(parser_id(client, parser), page=page, limit=limit)
    columns: Columns = {
        "Field": lambda it: f"{it['field']}.{it['column']}" if it["column"] else it["field"],
        "Teaches": _taught,
        "Status": "status",
        "Documents": "documents",
        "Document": "documentName",
        "By": "learnedBy.name",
        "Lesson": "id",
    }
    print_rows(learned["data"], columns, json)
    total = learned["pagination"]["total"]
    if not json and total > page * limit:
        say(f"{total} in all; --page {page + 1} shows the next")


@app.command()
def remove(
    parser: ParserArgument,
    lesson: Annotated[str, typer.Argument(metavar="LESSON", help="The lesson's id.")],
    json: JsonOption = False,
) -> None:
    """Forget a lesson; it counts for no document that is read from now on."""
    with connected() as client:
        client.lessons.remove(parser_id(client, parser), checked_id("lessonId", lesson))
    print_result({"removed": lesson}, f"Removed {lesson}", json)


def _taught(lesson: Lesson) -> str:
    if lesson["kind"] == "constant":
        return f"constant {lesson['value']}"
    label = f" '{lesson['label']}'" if lesson["label"] else ""
    return f"{lesson['kind']}{label}" + (f", page {lesson['page']}" if lesson["page"] is not None else "")
