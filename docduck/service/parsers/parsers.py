"""Parsers: creating, finding, changing and deleting them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session, lazyload

from docduck import clock, templates
from docduck.catalog.models import Classifier, ClassifierRule, Parser, Team, Webhook
from docduck.errors import Conflict, InputError, PreconditionFailed
from docduck.fields import Field, parse_fields
from docduck.ids import new_id
from docduck.service.core import audit, warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import new_address
from docduck.service.core.named_rows import all_named, find_named
from docduck.service.core.schema import Values, view_of
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers import parser_fields
from docduck.service.parsers.field_settings import (
    FIELD_SETTINGS,
    check_field_settings,
    follow_renames,
    with_field_ids,
)
from docduck.service.parsers.parser_settings import check_model, merge_settings, read_settings, settings_in
from docduck.service.parsers.slugs import free_slug
from docduck.validation_messages import located_message, problem_message
from docduck.warehouse.names import check_schema

TYPES = ("document",)
"""The types of parsers."""


@dataclass(frozen=True, slots=True)
class ParserView:
    """A parser.

    ``fields`` are not deleted, by position, with ids; ``columns`` are the warehouse names of fields and
    columns by id. If the stored parser is invalid, ``problem`` says why and ``fields`` is empty.
    """

    id: str
    team_id: str
    slug: str
    name: str
    description: str
    settings: Mapping[str, Any]
    is_active: bool
    revision: int
    template_key: str | None
    fields: tuple[Field, ...]
    columns: Mapping[str, str]
    created_at: dt.datetime
    updated_at: dt.datetime
    type: str = "document"
    email_address: str | None = None
    problem: str | None = None

    @property
    def version(self) -> str:
        """What a change may be conditional on."""
        return str(self.revision)


@dataclass(frozen=True, slots=True)
class NewParser:
    """A parser to create; what is not given is taken from the template ``template_key``, if set."""

    name: str | None = None
    description: str | None = None
    slug: str | None = None
    template_key: str | None = None
    type: str = "document"
    fields: Sequence[Field] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_active: bool = True


@dataclass(frozen=True, slots=True)
class ParserChanges:
    """Changes of a parser; None leaves a property as it is. ``settings`` are merged by key."""

    name: str | None = None
    description: str | None = None
    is_active: bool | None = None
    settings: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, properties: Values) -> ParserChanges:
        """Return the changes that set these properties and settings."""
        own = {name: properties.get(name) for name in ("name", "description", "is_active")}
        return cls(**own, settings=settings_in(properties) or None)


def team_slugs(inst: Installation) -> dict[str, str]:
    """Return the slugs of all teams by id."""
    with inst.catalog.read_session() as session:
        return {team_id: slug for team_id, slug in session.execute(select(Team.id, Team.slug))}


def create_parser(
    inst: Installation, team_id: str, new: NewParser, actor: str = "user", *, place: str = "settings"
) -> ParserView:
    """Create a parser and its inbox folder; ``place`` is the path of the settings in error messages.

    Raise InputError for an invalid type, template, fields, settings or slug, Conflict if the slug is taken.
    """
    if (earlier := earlier_effect()) is not None:
        return with_inbox(inst, get_parser(inst, team_id, earlier["parser"]))
    if new.type not in TYPES:
        raise InputError(f"Unsupported parser type: {new.type}. Supported: {', '.join(TYPES)}", "type")
    template = templates.load(new.template_key) if new.template_key else None
    name = (new.name or (template.name if template else "")).strip()
    if not name:
        raise InputError("A parser needs a name", "name")
    fields = new.fields if new.fields is not None else (template.fields if template else ())
    checked = parse_fields([f.model_dump() for f in fields])
    parser_fields.refuse_too_many(checked)
    settings = merge_settings({}, {**(template.settings if template else {}), **new.settings}, place)
    check_field_settings(read_settings(settings), checked, place)
    if settings.get("model"):
        check_model(settings["model"], inst.settings, place)
    description = new.description
    if description is None:
        description = template.description if template else ""
    with inst.catalog.transaction() as session:
        slug = free_slug(session, team_id, new.slug, template.slug if template and not new.name else name)
        parser = Parser(
            id=new_id(),
            team_id=team_id,
            slug=slug,
            name=name,
            description=description,
            type=new.type,
            template_key=new.template_key,
            settings=settings,
            workflow_id=new_id(),
            is_active=new.is_active,
            revision=1,
            email_address=new_address(inst.settings, name),
        )
        session.add(parser)
        session.flush()
        parser_fields.replace(session, parser, checked)
        if settings.get("duplicateKeys"):
            parser.settings = with_field_ids(settings, view(parser).fields)
        warehouse_outbox.enqueue_schema(session, team_id, parser.id)
        audit.record(session, team_id, actor, "parser.created", "parser", [(parser.id, {"name": name})])
        record_effect(session, parser=parser.id)
        session.flush()
        made = view(parser)
    return with_inbox(inst, made)


def with_inbox(inst: Installation, made: ParserView) -> ParserView:
    """Return a new parser, with its inbox folder created."""
    (inst.settings.inbox / made.slug).mkdir(parents=True, exist_ok=True)
    return made


def list_parsers(inst: Installation, team_id: str) -> list[ParserView]:
    """Return the team's parsers, oldest first, including broken ones."""
    with inst.catalog.read_session() as session:
        return [view(parser) for parser in all_named(session, Parser, team_id)]


