"""Classifiers, their routing rules, and documents that people routed."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from docduck.catalog.models.base import (
    Base,
    Created,
    Id,
    Json,
    Moment,
    Named,
    Ref,
    Short,
    TeamRef,
    Updated,
    one_of,
    partial_index,
)

FALLBACK_ACTIONS = ("skip", "route")


class Classifier(Named, Base):
    """A classifier, which routes documents to parsers."""

    __tablename__ = "classifiers"
    __table_args__ = (
        CheckConstraint(one_of("fallback_action", FALLBACK_ACTIONS), name="fallback_action"),
        partial_index("deleted_at IS NULL", "ix_classifiers_team_id_slug", "team_id", "slug", unique=True),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    slug: Mapped[Short] = mapped_column(server_default="")
    description: Mapped[str] = mapped_column(default="")
    is_active: Mapped[bool] = mapped_column(default=True)
    email_address: Mapped[str | None] = mapped_column(String(320), unique=True)
    accepted_file_types: Mapped[Json]
    model: Mapped[str | None]
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


class ClassifierExample(Base):
    """A document that a person routed by a rule: an example of the rule's label.

    ``text`` is the beginning of the document's text; null until the document has been read.
    """

    __tablename__ = "classifier_examples"
    __table_args__ = (
        UniqueConstraint("classifier_id", "document_id"),
        Index("ix_classifier_examples_rule_id_created_at", "rule_id", "created_at"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    classifier_id: Mapped[Ref] = mapped_column(ForeignKey("classifiers.id", ondelete="CASCADE"))
    rule_id: Mapped[Ref] = mapped_column(ForeignKey("classifier_rules.id", ondelete="CASCADE"))
    document_id: Mapped[Ref] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    text: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[Created]
