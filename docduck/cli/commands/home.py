"""``docduck home``, ``docduck doctor`` and ``docduck migrate``: the home, right and in its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from dotenv import dotenv_values

from docduck.cli.options.shared import command_group
from docduck.cli.output import JsonOption, installation, print_json, print_result, progress, say
from docduck.errors import Conflict, InputError
from docduck.service.upkeep.doctor import examine
from docduck.settings import Settings, read_settings

app = command_group("The home folder.")


@app.callback()
def _group() -> None:
    """Keep ``adopt`` a command of its own, although it is the only one."""


@app.command()
def adopt(json: JsonOption = False) -> None:
    """Make the catalog this home's, after the home that it belonged to was moved, restored or lost."""
    with installation(adopt=True) as inst:
        home = inst.settings.home.absolute()
    print_result({"home": home}, f"The catalog belongs to the home {home}", json)


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


def migrate(
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="Variables as for systemd: DOCDUCK_CATALOG_URL=…")
    ],
    json: JsonOption = False,
) -> None:
    """Copy the catalog to PostgreSQL, and the files to a bucket, and compare them. The home is not changed.

    Files are copied while docduck runs, the catalog once it is stopped; what was copied is not copied again.
    """
    from docduck.catalog.database import Catalog
    from docduck.cli.runtime.supervisor import no_docduck_up
    from docduck.files.store import open_files
    from docduck.service.processing.run_lock import exclusive_run
    from docduck.service.upkeep.moving import copy_catalog, copy_files

    rows = 0
    with installation() as inst:
        before, after = inst.settings, _settings_of(to)
        if (before.catalog_url, before.files_url) == (after.catalog_url, after.files_url):
            raise InputError(
                f"{to} names no other DOCDUCK_CATALOG_URL or DOCDUCK_FILES_URL than this home has", "--to"
            )

        def copy() -> int:
            if after.files_url == before.files_url:
                return 0
            with progress("Copying files") as advance:
                return copy_files(inst.files, open_files(after), advance)

        files = copy()
        if after.catalog_url is not None and after.catalog_url != before.catalog_url:
            with no_docduck_up(before.home.absolute()), exclusive_run(inst) as alone:
                if not alone:
                    raise Conflict("A run reads documents: wait for its end, and try again")
                files += copy()
                target = Catalog(after.catalog_url, 2)
                try:
                    with progress("Copying the catalog") as advance:
                        rows = copy_catalog(inst.catalog, target, advance)
                finally:
                    target.close()
    print_result(
        {"files": files, "rows": rows},
        f"{files} files and {rows} rows were copied. Set the variables of {to} wherever docduck runs"
        + (f", move {before.home.absolute() / 'files'} away" if after.files_url else "")
        + ", and start docduck up",
        json,
    )


def _settings_of(path: Path) -> Settings:
    """Return the settings of the environment, changed by the variables in a file."""
    if not path.is_file():
        raise InputError(f"There is no file {path}", "--to")
    os.environ.update({name: value for name, value in dotenv_values(path).items() if value is not None})
    return read_settings()