def every_parser(inst: Installation) -> list[ParserView]:
    """Return the parsers of all teams, oldest first, including broken ones."""
    with inst.catalog.read_session() as session:
        return [view(parser) for parser in all_named(session, Parser, None)]


def revisions(inst: Installation) -> dict[str, int]:
    """Return the revisions of all teams' parsers by slug."""
    with inst.catalog.read_session() as session:
        statement = select(Parser.slug, Parser.revision).where(Parser.deleted_at.is_(None))
        return {slug: revision for slug, revision in session.execute(statement)}


def parsers_with_ids(inst: Installation, ids: Collection[str]) -> list[ParserView]:
    """Return the existing parsers with these ids, of all teams, including broken ones."""
    if not ids:
        return []
    with inst.catalog.read_session() as session:
        statement = select(Parser).where(Parser.id.in_(ids), Parser.deleted_at.is_(None))
        return [view(parser) for parser in session.scalars(statement.order_by(Parser.slug))]


def get_parser(inst: Installation, team_id: str, ref: str) -> ParserView:
    """Return the team's parser with this id, slug or name; raise NotFound."""
    with inst.catalog.read_session() as session:
        return view(find(session, team_id, ref))


def update_parser(
    inst: Installation,
    team_id: str,
    ref: str,
    changes: ParserChanges,
    actor: str = "user",
    *,
    place: str = "",
    versions: Set[str] | None = None,
) -> ParserView:
    """Change a parser's properties; ``place`` is the path of the settings in error messages.

    Raise InputError, NotFound, and PreconditionFailed unless it has one of ``versions``, if they are given.
    """
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, ref, lock=True)
        if versions is not None and view(parser).version not in versions:
            raise PreconditionFailed("The parser has changed since; get it again and repeat the change")
        before = _properties(parser)
        if changes.name is not None:
            if not changes.name.strip():
                raise InputError("A parser needs a name", "name")
            parser.name = changes.name.strip()
        if changes.description is not None:
            parser.description = changes.description
        if changes.is_active is not None:
            parser.is_active = changes.is_active
        if changes.settings is not None:
            merged = merge_settings(parser.settings, changes.settings, place)
            if changes.settings.get("model"):
                check_model(merged["model"], inst.settings, place)
            if changed := {key: merged[key] for key in FIELD_SETTINGS & changes.settings.keys()}:
                fields = view(parser).fields
                check_field_settings(read_settings(changed), fields, place)
                merged = with_field_ids(merged, fields)
            parser.settings = merged
        details = audit.changes(before, _properties(parser))
        if details["changed"]:
            parser.revision += 1
            audit.record(session, team_id, actor, "parser.updated", "parser", [(parser.id, details)])
        session.flush()
        return view(parser)


def _properties(parser: Parser) -> dict[str, Any]:
    """Return what ``update_parser`` changes, for the audit log."""
    settings = parser.settings if isinstance(parser.settings, Mapping) else {}
    return {
        "name": parser.name,
        "description": parser.description,
        "isActive": parser.is_active,
        **{f"settings.{key}": value for key, value in settings.items()},
    }


