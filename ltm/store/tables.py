"""The tables. Every migration ends with a database that looks like this."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
)

from ltm.models import Action, Kind, Op, Outcome, Reason, Role, Status
from ltm.store.columns import Code, Document, Id, Moment, Word, Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
OPTIONS: dict[str, Any] = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mariadb_engine": "InnoDB",
    "mariadb_charset": "utf8mb4",
    "mariadb_collate": "utf8mb4_bin",
}
# SQLite gives numbers of its own to INTEGER PRIMARY KEY columns only.
Serial = BigInteger().with_variant(Integer(), "sqlite")

users = Table(
    "users",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("namespace", Id(255), nullable=False),
    Column("user_id", Id(255), nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("created_at", Moment, nullable=False),
    Index("uq_users_namespace_user_id", "namespace", "user_id", unique=True),
    sqlite_autoincrement=True,
    **OPTIONS,
)

# The owner comes first in the key: InnoDB, and SQLite WITHOUT ROWID, then keep one user's memories side by side, which
# is what recall and list read. With the id alone as key, 100 heads of one user lie on 100 pages.
memories = Table(
    "memories",
    metadata,
    Column("owner", BigInteger, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("memory_id", Id(36), primary_key=True),
    Column("status", Word(Status), nullable=False),
    Column("version", Integer, nullable=False),
    Column("last_version", Integer, nullable=False),
    Column("kind", Word(Kind), nullable=False),
    Column("key", Id(255)),
    Column("pack", Id(255)),
    Column("text", Words, nullable=False),
    Column("value", Document),
    Column("context", Words),
    Column("confidence", Double, nullable=False),
    Column("valid_from", Moment, nullable=False),
    Column("fingerprint", Id(64), nullable=False),
    Index("uq_memories_memory_id", "memory_id", unique=True),
    Index("uq_memories_owner_key", "owner", "key", unique=True),
    Index("ix_memories_owner_fingerprint", "owner", "fingerprint"),
    sqlite_with_rowid=False,
    **OPTIONS,
)

memory_versions = Table(
    "memory_versions",
    metadata,
    Column("memory_id", Id(36), ForeignKey("memories.memory_id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("owner", BigInteger, nullable=False),
    Column("status", Word(Status), nullable=False),
    Column("valid_from", Moment, nullable=False),
    Column("valid_to", Moment, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    Column("reverted_at", Moment),
    Column("held_confidence", Double, nullable=False),
    Column("made_by", Code, nullable=False),
    Column("carries", Integer),
    Column("op", Word(Op), nullable=False),
    Column("kind", Word(Kind), nullable=False),
    Column("text", Words, nullable=False),
    Column("value", Document),
    Column("context", Words),
    Column("confidence", Double, nullable=False),
    Column("begins_as", Word(Status), nullable=False),
    Column("action", Word(Action), nullable=False),
    Column("reason", Words),
    Column("actor", Code, nullable=False),
    Column("external_id", Id(255)),
    Column("pack", Id(255)),
    Column("pack_hash", Id(64)),
    Index("ix_memory_versions_owner_valid_to_valid_from", "owner", "valid_to", "valid_from"),
    Index("ix_memory_versions_owner_recorded_at_valid_from", "owner", "recorded_at", "valid_from"),
    Index("uq_memory_versions_owner_external_id", "owner", "external_id", unique=True),
    **OPTIONS,
)

# Ids of inputs that said again what was stored; the id of one that made a version stands with the version.
external_ids = Table(
    "external_ids",
    metadata,
    Column("owner", BigInteger, primary_key=True, autoincrement=False),
    Column("external_id", Id(255), primary_key=True),
    Column("memory_id", Id(36), nullable=False),
    Column("version", Integer, nullable=False),
    ForeignKeyConstraint(["memory_id", "version"], ["memory_versions.memory_id", "memory_versions.version"]),
    Index("ix_external_ids_memory_id_version", "memory_id", "version"),
    sqlite_with_rowid=False,
    **OPTIONS,
)

evidence = Table(
    "evidence",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("owner", BigInteger, nullable=False),
    Column("memory_id", Id(36), nullable=False),
    Column("version", Integer, nullable=False),
    Column("session_id", Id(255)),
    Column("turn_id", Id(255)),
    Column("role", Word(Role), nullable=False),
    Column("quote", Words, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("said_at", Moment, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("is_origin", Boolean, nullable=False),
    Column("is_enough", Boolean, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    Column("reverted_at", Moment),
    ForeignKeyConstraint(["memory_id", "version"], ["memory_versions.memory_id", "memory_versions.version"]),
    Index("ix_evidence_memory_id_version", "memory_id", "version"),
    Index("ix_evidence_owner_session_id", "owner", "session_id"),
    **OPTIONS,
)

turns = Table(
    "turns",
    metadata,
    Column("owner", BigInteger, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("session_id", Id(255), primary_key=True),
    Column("turn_id", Id(255), primary_key=True),
    Column("content_hash", Id(64), nullable=False),
    Column("observed_at", Moment, nullable=False),
    Column("reverted_at", Moment),
    sqlite_with_rowid=False,
    **OPTIONS,
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("owner", BigInteger, ForeignKey("users.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("session_id", Id(255)),
    Column("turn_id", Id(255)),
    Column("action", Word(Action), nullable=False),
    Column("outcome", Word(Outcome), nullable=False),
    Column("reason", Word(Reason), nullable=False),
    Column("candidate", Document),
    Column("memory_id", Id(36)),
    Column("version", Integer),
    Index("ix_decisions_owner_id", "owner", "id"),
    sqlite_autoincrement=True,
    **OPTIONS,
)

pending = Table(
    "pending",
    metadata,
    Column("pending_id", Id(36), primary_key=True),
    Column("owner", BigInteger, ForeignKey("users.id"), nullable=False),
    Column("key", Id(255)),
    Column("fingerprint", Id(64), nullable=False),
    Column("value", Document),
    Column("text", Words, nullable=False),
    Column("kind", Word(Kind), nullable=False),
    Column("op", Word(Op), nullable=False),
    Column("confidence", Double, nullable=False),
    Column("reason", Word(Reason), nullable=False),
    Column("evidence", Document, nullable=False),
    Column("context", Words),
    Column("pack", Id(255)),
    Column("pack_hash", Id(64)),
    Column("expires_at", Moment, nullable=False),
    Index("ix_pending_owner_fingerprint", "owner", "fingerprint"),
    Index("ix_pending_expires_at", "expires_at"),
    **OPTIONS,
)

transitions = Table(
    "transitions",
    metadata,
    Column("transition_id", Id(36), primary_key=True),
    Column("owner", BigInteger, ForeignKey("users.id"), nullable=False),
    Column("machine", Id(255), nullable=False),
    Column("from_state", Id(255), nullable=False),
    Column("to_state", Id(255), nullable=False),
    Column("at", Moment, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    Column("session_id", Id(255)),
    Column("actor", Code, nullable=False),
    Column("expired", Document, nullable=False),
    Index("ix_transitions_owner_recorded_at", "owner", "recorded_at"),
    **OPTIONS,
)

generations = Table(
    "generations",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("name", Id(255), nullable=False),
    Column("fingerprint", Id(255), nullable=False),
    Column("dim", Integer, nullable=False),
    Column("embedder", Words, nullable=False),
    Column("state", Code, nullable=False),
    Column("checkpoint", Id(36)),
    Column("created_at", Moment, nullable=False),
    Index("uq_generations_name", "name", unique=True),
    sqlite_autoincrement=True,
    **OPTIONS,
)

# No foreign key to memories: a row outlives an erased memory until its point is gone.
outbox = Table(
    "outbox",
    metadata,
    Column("memory_id", Id(36), primary_key=True),
    Column("generation", BigInteger, primary_key=True, autoincrement=False),
    Column("owner", BigInteger),
    Column("needs_embedding", Boolean, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("is_dead", Boolean, nullable=False),
    Column("raised_at", Moment, nullable=False),
    Column("next_attempt_at", Moment, nullable=False),
    Column("last_error", Words),
    Index("ix_outbox_generation_is_dead_next_attempt_at", "generation", "is_dead", "next_attempt_at"),
    Index("ix_outbox_owner_generation", "owner", "generation"),
    sqlite_with_rowid=False,
    **OPTIONS,
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("hash", Id(64), primary_key=True),
    Column("kind", Code, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
    **OPTIONS,
)

meta = Table(
    "meta",
    metadata,
    Column("name", Id(64), primary_key=True),
    Column("value", Id(255), nullable=False),
    **OPTIONS,
)
