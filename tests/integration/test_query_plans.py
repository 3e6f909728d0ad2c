"""What SQLite does for the statements that must not read a user's whole life."""

import sqlite3
from pathlib import Path

import pytest

from ltm.store import generations, memories, migrate, outbox, quotes, records, versions
from ltm.store.database import Database
from ltm.store.prepared import Prepared, Statement

PLANS: list[tuple[str, Statement, str]] = [
    ("as_of", versions.TRUE_AT, "ix_memory_versions_owner_valid_to_valid_from (owner=? AND valid_to>?)"),
    ("known_at", versions.KNOWN_AT, "ix_memory_versions_owner_recorded_at_valid_from (owner=? AND recorded_at<?)"),
    ("heads check", memories.FIND_HEADS, "memories USING PRIMARY KEY (owner=? AND memory_id=?)"),
    ("by key", memories.FIND_KEYS, "uq_memories_owner_key (owner=? AND key=?)"),
    ("by fingerprint", memories.FIND_FINGERPRINTS, "ix_memories_owner_fingerprint (owner=? AND fingerprint=?)"),
    ("records", records.FIND_RECORDS, "memories USING PRIMARY KEY (owner=? AND memory_id=?)"),
    ("chains", versions.FIND_CHAINS, "sqlite_autoindex_memory_versions_1 (memory_id=?)"),
    ("evidence", quotes.OF_MEMORIES, "ix_evidence_memory_id_version (memory_id=?)"),
    ("session", quotes.OF_SESSION, "ix_evidence_owner_session_id (owner=? AND session_id=?)"),
    ("said at", versions.SAID_AT, "SEARCH memory_versions USING INDEX"),
    ("settled", generations.SNAPSHOT, "ix_outbox_owner_generation (owner=? AND generation=?)"),
    ("claim", outbox.DUE, "ix_outbox_generation_is_dead_next_attempt_at (generation=? AND is_dead=?"),
    ("claim ahead", outbox.AHEAD, "ix_outbox_generation_is_dead_next_attempt_at (generation=? AND is_dead=?"),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Return a new store."""
    path: Path = tmp_path_factory.mktemp("plans") / "ltm.db"
    migrate(f"sqlite:///{path}")
    return Database(f"sqlite:///{path}", pool_size=1, timeout_s=5)


@pytest.mark.parametrize(("statement", "index"), [plan[1:] for plan in PLANS], ids=[plan[0] for plan in PLANS])
def test_a_statement_uses_its_index(database: Database, statement: Statement, index: str) -> None:
    """The plan searches the index that was made for it, and scans no table."""
    prepared = Prepared(statement, database.engine.dialect)
    sql, parameters = prepared.bind(dict.fromkeys(prepared.names, None) | {name: [None] * 8 for name in prepared.lists})
    path = database.engine.url.database
    assert path is not None
    connection = sqlite3.connect(path)
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]
    connection.close()
    assert any(index in step for step in steps), steps
    assert not [step for step in steps if step.startswith("SCAN") and "subquery" not in step and "anon" not in step]