def set_fields(
    inst: Installation, team_id: str, ref: str, fields: Sequence[Field], actor: str = "user"
) -> ParserView:
    """Replace a parser's fields; they are identified by id, or else by name.

    A known id with a new name renames the field. Missing fields are deleted.
    """
    checked = parse_fields([f.model_dump() for f in fields])
    parser_fields.refuse_too_many(checked)
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, ref, lock=True)
        before = view(parser)
        after = replace_fields(session, parser, before, checked) or before
        if (details := field_changes(before.fields, after.fields))["changed"]:
            audit.record(session, team_id, actor, "fields.replaced", "parser", [(parser.id, details)])
        return after


def replace_fields(
    session: Session, parser: Parser, before: ParserView, fields: Sequence[Field]
) -> ParserView | None:
    """Replace the fields of a locked parser, and their names in its settings; return it as it is then.

    Return None if nothing has changed.
    """
    if not parser_fields.replace(session, parser, fields):
        return None
    parser.revision += 1
    parser.updated_at = clock.now()
    warehouse_outbox.enqueue_schema(session, parser.team_id, parser.id)
    session.flush()
    after = view(parser)
    if not before.problem and not after.problem:
        parser.settings = follow_renames(after.settings, before.fields, after.fields)
        session.flush()
    return view(parser)


def field_changes(before: Sequence[Field], after: Sequence[Field]) -> dict[str, Any]:
    """Return the details of a change of fields for the audit log, by the fields' ids.

    ``order`` is the order of the fields that are in both.
    """
    common = {field.id for field in before} & {field.id for field in after}

    def described(fields: Sequence[Field]) -> dict[str, Any]:
        hidden: Any = {"id": True, "position": True, "columns": {"__all__": {"position"}}}
        by_id = {str(field.id): field.model_dump(mode="json", exclude=hidden) for field in fields}
        return {**by_id, "order": [field.id for field in fields if field.id in common]}

    return audit.changes(described(before), described(after))


def delete_parser(inst: Installation, team_id: str, ref: str, actor: str = "user") -> str:
    """Delete a parser with its webhooks, and hide its documents; return its id.

    Raise NotFound, and Conflict if classifiers route to it.
    """
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, ref, lock=True)
        if names := _routed_by(session, parser.id):
            raise Conflict(
                f"Parser is a target of classifiers: {', '.join(names)}; change their rules first",
                code="parser_in_use",
            )
        parser.deleted_at = clock.now()
        parser.former_slug, parser.slug = parser.slug, f"deleted_{parser.id.replace('-', '')}"
        session.execute(delete(Webhook).where(Webhook.parser_id == parser.id))
        warehouse_outbox.enqueue_schema(session, team_id, parser.id)
        audit.record(
            session, team_id, actor, "parser.deleted", "parser", [(parser.id, {"name": parser.name})]
        )
        return parser.id


def find(session: Session, team_id: str, ref: str, *, lock: bool = False) -> Parser:
    """Return the team's parser row by id, slug or name (in that order), locked if ``lock``.

    Raise NotFound.
    """
    # Of one parser, the fields are loaded faster by a plain query when they are asked for.
    return find_named(session, Parser, team_id, ref, lazyload(Parser.fields), lock=lock)


def _routed_by(session: Session, parser_id: str) -> list[str]:
    """Return the names of classifiers that route to a parser."""
    by_rule = select(ClassifierRule.classifier_id).where(ClassifierRule.target_parser_id == parser_id)
    names = session.scalars(
        select(Classifier.name).where(
            Classifier.deleted_at.is_(None),
            or_(Classifier.id.in_(by_rule), Classifier.fallback_parser_id == parser_id),
        )
    )
    return sorted(names, key=str.casefold)


def view(parser: Parser) -> ParserView:
    """Return a parser row as a view; errors in it become its ``problem``."""
    problem = None
    fields: tuple[Field, ...] = ()
    columns: dict[str, str] = {}
    try:
        fields = parser_fields.live_fields(parser.fields)
        columns = parser_fields.column_names(parser.fields)
        check_schema(parser.slug)
        read_settings(parser.settings)
    except (InputError, ValidationError, ValueError, TypeError, KeyError) as error:
        fields, columns = (), {}
        problem = f"Parser '{parser.slug}' can't be used: {_first_line(error)}"
    settings = parser.settings if isinstance(parser.settings, dict) else {}
    attributes = {"settings": settings, "fields": fields, "columns": columns, "problem": problem}
    return view_of(ParserView, parser, **attributes)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return located_message(".".join(str(part) for part in first["loc"]), problem_message(first))
    return str(error).splitlines()[0] if str(error) else type(error).__name__
