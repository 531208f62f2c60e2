"""Documents: files, statuses, results, history, the bin, and the outbox of the warehouse."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    String,
    UniqueConstraint,
    Uuid,
    false,
    func,
    text,
)
from sqlalchemy.orm import Mapped, column_property, mapped_column

from docduck.catalog.models.base import (
    Base,
    CompressedJson,
    Created,
    Id,
    Json,
    Moment,
    Named,
    Ref,
    Short,
    TeamRef,
    UnindexedTeamRef,
    Updated,
    one_of,
    partial_index,
)
from docduck.statuses import Status

SOURCES = ("api", "upload", "url", "email", "upload_page", "embed", "integration", "mcp", "folder")
ROUTING_STATUSES = ("pending", "routed", "skipped", "failed")


def _known(table: str, column: str) -> Index:
    """Return the index of a column that most rows don't have, without those."""
    return partial_index(f"{column} IS NOT NULL", f"ix_{table}_{column}", column)


def _name_of_new(context: Any) -> str:
    return str(context.get_current_parameters()["name"])


class StoredFile(Base):
    """A stored file of one or more documents, by SHA-256; ``released_at`` is set when no document refers to
    it.
    """

    __tablename__ = "stored_files"
    __table_args__ = (_known("stored_files", "released_at"),)

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)
    refs: Mapped[int]
    created_at: Mapped[Created]
    released_at: Mapped[Moment | None]


class Document(Named, Base):
    """A document of a parser, or of a classifier until that has routed it; ``target_id`` is either.

    ``attempt`` counts claims: only the attempt that holds the claim may store a result. ``slow`` marks
    documents that take, or are expected to take, long. ``operation_id`` identifies the upload's operation.
    ``pages_read`` of ``pages_to_read`` were read so far, of a long document in work.
    ``parser_revision`` is the revision that processed the document. ``file_name`` is the file's original
    name; ``name`` is the same, the result of ``documentNameTemplate``, or, if ``is_renamed``, the name that a
    user set.
    ``split_sha256`` is the file that a part was split from; a document with ``keep_whole`` is not split.
    ``container_id`` is shared by all documents that came of one mail, archive or PDF: the id of its upload,
    which the first of them has. ``sealed_password`` opens the file. ``model_usage`` is what all its readings
    used of language models, by model.
    """

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("parser_id", "external_id"),
        CheckConstraint(one_of("status", tuple(Status)), name="status"),
        CheckConstraint(one_of("source", SOURCES), name="source"),
        CheckConstraint(one_of("routing_status", ROUTING_STATUSES), name="routing_status"),
        CheckConstraint("(parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)", name="target"),
        partial_index(
            *("status = 'queued'", "ix_documents_queue"),
            *("slow", text("coalesce(parser_id, classifier_id)"), "queued_at", "id"),
        ),
        partial_index(
            *("classifier_id IS NOT NULL", "ix_documents_classifier_id_created_at"),
            *("classifier_id", "created_at", "id"),
        ),
        partial_index(
            *("classifier_id IS NOT NULL", "ix_documents_classifier_id_routing_status"),
            *("classifier_id", "routing_status", "parser_id"),
        ),
        partial_index(
            *("parser_id IS NULL", "uq_documents_classifier_id_external_id"),
            *("classifier_id", "external_id"),
            unique=True,
        ),
        # With what a team's lists and its usage count, which so don't read the rows.
        Index(
            *("ix_documents_team_id_created_at", "team_id", "created_at", "id"),
            *("status", "parser_id", "page_count"),
        ),
        Index("ix_documents_team_id_updated_at", "team_id", "updated_at", "id"),
        Index("ix_documents_parser_id_created_at", "parser_id", "created_at", "id"),
        Index("ix_documents_parser_id_updated_at", "parser_id", "updated_at", "id"),
        Index("ix_documents_parser_id_name_key", "parser_id", "name_key", "id"),
        Index("ix_documents_sha256_parser_id", "sha256", "parser_id"),
        *(
            _known("documents", column)
            for column in ("lease_expires_at", "folder_id", "assignee_id", "split_sha256", "container_id")
        ),
    )

    id: Mapped[Id]
    team_id: Mapped[UnindexedTeamRef]
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    classifier_id: Mapped[Ref | None] = mapped_column(ForeignKey("classifiers.id", ondelete="SET NULL"))
    folder_id: Mapped[Ref | None] = mapped_column(ForeignKey("folders.id", ondelete="SET NULL"))
    file_name: Mapped[str] = mapped_column(default=_name_of_new, server_default="")
    is_renamed: Mapped[bool] = mapped_column(default=False, server_default=false())
    external_id: Mapped[str | None]
    custom: Mapped[Json | None]
    source: Mapped[Short]
    source_detail: Mapped[Json | None]
    sha256: Mapped[str] = mapped_column(ForeignKey("stored_files.sha256"))
    sealed_password: Mapped[str | None]
    content_type: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    page_count: Mapped[int | None]
    pages_read: Mapped[int | None]
    pages_to_read: Mapped[int | None]

    status: Mapped[Short]
    error: Mapped[str | None]
    operation_id: Mapped[Ref] = mapped_column(index=True)
    attempt: Mapped[int] = mapped_column(Integer, default=0)
    lost_leases: Mapped[int] = mapped_column(Integer, default=0)
    claimed_by: Mapped[str | None]
    lease_expires_at: Mapped[Moment | None]
    queued_at: Mapped[Moment | None]
    slow: Mapped[bool] = mapped_column(default=False, server_default=false())
    processed_at: Mapped[Moment | None]
    approved_at: Mapped[Moment | None]
    confidence: Mapped[float | None]
    parser_revision: Mapped[int | None]
    model_usage: Mapped[Json | None]

    assignee_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    split: Mapped[Json | None]
    split_sha256: Mapped[str | None] = mapped_column(String(64))
    container_id: Mapped[Ref | None]
    keep_whole: Mapped[bool] = mapped_column(default=False, server_default=false())
    classification: Mapped[Json | None]
    routing_status: Mapped[Short | None]
    routing: Mapped[Json | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]

    target_id: Mapped[str] = column_property(
        func.coalesce(parser_id, classifier_id, type_=Uuid(as_uuid=False))
    )


