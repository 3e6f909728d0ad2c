"""Runs migrations on the connection that `ltm.store.schema` hands over; there is no alembic.ini."""

from alembic import context

from ltm.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
