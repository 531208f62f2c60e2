"""Alembic's environment; uses the connection of docduck.catalog.migrate."""

from alembic import context

from docduck.catalog.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
