"""What a worker imports before its first task. This module itself imports little."""

from docduck.plugins import own_modules
from docduck.workers.fork_server import fork_server

HEAVY = ("docduck.documents.reader", "docduck.extraction.run_extractors", *own_modules("extractors"))


def import_in_advance() -> None:
    """Have the fork server of this process import it, while this process goes on."""
    fork_server().prepare(HEAVY)
