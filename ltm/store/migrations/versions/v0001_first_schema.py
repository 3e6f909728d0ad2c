"""The first schema.

Revision ID: 0001
"""

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

from ltm.store.columns import Document, Id, Moment, Words

revision = "0001"
down_revision = None

OPTIONS: dict[str, Any] = {
    f"{server}_{option}": value
    for server in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_bin"))
}
Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    "generations",
    "meta",
    "outbox",
    "tombstones",
    "users",
    "decisions",
    "memories",
    "pending",
    "states",
    "transitions",
    "turns",
    "memory_versions",
    "external_ids",
    "evidence",
)


def upgrade() -> None:
    """Create every table, the store's id and the salt of its tombstones."""
    _create_generations()
    _create_meta()
    _create_outbox()
    _create_tombstones()
    _create_users()
    _create_decisions()
    _create_memories()
    _create_pending()
    _create_states()
    _create_transitions()
    _create_turns()
    _create_memory_versions()
    _create_external_ids()
    _create_evidence()
    if op.get_bind().dialect.name == "sqlite":
        _tell_planner()
    rows = sa.table("meta", sa.column("name", Id(64)), sa.column("value", Id(255)))
    op.bulk_insert(
        rows,
        [
            {"name": "store_id", "value": secrets.token_hex(16)},
            {"name": "salt", "value": secrets.token_hex(32)},
            {"name": "live_generation", "value": ""},
        ],
    )


def downgrade() -> None:
    """Drop every table, with all that is in them."""
    for table in reversed(TABLES):
        op.drop_table(table)


# Rows, then rows that share the first column, the first two columns, ... of an index: an application of 2,000 users.
STATISTICS = (
    ("users", "uq_users_namespace_user_id", "2000 2000 1"),
    ("memories", "memories", "200000 100 1"),
    ("memories", "uq_memories_memory_id", "200000 1"),
    ("memories", "uq_memories_owner_key", "200000 100 1"),
    ("memories", "ix_memories_owner_fingerprint", "200000 100 2"),
    ("memory_versions", "sqlite_autoindex_memory_versions_1", "300000 2 1"),
    ("memory_versions", "ix_memory_versions_owner_valid_to_valid_from", "300000 150 20 2"),
    ("memory_versions", "ix_memory_versions_owner_recorded_at_valid_from", "300000 150 2 2"),
    ("memory_versions", "uq_memory_versions_owner_external_id", "300000 150 2"),
    ("external_ids", "external_ids", "50000 25 1"),
    ("external_ids", "ix_external_ids_memory_id_version", "50000 2 2"),
    ("evidence", "ix_evidence_memory_id_version", "300000 2 1"),
    ("evidence", "ix_evidence_owner_session_id", "300000 150 10"),
    ("turns", "turns", "300000 150 10 1"),
    ("decisions", "ix_decisions_owner_id", "500000 250 1"),
    ("pending", "sqlite_autoindex_pending_1", "10000 1"),
    ("pending", "ix_pending_owner_fingerprint", "10000 5 1"),
    ("pending", "ix_pending_expires_at", "10000 2"),
    ("transitions", "ix_transitions_owner_recorded_at", "4000 2 1"),
    ("outbox", "outbox", "1000 2 1"),
    ("outbox", "ix_outbox_generation_is_dead_next_attempt_at", "1000 500 400 10"),
    ("outbox", "ix_outbox_owner_generation", "1000 10 5"),
)


def _tell_planner() -> None:
    """Give SQLite the figures that ANALYZE would count in a store that is in use.

    Without them it takes any index that begins with the owner for as good as any other, and reads a user's whole life
    to find one fingerprint.
    """
    op.execute("ANALYZE")
    table = sa.table("sqlite_stat1", sa.column("tbl"), sa.column("idx"), sa.column("stat"))
    op.bulk_insert(table, [{"tbl": name, "idx": index, "stat": stat} for name, index, stat in STATISTICS])
    op.execute("ANALYZE sqlite_schema")


