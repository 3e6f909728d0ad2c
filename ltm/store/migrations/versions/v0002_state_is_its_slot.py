"""Where a machine stands is the value of its state slot: the table that said it a second time goes.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

from ltm.store.columns import Id, Moment
from ltm.store.migrations.versions.v0001_first_schema import OPTIONS

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Drop the table."""
    op.drop_table("states")


def downgrade() -> None:
    """Create it again, empty: every machine is then in its first state."""
    op.create_table(
        "states",
        sa.Column("owner", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("machine", Id(255), nullable=False),
        sa.Column("state", Id(255), nullable=False),
        sa.Column("since", Moment, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_states_owner"),
        sa.PrimaryKeyConstraint("owner", "machine", name="pk_states"),
        **OPTIONS,
    )
