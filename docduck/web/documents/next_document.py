"""Where a reviewer goes on after a decision."""

from __future__ import annotations

from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.reviews.assigned import assigned_documents


def next_path(inst: Installation, user: TeamUser, document_id: str) -> str:
    """Return the path of the reviewer's next document; that of the given one if none waits."""
    waiting = assigned_documents(inst, user.team_id, user.user_id, limit=1).rows
    return f"/documents/{waiting[0].id if waiting else document_id}"
