"""Costs of language models."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Integer, String, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Updated


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
