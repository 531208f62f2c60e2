"""A member's visit of a page: who they are, what they may do, and the parser or classifier of the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse

from docduck.api.request.current_caller import Inst
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import Form as Upload
from docduck.api.route import require
from docduck.errors import Forbidden
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import check_manager, may_query
from docduck.service.accounts.sessions import SignedIn
from docduck.service.classifiers.classifiers import ClassifierView, get_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.web.page import page, see_other
from docduck.web.visit import FORM_TOKEN, CurrentUser, check_form_token, check_own_site

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of a member of a team."""

    inst: Installation
    signed_in: SignedIn
    user: TeamUser

    @property
    def team(self) -> tuple[Installation, str]:
        """The installation and the id of the team, with which use cases begin."""
        return self.inst, self.user.team_id

    def may(self, permission: str) -> bool:
        """Return whether the member has a permission."""
        return permission in self.user.permissions

    def page(self, template: str, **values: Any) -> HTMLResponse:
        """Return a page; see ``docduck.web.page.page``."""
        return page(template, self.signed_in, **values)

    async def receive(
        self, request: Request, prepare: Callable[[Upload], Callable[[], T]], *fields: str
    ) -> T:
        """Receive the files and ``fields`` of a form, as ``docduck.api.request.file_uploads.receive`` does.

        Raise its errors, and Forbidden if the form comes from another site, or without the form token.
        """
        check_own_site(request, self.inst.settings)

        def checked(form: Upload) -> Callable[[], T]:
            check_form_token(self.signed_in, form.fields.get(FORM_TOKEN, ""))
            return prepare(form)

        return await receive(request, self.inst, checked, (FORM_TOKEN, *fields))


@dataclass(frozen=True, slots=True)
class ParserVisit(Visit):
    """A visit of a page of a parser."""

    parser: ParserView

    @property
    def of_parser(self) -> tuple[Installation, str, str]:
        """The installation and the ids of the team and the parser, with which use cases begin."""
        return self.inst, self.user.team_id, self.parser.id

    def page(self, template: str, **values: Any) -> HTMLResponse:
        """Return a page with the way to the parser's other pages."""
        return page(template, self.signed_in, parser=self.parser, **values)

    def back(self, path: str, **query: object) -> RedirectResponse:
        """Lead to another page of the parser."""
        return see_other(f"/parsers/{self.parser.slug}/{path}", **query)


@dataclass(frozen=True, slots=True)
class ClassifierVisit(Visit):
    """A visit of a page of a classifier."""

    classifier: ClassifierView

    @property
    def of_classifier(self) -> tuple[Installation, str, str]:
        """The installation and the ids of the team and the classifier, with which use cases begin."""
        return self.inst, self.user.team_id, self.classifier.id

    def page(self, template: str, **values: Any) -> HTMLResponse:
        """Return a page with the way to the classifier's other pages."""
        return page(template, self.signed_in, classifier=self.classifier, **values)

    def back(self, path: str, **query: object) -> RedirectResponse:
        """Lead to another page of the classifier."""
        return see_other(f"/classifiers/{self.classifier.id}/{path}", **query)


def of_member(*permissions: str) -> Any:
    """Return the dependency of pages of members with these permissions; it raises Forbidden, NotFound."""

    async def visit(inst: Inst, signed_in: CurrentUser) -> Visit:
        return Visit(inst, signed_in, _user(signed_in, permissions))

    return Depends(visit)


def of_parser(*permissions: str) -> Any:
    """Return the dependency of a parser's pages, of members with these permissions."""

    def visit(parser_ref: str, inst: Inst, signed_in: CurrentUser) -> ParserVisit:
        user = _user(signed_in, permissions)
        return ParserVisit(inst, signed_in, user, get_parser(inst, user.team_id, parser_ref))

    return Depends(visit)


def of_classifier(*permissions: str) -> Any:
    """Return the dependency of a classifier's pages, of members with these permissions."""

    def visit(classifier_id: str, inst: Inst, signed_in: CurrentUser) -> ClassifierVisit:
        user = _user(signed_in, permissions)
        return ClassifierVisit(inst, signed_in, user, get_classifier(inst, user.team_id, classifier_id))

    return Depends(visit)


def _user(signed_in: SignedIn, permissions: tuple[str, ...]) -> TeamUser:
    """Return who asks, for the team that they chose; raise NotFound without a team, Forbidden."""
    user = signed_in.caller()
    for permission in permissions:
        require(user, permission)
    return user


async def _manager(at: Annotated[Visit, of_member()]) -> Visit:
    check_manager(at.user.role)
    return at


async def _analyst(at: Annotated[Visit, of_member("documents:read")]) -> Visit:
    # Reviewers see the documents that they review.
    if not may_query(at.user.role):
        raise Forbidden
    return at


Member = Annotated[Visit, of_member()]
Reader = Annotated[Visit, of_member("documents:read")]
"""Whoever may read documents."""
Manager = Annotated[Visit, Depends(_manager)]
"""Whoever may manage the team."""
Analyst = Annotated[Visit, Depends(_analyst)]
"""Whoever may read all published tables of the team."""
