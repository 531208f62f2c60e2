"""``docduck status``."""

from __future__ import annotations

from docduck.cli.output import JsonOption, console, installation, print_json, print_table, shown
from docduck.service.states import Status
from docduck.service.status import status as read_status

_LONGEST = 60


def status(json: JsonOption = False) -> None:
    """Show parsers, documents by state, what waits, and files that were not taken, with the reason."""
    with installation() as inst:
        now = read_status(inst, inst.team_id)
    problem = now.pipeline_problem
    if json:
        print_json(
            {
                "parsers": [
                    {
                        "slug": one.parser.slug,
                        "name": one.parser.name,
                        "isActive": one.parser.is_active,
                        "problem": one.parser.problem,
                        "documents": one.documents,
                        "waiting": one.waiting,
                    }
                    for one in now.parsers
                ],
                "failures": now.failures,
                "intake": now.intake,
                "intakeCounts": now.intake_counts,
                "pipelineProblem": problem,
            }
        )
        return
    if problem:
        console.print("[bold red]pipeline.yaml[/] ", end="")
        console.print(problem, markup=False)
    if not now.parsers:
        console.print(
            "There is no parser yet: docduck parsers add --template invoice, or docduck up --samples"
        )
    else:
        used = [name for name in Status if any(name in one.documents for one in now.parsers)]
        print_table(
            ["Parser", *used, "not yet in tables"],
            [
                [one.parser.slug, *(one.documents.get(name, 0) for name in used), one.waiting.unprojected]
                for one in now.parsers
            ],
        )
    for one in now.parsers:
        if one.parser.problem:
            console.print(f"[bold red]{one.parser.slug}[/] ", end="")
            console.print(one.parser.problem, markup=False)
    if now.failures:
        print_table(
            ["When", "Parser", "Document", "Error"],
            [(f.at, f.parser, _short(f.name), f.error) for f in now.failures],
            title="\nFailed last",
        )
    if now.intake:
        print_table(
            ["When", "Source", "File", "Outcome", "Why"],
            [(n.at, n.source, _short(n.item), n.outcome, n.message) for n in now.intake],
            title="\nOffered, and not made a document",
        )


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:]