class DocumentResult(Base):
    """The values of a document by field id, with their evidence in the same shape.

    The next attempt replaces the row. ``edited`` is set by corrections; ``read_values`` are the values before
    the first one, null without. ``extras`` are amounts on the pages, for the checks of the totals. ``looked``
    are the fields whose values people had looked at when they approved the document.
    """

    __tablename__ = "document_results"

    document_id: Mapped[Ref] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[UnindexedTeamRef]
    attempt: Mapped[int]
    mode: Mapped[Short]
    values: Mapped[CompressedJson]
    read_values: Mapped[CompressedJson | None]
    evidence: Mapped[CompressedJson]
    extras: Mapped[Json | None]
    warnings: Mapped[Json]
    pages: Mapped[Json]
    markdown_sha256: Mapped[str | None] = mapped_column(ForeignKey("stored_files.sha256"))
    edited: Mapped[bool] = mapped_column(default=False)
    looked: Mapped[Json | None]
    seconds: Mapped[float]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class FormerResult(Base):
    """The values of a document before somebody changed them, so that it can be undone.

    ``actor`` changed them. They were written at ``written_at``, and those that followed at ``replaced_at``:
    the ``updated_at`` of either result.
    """

    __tablename__ = "former_results"

    id: Mapped[Id]
    team_id: Mapped[UnindexedTeamRef]
    document_id: Mapped[Ref] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    values: Mapped[CompressedJson]
    read_values: Mapped[CompressedJson | None]
    evidence: Mapped[CompressedJson]
    edited: Mapped[bool]
    actor: Mapped[str]
    written_at: Mapped[Moment]
    replaced_at: Mapped[Moment] = mapped_column(index=True)


class DocumentEvent(Base):
    """An immutable event in a document's history."""

    __tablename__ = "document_events"

    id: Mapped[Id]
    team_id: Mapped[UnindexedTeamRef]
    document_id: Mapped[Ref] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    at: Mapped[Created]
    event: Mapped[Short]
    from_status: Mapped[Short | None]
    to_status: Mapped[Short]
    reason: Mapped[str | None]
    actor: Mapped[str]
    attempt: Mapped[int]
    changes: Mapped[Json | None]


class BinnedDocument(Base):
    """A deleted document, by its id; ``snapshot`` has its rows, by table.

    ``batch_id`` is that of what was deleted by one action. ``created_at`` is the document's. The row holds
    the references to the document's files.
    """

    __tablename__ = "binned_documents"
    __table_args__ = (
        Index("ix_binned_documents_team_id_deleted_at", "team_id", "deleted_at", "id"),
        Index("ix_binned_documents_parser_id_created_at", "parser_id", "created_at"),
    )

    id: Mapped[Ref] = mapped_column(primary_key=True)
    team_id: Mapped[UnindexedTeamRef]
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    name: Mapped[str]
    batch_id: Mapped[Ref] = mapped_column(index=True)
    created_at: Mapped[Moment]
    deleted_at: Mapped[Created] = mapped_column(index=True)
    deleted_by: Mapped[str]
    sha256: Mapped[str] = mapped_column(ForeignKey("stored_files.sha256"), index=True)
    split_sha256: Mapped[str | None] = mapped_column(String(64))
    markdown_sha256: Mapped[str | None] = mapped_column(ForeignKey("stored_files.sha256"), index=True)
    snapshot: Mapped[CompressedJson]


class DeletedDocument(Base):
    """A document that was deleted, by its id, for clients that keep a copy; restoring it deletes the row."""

    __tablename__ = "deleted_documents"
    __table_args__ = (Index("ix_deleted_documents_team_id_deleted_at", "team_id", "deleted_at", "id"),)

    id: Mapped[Ref] = mapped_column(primary_key=True)
    team_id: Mapped[UnindexedTeamRef]
    parser_id: Mapped[Ref | None]
    deleted_at: Mapped[Moment] = mapped_column(index=True)


class WarehouseOutbox(Base):
    """A document whose warehouse rows are out of date; written with the change.

    Synchronisation deletes the row only if ``revision`` is unchanged, so that a change meanwhile is not lost.
    Deleted documents have an entry, too, so there is no foreign key. A document that moves to another parser
    has one for each.
    """

    __tablename__ = "projections"
    __table_args__ = (Index("ix_projections_parser_id_at", "parser_id", "at"),)

    document_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    team_id: Mapped[TeamRef]
    parser_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger, default=1)
    at: Mapped[Created]


class TableVersion(Base):
    """The moment as of which the tables of a parser were last written, by whichever process.

    It is written together with the end of the parser's outbox entries.
    """

    __tablename__ = "table_versions"

    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[TeamRef]
    at: Mapped[Moment]
