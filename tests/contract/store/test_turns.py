from datetime import timedelta

from ltm.models import Action, Candidate, Channel, Decision, Kind, Op, Outcome, Owner, Reason, SpeechAct
from ltm.ports import HeldCandidate, Origin, SeenTurn, Store, TransitionRow
from tests.contract.store.said import day, seen, tell, text
from tests.support.manual_clock import ManualClock


def _seen(turn_id: str, content_hash: str = "h1", session_id: str = "s1") -> SeenTurn:
    return SeenTurn(session_id=session_id, turn_id=turn_id, content_hash=content_hash)


def _decision(turn_id: str | None, at: int = 1, candidate: Candidate | None = None) -> Decision:
    return Decision(
        turn_id=turn_id,
        session_id="s1",
        at=day(at),
        action=Action.IGNORE,
        outcome=Outcome.DROPPED,
        reason=Reason.EMOTION,
        candidate=candidate,
    )


def _held(pending_id: str = "p1", sessions: tuple[str | None, ...] = ("s1",), at: int = 20) -> HeldCandidate:
    return HeldCandidate(
        pending_id=pending_id,
        key="job.target_cities",
        fingerprint="ab" * 32,
        value=["上海"],
        text="意向城市 上海",
        kind=Kind.PREFERENCE,
        op=Op.ADD,
        confidence=0.5,
        reason=Reason.HEDGED,
        sightings=tuple(seen(session, "t1", "也许上海", number + 1) for number, session in enumerate(sessions)),
        expires_at=day(at),
        context="那上海呢",
        pack="job_search@1.0.0",
        pack_hash="cd" * 32,
    )


def test_a_turn_is_seen_once(store: Store, ann: Owner, bob: Owner) -> None:
    """The first content counts; other sessions and other users have turns of their own."""
    with store.unit(ann) as unit:
        assert unit.find_turns("s1", ["t1", "t2"]) == {}
        unit.add_turns([_seen("t1"), _seen("t2"), _seen("t1", "h9", "s2")])
        unit.add_turns([_seen("t1", "h2")])
    with store.unit(ann) as unit:
        assert unit.find_turns("s1", ["t1", "t3"]) == {"t1": _seen("t1")}
        assert unit.find_turns("s2", ["t1"])["t1"].content_hash == "h9"
        assert unit.find_turns("s1", []) == {}
    with store.unit(bob) as unit:
        assert unit.find_turns("s1", ["t1"]) == {}


def test_reverted_turns_stay_reverted(store: Store, ann: Owner, clock: ManualClock) -> None:
    """A session's turns, or those since a time, must not teach again."""
    with store.unit(ann) as unit:
        unit.add_turns([_seen("t1"), _seen("t2", session_id="s2")])
    clock.advance(60)
    since = clock.now()
    with store.unit(ann) as unit:
        unit.add_turns([_seen("t3", session_id="s3")])
        assert unit.revert_turns(Origin(session_id="s1")) == 1
        assert unit.revert_turns(Origin(session_id="s1")) == 0
        assert unit.revert_turns(Origin(since=since)) == 1
    with store.unit(ann) as unit:
        assert unit.find_turns("s1", ["t1"])["t1"].is_reverted
        assert not unit.find_turns("s2", ["t2"])["t2"].is_reverted
        assert unit.find_turns("s3", ["t3"])["t3"].is_reverted


def test_decisions_are_kept_in_order(store: Store, ann: Owner, bob: Owner) -> None:
    """The audit trail comes back whole, in pages, and only to whom it belongs."""
    candidate = Candidate(
        turn_id="t1",
        quote="想要 15k 😀",
        start=3,
        end=9,
        key="job.expected_salary",
        text="期望薪资 15k",
        value={"min": 15000, "max": None},
        kind=Kind.PREFERENCE,
        speech_act=SpeechAct.STATEMENT,
        confidence=0.9,
        channel=Channel.LLM,
        op=Op.SET,
        rule_id=None,
    )
    with store.unit(ann) as unit:
        first = unit.add_decisions([_decision("t1", 1, candidate), _decision("t2", 2)])
        assert unit.add_decisions([]) == ()
    with store.unit(bob) as unit:
        unit.add_decisions([_decision("t9")])
    with store.unit(ann) as unit:
        second = unit.add_decisions([_decision(None, 3)])
    trail = [*first, *second]
    assert [decision.turn_id for decision in trail] == ["t1", "t2", None]
    assert store.read.list_decisions(ann) == trail
    assert store.read.list_decisions(ann, limit=2) == trail[:2]
    assert store.read.list_decisions(ann, after=trail[1].decision_id) == trail[2:]


