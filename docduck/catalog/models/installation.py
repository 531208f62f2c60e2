"""The home that a catalog belongs to."""

from __future__ import annotations

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Moment, Ref


class HomeRecord(Base):
    """The one home whose files and tables the catalog describes.

    ``place`` says where it was last used, and ``used_at`` when, for a catalog outside the home.
    """

    __tablename__ = "home"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    installation_id: Mapped[Ref]
    place: Mapped[str]
    used_at: Mapped[Moment | None]
