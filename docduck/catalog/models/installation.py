"""The home that a catalog belongs to, and who reads its documents."""

from __future__ import annotations

from sqlalchemy import Integer, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Moment, Ref, Short


class HomeRecord(Base):
    """The one home whose files and tables the catalog describes.

    ``place`` says where it was last used, and ``used_at`` when, for a catalog outside the home.
    """

    __tablename__ = "home"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    installation_id: Mapped[Ref]
    place: Mapped[str]
    used_at: Mapped[Moment | None]


class ReadingDuration(Base):
    """The mean seconds that documents of a parser or classifier take, ordinary or slow ones, lately."""

    __tablename__ = "reading_durations"

    target_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    slow: Mapped[bool] = mapped_column(primary_key=True)
    seconds: Mapped[float]


class ReadingHome(Base):
    """A home that reads queued documents, on a catalog that other machines may share.

    ``place`` is the home and its machine, ``version`` its docduck, ``owner`` the process that reads now, if
    one does, and ``run_id`` that one's run of Dagster.
    """

    __tablename__ = "reading_homes"

    place: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[Short]
    workers: Mapped[int] = mapped_column(Integer)
    owner: Mapped[str | None]
    run_id: Mapped[str | None]
    renewed_at: Mapped[Moment]