def test_a_held_candidate_grows(store: Store, ann: Owner, bob: Owner) -> None:
    """It is found by what it says, replaced by its id, and shows in how many sessions it was said."""
    with store.unit(ann) as unit:
        unit.put_pending(_held())
        assert unit.find_pending_like("job.target_cities", "ab" * 32) == _held()
        assert unit.find_pending_like(None, "ab" * 32) is None
        unit.put_pending(_held(sessions=("s1", "s2", "s2", None)))
    assert store.read.list_pending(ann) == [_held(sessions=("s1", "s2", "s2", None))]
    shown = store.read.list_pending(ann)[0].shown_to("ann")
    assert (shown.sessions_seen, shown.first_said_at, shown.last_said_at) == (3, day(1), day(4))
    assert store.read.list_pending(bob) == []
    with store.unit(bob) as unit:
        assert unit.find_pending("p1") is None
        assert unit.drop_pending(["p1"]) == 0
    with store.unit(ann) as unit:
        assert unit.find_pending("p1") is not None
        assert unit.drop_pending(["p1", "p2"]) == 1
        assert unit.list_pending() == []


def test_expired_candidates_are_found_for_all_owners(store: Store, ann: Owner, bob: Owner) -> None:
    """The sweep gets the oldest first, and nothing whose time is not over."""
    with store.unit(ann) as unit:
        unit.put_pending(_held("p1", at=20))
        unit.put_pending(_held("p2", at=25))
    with store.unit(bob) as unit:
        unit.put_pending(_held("p3", at=10))
    found = store.read.list_expired_pending(day(21), limit=10)
    assert [(owner, held.pending_id) for owner, held in found] == [(bob, "p3"), (ann, "p1")]
    assert len(store.read.list_expired_pending(day(30), limit=2)) == 2


def test_a_machine_has_a_past(store: Store, ann: Owner, clock: ManualClock) -> None:
    """Transitions are listed as they were recorded, of one machine or of all."""
    with store.unit(ann) as unit:
        made = [_transition(number, unit.now + timedelta(seconds=number)) for number in range(3)]
        for transition in made:
            unit.add_transition(transition)
    assert store.read.list_transitions(ann) == made
    assert store.read.list_transitions(ann, "other") == []
    with store.unit(ann) as unit:
        assert unit.drop_transitions([made[1].transition_id]) == 1
        assert unit.list_transitions("job_search") == [made[0], made[2]]


def test_users_are_listed_by_bytes(store: Store) -> None:
    """In pages, of one namespace only."""
    names = sorted(["b", "a", "ä", "Z", "😀", "a "], key=str.encode)
    for name in names:
        tell(store, Owner(namespace="test", user_id=name), text("x"))
    tell(store, Owner(namespace="other", user_id="c"), text("x"))
    assert store.read.list_users("test") == names
    assert store.read.list_users("test", limit=2) == names[:2]
    assert store.read.list_users("test", after=names[1]) == names[2:]


def test_counts_say_what_is_there(store: Store, ann: Owner) -> None:
    """Figures for doctor."""
    tell(store, ann, text("a"), text("b"))
    with store.unit(ann) as unit:
        unit.put_pending(_held())
        unit.add_decisions([_decision("t1")])
    counts = store.read.counts()
    assert (counts.users, sum(counts.memories.values()), counts.versions) == (1, 2, 2)
    assert (counts.pending, counts.decisions) == (1, 1)
    assert counts.backend in ("sqlite", "mysql", "mariadb")
    assert counts.server
    assert counts.schema


def _transition(number: int, recorded_at: object) -> TransitionRow:
    return TransitionRow(
        transition_id=f"t{number}",
        machine="job_search",
        from_state="searching",
        to_state="applied",
        at=day(number + 1),
        recorded_at=recorded_at,  # type: ignore[arg-type]
        session_id="s1" if number else None,
        actor="application",
        expired={"m1": number},
    )
