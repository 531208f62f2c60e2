"""The home folder, made ready before anything runs; with the sample documents, if wanted.

``docduck up`` runs this as a process of its own, so that the libraries it needs don't stay in memory.
"""

from __future__ import annotations

import shutil
import sys
from importlib.resources import as_file, files
from pathlib import Path

from docduck.errors import DocduckError, InputError
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser, list_parsers
from docduck.service.pipeline.pipeline import apply_pipeline, load_pipeline
from docduck.service.sources.sources import ensure_inbox
from docduck.settings import Settings, read_settings
from docduck.templates import keys, load


def prepare_home(settings: Settings, samples: bool) -> list[str]:
    """Make or upgrade the home and apply pipeline.yaml, if there is one; says in words what was done.

    What is wrong with pipeline.yaml is said, too, and stops nothing else.
    """
    inst = open_installation(settings)
    said: list[str] = []
    try:
        if samples and not list_parsers(inst, inst.team_id):
            said.append(f"Put {place_samples(inst)} sample documents into the inbox")
        if settings.pipeline.exists():
            try:
                changes = apply_pipeline(inst, inst.team_id, load_pipeline(settings.pipeline))
            except InputError as error:
                changes = [error.message]
            said += [f"{settings.pipeline.name}: {change}" for change in changes]
        ensure_inbox(inst)
        return said
    finally:
        inst.close()


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
    """Prepare the home that the environment names; returns the exit code."""
    try:
        said = prepare_home(read_settings(), "--samples" in sys.argv[1:])
    except DocduckError as error:
        print(error.message, file=sys.stderr)
        return 1
    for line in said:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
