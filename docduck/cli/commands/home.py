"""``docduck home``."""

from __future__ import annotations

from docduck.cli.options.shared import command_group
from docduck.cli.output import JsonOption, installation, print_result

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
