"""``docduck migrate``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from dotenv import dotenv_values

from docduck.cli.output import JsonOption, installation, print_result, progress
from docduck.errors import Conflict, InputError
from docduck.settings import Settings, read_settings


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
    from docduck.files.opening import open_files
    from docduck.service.processing.run_lock import exclusive_run
    from docduck.service.upkeep.migration import copy_catalog, copy_files

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