def _create_generations() -> None:
    op.create_table(
        "generations",
        sa.Column("id", Serial, autoincrement=True, nullable=False),
        sa.Column("name", Id(255), nullable=False),
        sa.Column("fingerprint", Id(255), nullable=False),
        sa.Column("dim", sa.Integer(), nullable=False),
        sa.Column("embedder", Words, nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("checkpoint", Id(36), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_generations"),
        sqlite_autoincrement=True,
        **OPTIONS,
    )
    op.create_index("uq_generations_name", "generations", ["name"], unique=True)


def _create_meta() -> None:
    op.create_table(
        "meta",
        sa.Column("name", Id(64), nullable=False),
        sa.Column("value", Id(255), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_meta"),
        **OPTIONS,
    )


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("memory_id", Id(36), nullable=False),
        sa.Column("generation", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=True),
        sa.Column("needs_embedding", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("is_dead", sa.Boolean(), nullable=False),
        sa.Column("raised_at", Moment, nullable=False),
        sa.Column("next_attempt_at", Moment, nullable=False),
        sa.Column("last_error", Words, nullable=True),
        sa.PrimaryKeyConstraint("memory_id", "generation", name="pk_outbox"),
        sqlite_with_rowid=False,
        **OPTIONS,
    )
    op.create_index(
        "ix_outbox_generation_is_dead_next_attempt_at",
        "outbox",
        ["generation", "is_dead", "next_attempt_at"],
        unique=False,
    )
    op.create_index("ix_outbox_owner_generation", "outbox", ["owner", "generation"], unique=False)


def _create_tombstones() -> None:
    op.create_table(
        "tombstones",
        sa.Column("hash", Id(64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tombstones"),
        sqlite_with_rowid=False,
        **OPTIONS,
    )


def _create_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", Serial, autoincrement=True, nullable=False),
        sa.Column("namespace", Id(255), nullable=False),
        sa.Column("user_id", Id(255), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sqlite_autoincrement=True,
        **OPTIONS,
    )
    op.create_index("uq_users_namespace_user_id", "users", ["namespace", "user_id"], unique=True)


def _create_decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("id", Serial, autoincrement=True, nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("session_id", Id(255), nullable=True),
        sa.Column("turn_id", Id(255), nullable=True),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(32), nullable=False),
        sa.Column("candidate", Document, nullable=True),
        sa.Column("memory_id", Id(36), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_decisions_owner"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sqlite_autoincrement=True,
        **OPTIONS,
    )
    op.create_index("ix_decisions_owner_id", "decisions", ["owner", "id"], unique=False)


def _create_memories() -> None:
    op.create_table(
        "memories",
        sa.Column("owner", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("memory_id", Id(36), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("last_version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("key", Id(255), nullable=True),
        sa.Column("pack", Id(255), nullable=True),
        sa.Column("text", Words, nullable=False),
        sa.Column("value", Document, nullable=True),
        sa.Column("context", Words, nullable=True),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("valid_from", Moment, nullable=False),
        sa.Column("fingerprint", Id(64), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_memories_owner"),
        sa.PrimaryKeyConstraint("owner", "memory_id", name="pk_memories"),
        sqlite_with_rowid=False,
        **OPTIONS,
    )
    op.create_index("ix_memories_owner_fingerprint", "memories", ["owner", "fingerprint"], unique=False)
    op.create_index("uq_memories_memory_id", "memories", ["memory_id"], unique=True)
    op.create_index("uq_memories_owner_key", "memories", ["owner", "key"], unique=True)


def _create_pending() -> None:
    op.create_table(
        "pending",
        sa.Column("pending_id", Id(36), nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("key", Id(255), nullable=True),
        sa.Column("fingerprint", Id(64), nullable=False),
        sa.Column("value", Document, nullable=True),
        sa.Column("text", Words, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("op", sa.String(32), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(32), nullable=False),
        sa.Column("evidence", Document, nullable=False),
        sa.Column("context", Words, nullable=True),
        sa.Column("pack", Id(255), nullable=True),
        sa.Column("pack_hash", Id(64), nullable=True),
        sa.Column("expires_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_pending_owner"),
        sa.PrimaryKeyConstraint("pending_id", name="pk_pending"),
        **OPTIONS,
    )
    op.create_index("ix_pending_expires_at", "pending", ["expires_at"], unique=False)
    op.create_index("ix_pending_owner_fingerprint", "pending", ["owner", "fingerprint"], unique=False)


def _create_states() -> None:
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


def _create_transitions() -> None:
    op.create_table(
        "transitions",
        sa.Column("transition_id", Id(36), nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("machine", Id(255), nullable=False),
        sa.Column("from_state", Id(255), nullable=False),
        sa.Column("to_state", Id(255), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.Column("session_id", Id(255), nullable=True),
        sa.Column("actor", sa.String(length=32), nullable=False),
        sa.Column("expired", Document, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_transitions_owner"),
        sa.PrimaryKeyConstraint("transition_id", name="pk_transitions"),
        **OPTIONS,
    )
    op.create_index("ix_transitions_owner_recorded_at", "transitions", ["owner", "recorded_at"], unique=False)


def _create_turns() -> None:
    op.create_table(
        "turns",
        sa.Column("owner", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("session_id", Id(255), nullable=False),
        sa.Column("turn_id", Id(255), nullable=False),
        sa.Column("content_hash", Id(64), nullable=False),
        sa.Column("observed_at", Moment, nullable=False),
        sa.Column("reverted_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="fk_turns_owner"),
        sa.PrimaryKeyConstraint("owner", "session_id", "turn_id", name="pk_turns"),
        sqlite_with_rowid=False,
        **OPTIONS,
    )


def _create_memory_versions() -> None:
    op.create_table(
        "memory_versions",
        sa.Column("memory_id", Id(36), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("valid_from", Moment, nullable=False),
        sa.Column("valid_to", Moment, nullable=False),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.Column("reverted_at", Moment, nullable=True),
        sa.Column("held_confidence", sa.Double(), nullable=False),
        sa.Column("made_by", sa.String(length=32), nullable=False),
        sa.Column("carries", sa.Integer(), nullable=True),
        sa.Column("op", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("text", Words, nullable=False),
        sa.Column("value", Document, nullable=True),
        sa.Column("context", Words, nullable=True),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("begins_as", sa.String(32), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("reason", Words, nullable=True),
        sa.Column("actor", sa.String(length=32), nullable=False),
        sa.Column("external_id", Id(255), nullable=True),
        sa.Column("pack", Id(255), nullable=True),
        sa.Column("pack_hash", Id(64), nullable=True),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.memory_id"], name="fk_memory_versions_memory_id"),
        sa.PrimaryKeyConstraint("memory_id", "version", name="pk_memory_versions"),
        **OPTIONS,
    )
    op.create_index(
        "ix_memory_versions_owner_recorded_at_valid_from",
        "memory_versions",
        ["owner", "recorded_at", "valid_from"],
        unique=False,
    )
    op.create_index(
        "ix_memory_versions_owner_valid_to_valid_from",
        "memory_versions",
        ["owner", "valid_to", "valid_from"],
        unique=False,
    )
    op.create_index("uq_memory_versions_owner_external_id", "memory_versions", ["owner", "external_id"], unique=True)


def _create_external_ids() -> None:
    op.create_table(
        "external_ids",
        sa.Column("owner", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("external_id", Id(255), nullable=False),
        sa.Column("memory_id", Id(36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["memory_id", "version"],
            ["memory_versions.memory_id", "memory_versions.version"],
            name="fk_external_ids_memory_id_version",
        ),
        sa.PrimaryKeyConstraint("owner", "external_id", name="pk_external_ids"),
        sqlite_with_rowid=False,
        **OPTIONS,
    )
    op.create_index("ix_external_ids_memory_id_version", "external_ids", ["memory_id", "version"], unique=False)


def _create_evidence() -> None:
    op.create_table(
        "evidence",
        sa.Column("id", Serial, autoincrement=True, nullable=False),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("memory_id", Id(36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("session_id", Id(255), nullable=True),
        sa.Column("turn_id", Id(255), nullable=True),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("quote", Words, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("said_at", Moment, nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("is_origin", sa.Boolean(), nullable=False),
        sa.Column("is_enough", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.Column("reverted_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["memory_id", "version"],
            ["memory_versions.memory_id", "memory_versions.version"],
            name="fk_evidence_memory_id_version",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_evidence"),
        **OPTIONS,
    )
    op.create_index("ix_evidence_memory_id_version", "evidence", ["memory_id", "version"], unique=False)
    op.create_index("ix_evidence_owner_session_id", "evidence", ["owner", "session_id"], unique=False)
