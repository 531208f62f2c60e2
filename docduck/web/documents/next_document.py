"""Where a reviewer goes on after a decision."""

from __future__ import annotations

from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.reviews.assigned import QueuePlace, queue_place


def next_path(inst: Installation, user: TeamUser, document_id: str, before: QueuePlace) -> str:
    """Return the path of the document that followed in the reviewer's queue ``before`` the decision.

    If none did, it is the first that waits now, or the given one.
    """
    following = before.following or queue_place(inst, user.team_id, user.user_id, document_id).following
    return f"/documents/{following or document_id}"
