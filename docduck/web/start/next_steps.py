"""What a member may do next: the list shrinks as the things are done."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.service.accounts.permissions import may_query
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.oauth.grants import list_grants
from docduck.service.outputs.saved_queries import list_saved_queries
from docduck.statuses import Status


@dataclass(frozen=True, slots=True)
class Step:
    """A link, its words, and what it is for."""

    path: str
    label: str
    words: str


def next_steps(inst: Installation, user: SignedIn, parsers: int, statuses: set[str]) -> list[Step]:
    """Return the steps that are left; ``statuses`` are those of the team's latest documents."""
    caller = user.caller()
    may_write = "parsers:write" in caller.permissions
    steps = []
    if may_write and not parsers:
        words = "from a sample, on which fields and tables are found, or from a template"
        steps.append(Step("/parsers/new", "Make a parser", words))
    elif may_write and not statuses:
        words = "drop files on the page; their values are read within seconds"
        steps.append(Step("/documents", "Send documents", words))
    elif may_write:
        words = "a parser learns a document's look from one sample"
        steps.append(Step("/parsers/new", "Read documents of your own", words))
    if statuses and Status.APPROVED not in statuses:
        words = "open a document and see each value on its page; what you correct is learned"
        steps.append(Step("/documents", "Look at the values", words))
    if may_query(caller.role) and statuses and not list_saved_queries(inst, caller.team_id):
        words = "ask the tables in SQL, draw a chart, keep the query"
        steps.append(Step("/query", "Query the tables", words))
    if not list_grants(inst, user_id=user.user_id):
        words = "your address for it ends in /mcp; you allow what it may do when it first connects"
        steps.append(Step("/profile/connections", "Connect an agent", words))
    return steps
