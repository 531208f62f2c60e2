"""Classifiers and their routing rules."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from docduck.catalog.models.base import (
    Base,
    Created,
    Id,
    Json,
    Moment,
    Ref,
    Short,
    TeamRef,
    Updated,
    one_of,
)

FALLBACK_ACTIONS = ("skip", "route")


class Classifier(Base):
    """A classifier, which routes documents to parsers."""

    __tablename__ = "classifiers"
    __table_args__ = (CheckConstraint(one_of("fallback_action", FALLBACK_ACTIONS), name="fallback_action"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    name: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    is_active: Mapped[bool] = mapped_column(default=True)
    email_address: Mapped[str | None] = mapped_column(String(320), unique=True)
    accepted_file_types: Mapped[Json]
    instructions: Mapped[str] = mapped_column(default="")
    fallback_action: Mapped[Short] = mapped_column(default="skip")
    fallback_parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="SET NULL"))
    split_documents: Mapped[Json | None]
    email_parsing: Mapped[Json | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]
    deleted_at: Mapped[Moment | None]

    rules: Mapped[list[ClassifierRule]] = relationship(
        order_by="ClassifierRule.position", cascade="all, delete-orphan", lazy="selectin"
    )


class ClassifierRule(Base):
    """A label, and the parser for documents with that label."""

    __tablename__ = "classifier_rules"
    __table_args__ = (UniqueConstraint("classifier_id", "label"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    classifier_id: Mapped[Ref] = mapped_column(ForeignKey("classifiers.id", ondelete="CASCADE"))
    label: Mapped[str]
    target_parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
