"""The counts beside the navigation."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from docduck.api.route import Route
from docduck.service.documents.queries.reading_progress import count_in_progress
from docduck.service.reviews.waiting import assigned_documents
from docduck.web.member import Member

router = APIRouter(include_in_schema=False, route_class=Route)


@router.get("/counts")
def counts(at: Member) -> Response:
    """Return how many documents wait for the user, and how many of the team's are being read."""
    waiting = assigned_documents(*at.team, at.user.user_id, limit=1).total
    reading = count_in_progress(*at.team)
    return JSONResponse(
        {
            "review": {"count": waiting, "label": f"{waiting:,} waiting for your review"},
            "documents": {"count": reading, "label": f"{reading:,} being read or waiting to be read"},
        }
    )
