"""``docduck status``."""

from __future__ import annotations

from docduck import plugins
from docduck.cli.output import JsonOption, installation, print_json, say, shown
from docduck.cli.tables import print_table
from docduck.service.processing.reading_homes import reading_homes
from docduck.service.upkeep.health import problems, reading_trouble
from docduck.service.upkeep.status import status as read_status
from docduck.statuses import Status
from docduck.workers import sandbox

_LONGEST = 60


def status(json: JsonOption = False) -> None:
    """Show parsers and classifiers with their queues, undelivered events, and files not imported."""
    with installation() as inst:
        now = read_status(inst, inst.team_id)
        home, pipeline = inst.settings.home.absolute(), inst.settings.pipeline
        workers = inst.settings.workers
        reading = reading_homes(inst)
        troubles = [*problems(inst).values(), *filter(None, [reading_trouble(inst)]), *plugins.broken()]
    restrictions = sandbox.probe()
    if json:
        print_json(
            {
                "home": home,
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
                        "documents": classifier.documents,
                        "waiting": classifier.waiting,
                    }
                    for classifier in now.classifiers
                ],
                "webhooks": now.webhooks,
                "sources": now.sources,
                "failures": now.failures,
                "long": now.long,
                "intake": now.intake,
                "intakeCounts": now.intake_counts,
                "pipelineProblem": now.pipeline_problem,
                "problems": troubles,
                "workers": {"count": workers, "restrictions": restrictions},
                "reading": reading,
            }
        )
        return
    say(f"Home: {home}")
    if restrictions:
        say(f"Workers: {workers}, restricted: {', '.join(restrictions)}")
    else:
        say(f"Workers: {workers}, not restricted: this kernel has neither Landlock nor seccomp", "red")
    if reading:
        print_table(
            ["Reading", "docduck", "workers", "documents in work"],
            [
                (f"{host.place}{' (lost)' * host.is_lost}", host.version, host.workers, host.documents)
                for host in reading
            ],
        )
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
        print_table(
            ["Classifier", "queued", "routed", "skipped", "failed", "oldest queued"],
            [
                [
                    classifier.classifier.name,
                    classifier.waiting.queued,
                    classifier.documents.routed,
                    classifier.documents.skipped,
                    classifier.documents.failed,
                    classifier.waiting.oldest,
                ]
                for classifier in now.classifiers
            ],
        )
    for parser in now.parsers:
        if parser.parser.problem:
            say(parser.parser.problem, "red")
    print_table(["Source", "Now"], now.sources.items())
    if now.webhooks:
        print_table(
            ["Parser", "Webhook", "URL", "Status", "pending", "oldest pending", "failed", "failing since"],
            [
                (w.parser, w.id, w.url, w.status, w.pending, w.oldest, w.failed, w.failing_since)
                for w in now.webhooks
            ],
            title="Webhooks with events that were not delivered",
        )
    if now.long:
        print_table(
            ["Parser or classifier", "Document", "pages read", "pages"],
            [
                (document.target, _short(document.name), document.pages_read, document.pages)
                for document in now.long
            ],
            title="Long documents",
        )
    if now.failures:
        print_table(
            ["When", "Parser or classifier", "Document", "Error"],
            [(f.at, f.target, _short(f.name), f.error) for f in now.failures],
            title="Last failures",
        )
    if now.intake:
        print_table(
            ["When", "Source", "File", "Outcome", "Why"],
            [(n.at, n.source, _short(n.item), n.outcome, n.message) for n in now.intake],
            title="Files that were not imported",
        )


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:]
