"""``docduck lessons``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.service.corrections.lessons import LessonView

app = typer.Typer(
    help="Lessons: what a parser has learned from corrections and approvals.",
    no_args_is_help=True,
    add_completion=False,
)


@app.command("list")
def list_(
    parser: ParserArgument,
    page: Annotated[int, typer.Option(min=1, help="The page, from 1.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Lessons of a page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List what a parser has learned of its fields, the newest first."""
    with backend() as chosen:
        found, total = chosen.lessons(parser, page, limit)
    if json:
        print_json(found)
        return
    print_table(
        ["Field", "Teaches", "Status", "Documents", "Document", "By", "Lesson"],
        [
            (
                f"{one.field}.{one.column}" if one.column else one.field,
                _taught(one),
                one.status,
                one.documents,
                one.document_name,
                one.learned_by.name if one.learned_by else None,
                one.id,
            )
            for one in found
        ],
    )
    if total > page * limit:
        say(f"{total} in all; --page {page + 1} shows the next")


@app.command()
def remove(
    parser: ParserArgument,
    lesson: Annotated[str, typer.Argument(metavar="LESSON", help="The lesson's id.")],
    json: JsonOption = False,
) -> None:
    """Forget a lesson; it counts for no document that is read from now on."""
    with backend() as chosen:
        chosen.remove_lesson(parser, lesson)
    print_result({"removed": lesson}, f"Removed {lesson}", json)


def _taught(one: LessonView) -> str:
    if one.kind == "constant":
        return f"constant {one.value}"
    label = f" '{one.label}'" if one.label else ""
    return f"{one.kind}{label}" + (f", page {one.page}" if one.page is not None else "")
