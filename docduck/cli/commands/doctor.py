"""``docduck doctor``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.output import JsonOption, installation, print_json, progress, say
from docduck.service.upkeep.doctor import examine


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Put right what can be, losing nothing.")] = False,
    json: JsonOption = False,
) -> None:
    """Check the catalog, files, queue and tables; exit with 1 if something stays wrong. docduck may run."""
    with installation() as inst, progress("Checking") as advance:
        findings = examine(inst, fix=fix, on_progress=advance)
    left = [finding for finding in findings if not finding.is_fixed]
    if json:
        print_json({"findings": findings})
    else:
        for finding in findings:
            say(f"{finding.part}: {finding.message}", "green" if finding.is_fixed else "red")
        fixed = len(findings) - len(left)
        say(f"{fixed} of {len(findings)} put right" if findings else "Nothing is wrong")
        if fixable := sum(finding.can_be_fixed for finding in left):
            say(f"docduck doctor --fix puts {fixable} right")
    if left:
        raise typer.Exit(1)
