from pathlib import Path

import pytest
from sqlalchemy import make_url

from ltm.errors import MemoryNotFoundError
from ltm.models import Action, Decision, Kind, Op, Outcome, Owner, Reason
from ltm.ports import Generation, HeldCandidate, NewVersion, SeenTurn, Store, TransitionRow
from ltm.store.database import Database
from ltm.store.tables import metadata
from tests.contract.store.conftest import SPEC
from tests.contract.store.said import append_all, cities, day, quote, salary, seen, tell, text

SECRET = "hunter2-秘密"


def _live_a_life(store: Store, owner: Owner, words: str = SECRET) -> str:
    """Leave rows in every table, and return a memory."""
    with store.unit(owner) as unit:
        unit.add_turns([SeenTurn(session_id="s1", turn_id="t1", content_hash="h")])
        made = unit.append(text(words, context=words, external_id="x1", evidence=(quote("s1", "t1", words),)))
        append_all(unit, [salary(15, 1), salary(20, 2), cities("上海", reason=words)])
        unit.add_decisions([_decision(made.memory_id), _decision(None)])
        unit.put_pending(_held(f"p-{owner.user_id}", words))
        unit.add_transition(
            TransitionRow(
                transition_id=f"t-{owner.user_id}",
                machine="job_search",
                from_state="searching",
                to_state="hired",
                at=day(1),
                recorded_at=unit.now,
                session_id=None,
                actor="application",
                expired={},
            )
        )
    return made.memory_id


def test_an_erased_user_leaves_nothing(store: Store, ann: Owner, bob: Owner, live: Generation) -> None:
    """No table has a row of the user's; another user's are all there."""
    _live_a_life(store, ann)
    _live_a_life(store, bob, "other")
    before = store.erasure.residue(bob)
    erased = store.erasure.erase_user(ann)
    assert erased.rows == before
    assert len(erased.memory_ids) == 3
    assert store.erasure.residue(ann) == 0
    assert store.erasure.residue(ann, erased.memory_ids) == 0
    assert store.erasure.residue(bob) == before
    assert store.read.list_users("test") == ["bob"]
    assert store.read.snapshot(ann).revision == 0


def test_an_erased_state_leaves_no_step(store: Store, ann: Owner, live: Generation) -> None:
    """The steps of a machine tell where it stood, which is what the memory of its state slot says."""
    _live_a_life(store, ann)
    state = NewVersion(text="hired", kind=Kind.STATE, valid_from=day(1), key="job.current_status", value="hired")
    with store.unit(ann) as unit:
        told = unit.append(state)
    store.erasure.erase_memory(ann, told.memory_id)
    assert store.read.list_transitions(ann) == []


def test_no_file_holds_an_erased_word(store: Store, ann: Owner, live: Generation, url: str) -> None:
    """A dump of every table has none of it, and on SQLite neither has the file nor its log."""
    _live_a_life(store, ann)
    store.erasure.erase_user(ann)
    assert SECRET not in _dump(url)
    assert "ann" not in _dump(url)
    path = make_url(url).database
    if make_url(url).get_backend_name() == "sqlite" and path is not None:
        files = [file for file in Path(path).parent.iterdir() if file.name.startswith(Path(path).name)]
        assert files
        assert all(SECRET.encode() not in file.read_bytes() for file in files)


def test_points_are_queued_for_removal_everywhere(store: Store, ann: Owner, live: Generation) -> None:
    """Every generation, also a retired one, has to lose the points of an erased user."""
    built = store.generations.create("g2", fingerprint="f2", spec=SPEC)
    store.generations.switch(built.generation_id)
    _live_a_life(store, ann)
    erased = store.erasure.erase_user(ann)
    for generation in (live, built):
        rows = store.outbox.claim(generation.generation_id, limit=99, lease_s=1)
        assert tuple(sorted(row.memory_id for row in rows)) == erased.memory_ids


def test_an_erased_memory_takes_its_traces_along(store: Store, ann: Owner, live: Generation) -> None:
    """Evidence, decisions and what is held under its key go; other memories stay."""
    memory_id = _live_a_life(store, ann)
    revision = store.read.snapshot(ann).revision
    erased = store.erasure.erase_memory(ann, memory_id)
    assert erased.memory_ids == (memory_id,)
    assert store.erasure.residue(ann, [memory_id]) == 0
    assert store.read.history(ann, memory_id) == []
    assert store.read.list_decisions(ann) == []
    assert len(store.read.list_heads(ann)) == 2
    assert len(store.read.list_pending(ann)) == 1
    assert store.read.snapshot(ann).revision == revision + 1
    salary_id = store.read.find_memory_id(ann, "job.expected_salary")
    assert salary_id is not None
    store.erasure.erase_memory(ann, salary_id)
    assert store.read.list_pending(ann) == []


def test_erased_turns_and_ids_stay_known_as_erased(store: Store, ann: Owner, bob: Owner) -> None:
    """The same turn and the same external id must not bring it back; new ones, and other users', are welcome."""
    _live_a_life(store, ann)
    store.erasure.erase_user(ann)
    with store.unit(ann) as unit:
        assert unit.erased_turns("s1", ["t1", "t2"]) == {"t1"}
        assert unit.erased_turns("s2", ["t1"]) == frozenset()
        assert unit.is_external_id_erased("x1")
        assert not unit.is_external_id_erased("x2")
        assert unit.find_turns("s1", ["t1"]) == {}
        unit.append(text("new"))
    with store.unit(bob) as unit:
        assert unit.erased_turns("s1", ["t1"]) == frozenset()
        assert not unit.is_external_id_erased("x1")
    assert len(store.read.list_heads(ann)) == 1


def test_the_turns_of_an_erased_memory_are_erased(store: Store, ann: Owner) -> None:
    """What taught the memory must not teach it again."""
    memory_id = _live_a_life(store, ann)
    store.erasure.erase_memory(ann, memory_id)
    with store.unit(ann) as unit:
        assert unit.erased_turns("s1", ["t1"]) == {"t1"}
        assert unit.is_external_id_erased("x1")


def test_erasing_what_is_not_there(store: Store, ann: Owner, bob: Owner) -> None:
    """An unknown user has no rows; an unknown memory, or somebody else's, is not found."""
    memory_id = tell(store, ann, text("a"))
    assert store.erasure.erase_user(bob).rows == 0
    for owner, wrong in ((ann, "unknown"), (bob, memory_id)):
        with pytest.raises(MemoryNotFoundError):
            store.erasure.erase_memory(owner, wrong)
    assert store.read.list_users("test") == ["ann"]


def _decision(memory_id: str | None) -> Decision:
    return Decision(
        turn_id="t1",
        session_id="s1",
        at=day(1),
        action=Action.CREATE,
        outcome=Outcome.STORED,
        reason=Reason.NEW,
        memory_id=memory_id,
    )


def _held(pending_id: str, words: str) -> HeldCandidate:
    return HeldCandidate(
        pending_id=pending_id,
        key="job.expected_salary",
        fingerprint="ab" * 32,
        value=words,
        text=words,
        kind=Kind.PREFERENCE,
        op=Op.SET,
        confidence=0.5,
        reason=Reason.HEDGED,
        sightings=(seen("s1", "t1", words),),
        expires_at=day(20),
    )


def _dump(url: str) -> str:
    database = Database(url, pool_size=1, timeout_s=5)
    with database.engine.connect() as connection:
        rows = [row for table in metadata.tables for row in connection.exec_driver_sql(f"SELECT * FROM {table}")]
    database.close()
    return repr([tuple(row) for row in rows])
