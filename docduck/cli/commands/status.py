"""``docduck status``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docduck import plugins
from docduck.cli.output import JsonOption, installation, json_object, print_json, say, shown
from docduck.cli.tables import Columns, print_rows, print_table
from docduck.extraction.models import model_status
from docduck.local_model.memory import in_gigabytes
from docduck.local_model.status import ModelStatus
from docduck.service.processing.reading_homes import reading_homes
from docduck.service.upkeep.health import model_trouble, problems, reading_trouble
from docduck.service.upkeep.status import status as read_status
from docduck.statuses import Status
from docduck.workers import sandbox

_LONGEST = 60
_READING: Columns = {
    "Reading": lambda host: f"{host.place}{' (lost)' * host.is_lost}",
    "docduck": "version",
    "workers": "workers",
    "documents in work": "documents",
}
_CLASSIFIERS = {
    "Classifier": "classifier.name",
    "queued": "waiting.queued",
    "routed": "documents.routed",
    "skipped": "documents.skipped",
    "failed": "documents.failed",
    "oldest queued": "waiting.oldest",
}
_WEBHOOKS = {
    "Parser": "parser",
    "Webhook": "id",
    "URL": "url",
    "Status": "status",
    "pending": "pending",
    "oldest pending": "oldest",
    "failed": "failed",
    "failing since": "failing_since",
}
_LONG: Columns = {
    "Parser or classifier": "target",
    "Document": lambda document: _short(document.name),
    "pages read": "pages_read",
    "pages": "pages",
}
_FAILURES: Columns = {
    "When": "at",
    "Parser or classifier": "target",
    "Document": lambda document: _short(document.name),
    "Error": "error",
}
_INTAKE: Columns = {
    "When": "at",
    "Source": "source",
    "File": lambda file: _short(file.item),
    "Outcome": "outcome",
    "Why": "message",
}


def status(json: JsonOption = False) -> None:
    """Show parsers and classifiers with their queues, undelivered events, and files not imported."""
    with installation() as inst:
        now = read_status(inst, inst.team_id)
        home, pipeline = inst.settings.home.absolute(), inst.settings.pipeline
        workers = inst.settings.workers
        reading = reading_homes(inst)
        model = model_status(inst.settings)
        others = filter(None, (reading_trouble(inst), model_trouble(inst)))
        troubles = [*problems(inst).values(), *others, *plugins.broken()]
    restrictions = sandbox.probe()
    if json:
        print_json(
            {
                "home": home,
                **json_object(now),
                "parsers": [
                    {
                        "slug": status.parser.slug,
                        "name": status.parser.name,
                        "isActive": status.parser.is_active,
                        "problem": status.parser.problem,
                        "documents": status.documents,
                        "waiting": status.waiting,
                    }
                    for status in now.parsers
                ],
                "classifiers": [
                    {
                        "name": classifier.classifier.name,
                        "isActive": classifier.classifier.is_active,
                        "documents": classifier.documents.model_dump(by_alias=False),
                        "waiting": classifier.waiting,
                    }
                    for classifier in now.classifiers
                ],
                "problems": troubles,
                "workers": {"count": workers, "restrictions": restrictions},
                "reading": reading,
                "model": model,
            }
        )
        return
    say(f"Home: {home}")
    if restrictions:
        say(f"Workers: {workers}, restricted: {', '.join(restrictions)}")
    else:
        say(f"Workers: {workers}, not restricted: this kernel has neither Landlock nor seccomp", "red")
    if model is not None:
        _show_model(model)
    if reading:
        print_rows(reading, _READING)
    for trouble in troubles:
        say(trouble[0].upper() + trouble[1:], "red")
    if now.pipeline_problem:
        say(f"{pipeline} is not applied:", "red")
        for line in now.pipeline_problem.splitlines():
            say(line, "red")
    if not now.parsers:
        say("There are no parsers yet: docduck parsers add --template invoice, or docduck up --samples")
    else:
        used = [name for name in Status if any(name in status.documents for status in now.parsers)]
        print_table(
            ["Parser", *used, "slow", "oldest queued", "not yet in tables"],
            [
                [
                    status.parser.slug,
                    *(status.documents.get(name, 0) for name in used),
                    status.waiting.slow,
                    status.waiting.oldest,
                    status.waiting.unprojected,
                ]
                for status in now.parsers
            ],
        )
    if now.classifiers:
        print_rows(now.classifiers, _CLASSIFIERS)
    for parser in now.parsers:
        if parser.parser.problem:
            say(parser.parser.problem, "red")
    print_table(["Source", "Now"], now.sources.items())
    tables: Sequence[tuple[str, Sequence[Any], Columns]] = (
        ("Webhooks with events that were not delivered", now.webhooks, _WEBHOOKS),
        ("Long documents", now.long, _LONG),
        ("Last failures", now.failures, _FAILURES),
        ("Files that were not imported", now.intake, _INTAKE),
    )
    for title, rows, columns in tables:
        if rows:
            print_rows(rows, columns, title=title)


def _show_model(model: ModelStatus) -> None:
    if model.endpoint is not None:
        say(f"Language model: {model.name} at {model.endpoint}")
        return
    memory = f", {in_gigabytes(model.memory_bytes)} of memory" if model.memory_bytes else ""
    licence = model.licence or "licence not stated"
    say(f"Language model: {model.name} ({licence}), {model.file}: {model.server}{memory}")
    if model.failure is not None:
        say(f"It failed at {shown(model.failed_at)}: {model.failure}", "red")
    if model.problem not in (None, model.failure):
        say(f"It can't start: {model.problem}", "red")


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:]
