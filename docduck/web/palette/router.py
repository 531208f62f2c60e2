"""What the command palette finds."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Searches
from docduck.api.route import Route
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_listing import find_parsers
from docduck.web.member import Member, Visit

router = APIRouter(include_in_schema=False, route_class=Route)

_MOST_DOCUMENTS, _MOST_PAGES, _MOST_PARSERS = 8, 12, 50
_OF_PARSERS = (
    ("/documents?parser={slug}", "Documents"),
    ("/parsers/{slug}/fields", "Fields"),
    ("/parsers/{slug}/try", "Try out"),
    ("/parsers/{slug}/settings", "Settings"),
    ("/parsers/{slug}/folders", "Folders"),
    ("/parsers/{slug}/review-stages", "Review stages"),
    ("/parsers/{slug}/exports", "Exports"),
    ("/parsers/{slug}/webhooks", "Webhooks"),
)


class Place(NamedTuple):
    """A page, what it is called, and what kind of thing it shows."""

    path: str
    label: str
    kind: str


@router.get("/palette")
async def find(at: Member, searches: Searches, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Return the pages of parsers with all of these words in their names, and documents."""
    places = await searches.run(at.user.team_id, lambda: _find(at, q.strip()))
    return JSONResponse({"places": [place._asdict() for place in places]})


def _find(at: Visit, q: str) -> list[Place]:
    words = q.casefold().split()
    places: list[Place] = []
    if at.may("parsers:read"):
        name = next((word for word in words if not _is_of_page(word)), "")
        parsers = find_parsers(*at.team, q=name, sort="name.asc", limit=_MOST_PARSERS).rows
        pages = _OF_PARSERS if words else _OF_PARSERS[:1]
        of_parsers = [
            Place(path.format(slug=parser.slug), f"{parser.name}: {label}", "Parser")
            for parser, _ in parsers
            for path, label in pages
        ]
        matching = (place for place in of_parsers if all(word in place.label.casefold() for word in words))
        places += islice(matching, _MOST_PAGES)
    if words and at.may("documents:read"):
        documents = list_documents(*at.team, q=q, limit=_MOST_DOCUMENTS).rows
        places += [Place(f"/documents/{row.id}", row.name, "Document") for row in documents]
    return places


def _is_of_page(word: str) -> bool:
    return any(part.startswith(word) for _, label in _OF_PARSERS for part in label.casefold().split())
