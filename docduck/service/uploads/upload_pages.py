"""Upload pages of parsers and classifiers: showing, setting, renewing and deleting them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Classifier, Parser, UploadPage
from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.classifiers import classifiers
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.schema import UtcTime, Values, View
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers import parsers
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.public_upload_pages import page_path
from docduck.settings import Settings


@dataclass(frozen=True, slots=True)
class PageOwner:
    """A parser, by id, slug or name, or a classifier, by id or name."""

    kind: Literal["parser", "classifier"]
    ref: str


class UploadPageView(UploadPageSettings, View):
    """An upload page."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    path: str = Field(exclude=True)
    url: str = Field(description="The page's link, a secret of those who may send files")
    created_at: UtcTime
    updated_at: UtcTime

    def below(self, base_url: str) -> UploadPageView:
        """Return the page with its link below ``base_url``."""
        return self.model_copy(update={"url": f"{base_url}{self.path}"})


def get_upload_page(inst: Installation, team_id: str, owner: PageOwner) -> UploadPageView:
    """Return the owner's upload page; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _view(inst.settings, _page(session, owner, _owner_id(session, team_id, owner)))


def put_upload_page(
    inst: Installation, team_id: str, owner: PageOwner, properties: Values, actor: str = "user"
) -> UploadPageView:
    """Create the owner's upload page, or replace its settings and keep its link.

    Raise NotFound, and InputError with all problems.
    """
    settings = UploadPageSettings.of_values(properties)
    with inst.catalog.transaction() as session:
        owner_id = _owner_id(session, team_id, owner, lock=True)
        row = _find(session, owner, owner_id)
        if row is None:
            row = UploadPage(id=new_id(), team_id=team_id, version=1, **{_column(owner): owner_id})
            _write(row, settings)
            session.add(row)
            session.flush()
            _record(session, row, owner, actor, "created", {"after": UploadPageSettings.facts(settings)})
            return _view(inst.settings, row)
        details = audit.changes(UploadPageSettings.facts(row), UploadPageSettings.facts(settings))
        if details["changed"]:
            _write(row, settings)
            session.flush()
            _record(session, row, owner, actor, "updated", details)
        return _view(inst.settings, row)


def renew_upload_page(
    inst: Installation, team_id: str, owner: PageOwner, actor: str = "user"
) -> UploadPageView:
    """Give the owner's upload page a new link; the former one is invalid from now on. Raise NotFound."""
    if earlier_effect() is not None:
        return get_upload_page(inst, team_id, owner)
    with inst.catalog.transaction() as session:
        row = _page(session, owner, _owner_id(session, team_id, owner, lock=True))
        row.version += 1
        row.updated_at = clock.now()
        session.flush()
        _record(session, row, owner, actor, "renewed", None)
        record_effect(session)
        return _view(inst.settings, row)


def delete_upload_page(inst: Installation, team_id: str, owner: PageOwner, actor: str = "user") -> str:
    """Delete the owner's upload page, with its link; return its id. Raise NotFound."""
    with inst.catalog.transaction() as session:
        row = _page(session, owner, _owner_id(session, team_id, owner, lock=True))
        session.delete(row)
        _record(session, row, owner, actor, "deleted", {"before": UploadPageSettings.facts(row)})
        return row.id


def _owner_id(session: Session, team_id: str, owner: PageOwner, *, lock: bool = False) -> str:
    """Return the id of the team's parser or classifier, locked if ``lock``; raise NotFound."""
    row: Parser | Classifier
    if owner.kind == "parser":
        row = parsers.find(session, team_id, owner.ref, lock=lock)
    else:
        row = classifiers.find(session, team_id, owner.ref, lock=lock)
    return row.id


def _find(session: Session, owner: PageOwner, owner_id: str) -> UploadPage | None:
    return session.scalar(select(UploadPage).filter_by(**{_column(owner): owner_id}))


def _page(session: Session, owner: PageOwner, owner_id: str) -> UploadPage:
    row = _find(session, owner, owner_id)
    if row is None:
        raise NotFound(f"The {owner.kind} has no upload page", "uploadPage", owner.ref)
    return row


def _column(owner: PageOwner) -> str:
    return f"{owner.kind}_id"


def _write(row: UploadPage, settings: UploadPageSettings) -> None:
    for name, value in settings:
        setattr(row, name, value)


def _view(settings: Settings, row: UploadPage) -> UploadPageView:
    path = page_path(settings, row.id, row.version)
    return UploadPageView.of(row, path=path, url=path)


def _record(
    session: Session, row: UploadPage, owner: PageOwner, actor: str, what: str, details: dict[str, Any] | None
) -> None:
    owner_id = str(row.parser_id or row.classifier_id)
    audit.record(session, row.team_id, actor, f"upload_page.{what}", owner.kind, [(owner_id, details)])
