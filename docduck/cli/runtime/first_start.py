"""Preparing the home folder, with sample documents on request.

``docduck up`` runs this as a separate process, so that its libraries don't stay in memory.
"""

from __future__ import annotations

import shutil
import sys
from importlib.resources import as_file, files
from pathlib import Path

from docduck.cli.runtime.addresses import pages_url
from docduck.errors import DocduckError, InputError
from docduck.extraction.models import usable_models
from docduck.service.accounts.first_user import first_user_token
from docduck.service.accounts.password_reset import owners_without_password, start_reset
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser, list_parsers
from docduck.service.provisioning.pipeline import apply_pipeline, load_pipeline
from docduck.service.sources.sources import ensure_inbox
from docduck.settings import Settings, read_settings
from docduck.templates import keys, load


def prepare_home(settings: Settings, samples: bool) -> list[str]:
    """Create or upgrade the home and apply pipeline.yaml, if it exists; return messages about the changes.

    Errors in pipeline.yaml and models.yaml are messages, too, and don't stop the start.
    """
    inst = open_installation(settings)
    messages: list[str] = []
    try:
        if samples and not list_parsers(inst, inst.team_id):
            messages.append(f"Put {place_samples(inst)} sample documents into the inbox")
        if settings.pipeline.exists():
            try:
                changes = apply_pipeline(inst, inst.team_id, load_pipeline(settings.pipeline))
            except InputError as error:
                changes = [error.message]
            messages += [f"{settings.pipeline.name}: {change}" for change in changes]
        if problem := usable_models(settings).problem:
            messages.append(problem)
        ensure_inbox(inst)
        return [*messages, *_first_sign_in(inst)]
    finally:
        inst.close()


def _first_sign_in(inst: Installation) -> list[str]:
    """Return how to sign in on the pages, as long as nobody can; a link for an owner without a password."""
    if inst.settings.oidc_issuer is not None:
        return []
    pages = pages_url(inst.settings)
    if token := first_user_token(inst):
        return [
            f"Nobody can sign in on the pages yet: create the first account at {pages}/first-user/{token}"
        ]
    owners = owners_without_password(inst)
    if not owners:
        return []
    reset = start_reset(inst, owners[0])
    link = f"{pages}/password-reset/{reset.token}"
    return [f"To sign in on the pages as {reset.email}, set a password at {link}"]


def place_samples(inst: Installation) -> int:
    """Create the parsers that the samples are for and copy the samples to their inbox folders."""
    slugs = {load(key).slug: key for key in keys()}
    placed = 0
    with as_file(files("docduck") / "samples") as folder:
        for source in sorted(path for path in folder.iterdir() if path.name in slugs):
            parser = create_parser(inst, inst.team_id, NewParser(template_key=slugs[source.name]))
            placed += _copy(source, inst.settings.inbox / parser.slug)
    return placed


def _copy(source: Path, target: Path) -> int:
    target.mkdir(parents=True, exist_ok=True)
    documents = sorted(
        path for path in source.iterdir() if path.suffix not in (".py", ".pyc") and path.is_file()
    )
    for document in documents:
        shutil.copyfile(document, target / document.name)
    return len(documents)


def main() -> int:
    """Prepare the home of the environment's settings; return the exit code."""
    try:
        messages = prepare_home(read_settings(), "--samples" in sys.argv[1:])
    except DocduckError as error:
        print(error.message, file=sys.stderr)
        return 1
    for line in messages:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
