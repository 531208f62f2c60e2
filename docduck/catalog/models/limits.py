"""What limits are held by: rate counters and costs of language models; and idempotent requests."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Integer, LargeBinary, String, UniqueConstraint, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Id, Json, Moment, Ref, Short, TeamRef, Updated


class RateCount(Base):
    """Requests of a key in its present windows; minutes and days are numbered since 1970 in UTC.

    On SQLite it is in a file of its own beside the catalog.
    """

    __tablename__ = "rate_counts"

    key_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    minute: Mapped[int] = mapped_column(BigInteger)
    minute_count: Mapped[int] = mapped_column(Integer)
    day: Mapped[int] = mapped_column(BigInteger)
    day_count: Mapped[int] = mapped_column(Integer)


class IdempotentRequest(Base):
    """A POST with an Idempotency-Key (as SHA-256): in progress, or with its response.

    ``owner`` has been processing it since ``begun_at``, and holds it until ``leased_until``. ``effect`` is
    what it did, and ``status`` is null until there is a response.
    """

    __tablename__ = "idempotent_requests"
    __table_args__ = (UniqueConstraint("key_id", "name_sha256"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    key_id: Mapped[Ref] = mapped_column(ForeignKey("api_keys.id", ondelete="CASCADE"))
    name_sha256: Mapped[Short]
    fingerprint: Mapped[Short]
    owner: Mapped[str]
    begun_at: Mapped[Moment] = mapped_column(index=True)
    leased_until: Mapped[Moment | None]
    effect: Mapped[Json | None]
    status: Mapped[int | None]
    headers: Mapped[Json | None]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)


class ModelUsage(Base):
    """A team's use of a model in a calendar month (``YYYY-MM``, UTC).

    ``cost_micros`` is in millionths of the currency of the prices.
    """

    __tablename__ = "model_usage"

    team_id: Mapped[str] = mapped_column(
        Uuid(as_uuid=False), ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True
    )
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    documents: Mapped[int] = mapped_column(Integer)
    requests: Mapped[int] = mapped_column(Integer)
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[Updated]
