"""Members of teams and reviews for the service's tests."""

from __future__ import annotations

from docduck.catalog.models import Document, DocumentStage, Membership, ReviewStage, Team, User
from docduck.ids import new_id
from docduck.service.core.installation import Installation


def make_team(inst: Installation, name: str = "Strangers") -> str:
    with inst.catalog.transaction() as session:
        team = Team(name=name, slug=f"team-{new_id()}")
        session.add(team)
        session.flush()
        return team.id


def make_member(
    inst: Installation, name: str = "Ann", team_id: str | None = None, role: str = "member"
) -> str:
    with inst.catalog.transaction() as session:
        user = User(email=f"{name.lower()}-{new_id()}@example.org", name=name)
        session.add(user)
        session.flush()
        session.add(Membership(team_id=team_id or inst.team_id, user_id=user.id, role=role))
        return user.id


def put_in_review(
    inst: Installation, document_id: str, *stages: tuple[str, str], assignee_id: str | None = None
) -> list[str]:
    """Give a document stages of these (name, status), as a review does; gives the stages' ids."""
    ids = []
    with inst.catalog.transaction() as session:
        document = session.get_one(Document, document_id)
        for position, (name, status) in enumerate(stages, start=1):
            stage = ReviewStage(
                team_id=document.team_id,
                parser_id=document.parser_id,
                name=name,
                reviewer_instructions=f"look at {name}",
                position=position,
                review_type="mandatory",
                rules=[],
            )
            session.add(stage)
            session.flush()
            mine = assignee_id if status == "in_progress" else None
            session.add(
                DocumentStage(
                    team_id=document.team_id,
                    document_id=document_id,
                    stage_id=stage.id,
                    position=position,
                    status=status,
                    assignee_id=mine,
                )
            )
            ids.append(stage.id)
        document.assignee_id = assignee_id
        if any(status == "in_progress" for _, status in stages):
            document.status = "in_review"
        elif stages and all(status in ("approved", "skipped") for _, status in stages):
            document.status = "approved"
    return ids
