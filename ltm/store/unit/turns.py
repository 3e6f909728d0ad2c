"""Turns, decisions and held candidates within a unit of work."""

from collections.abc import Collection, Sequence

from ltm.models import Decision
from ltm.ports import HeldCandidate, Origin, SeenTurn
from ltm.store.decisions import add_decisions
from ltm.store.held import drop_held, find_held, find_held_like, list_held, put_held
from ltm.store.turns import add_turns, find_turns, revert_session, revert_since
from ltm.store.unit.part import Part


class TurnPart(Part):
    """Implements `ltm.ports.TurnUnit`."""

    def find_turns(self, session_id: str, turn_ids: Collection[str]) -> dict[str, SeenTurn]:
        """Return those of a session's turns that were observed before, by turn id."""
        return find_turns(self._bench.session, self._bench.owner, session_id, turn_ids)

    def erased_turns(self, session_id: str, turn_ids: Collection[str]) -> frozenset[str]:
        """Return those of a session's turns that were erased."""
        bench = self._bench
        hashes = {bench.graves.turn(bench.owner, session_id, turn_id): turn_id for turn_id in turn_ids}
        return frozenset(hashes[found] for found in bench.graves.find(bench.session, hashes))

    def is_external_id_erased(self, external_id: str) -> bool:
        """Tell whether a memory with this external id was erased."""
        bench = self._bench
        return bool(bench.graves.find(bench.session, [bench.graves.external(bench.owner, external_id)]))

    def add_turns(self, turns: Sequence[SeenTurn]) -> None:
        """Record turns as observed; one that is recorded already stays as it is."""
        bench = self._bench
        add_turns(bench.session, bench.database, bench.owner_id, turns, bench.now)

    def revert_turns(self, origin: Origin) -> int:
        """Mark a session's turns, or those observed at or after a time, as reverted and return how many."""
        bench = self._bench
        if origin.since is not None:
            return revert_since(bench.session, bench.owner_id, origin.since, bench.now)
        return revert_session(bench.session, bench.owner_id, origin.session_id or "", bench.now)

    def add_decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Append to the audit trail; returned with their ids, in input order."""
        return add_decisions(self._bench.session, self._bench.owner_id, decisions)

    def find_pending(self, pending_id: str) -> HeldCandidate | None:
        """Return a held candidate, or None."""
        return find_held(self._bench.session, self._bench.owner, pending_id)

    def find_pending_like(self, key: str | None, fingerprint: str) -> HeldCandidate | None:
        """Return the held candidate that says the same, or None."""
        return find_held_like(self._bench.session, self._bench.owner, key, fingerprint)

    def list_pending(self) -> list[HeldCandidate]:
        """Return the held candidates by id."""
        return list_held(self._bench.session, self._bench.owner)

    def put_pending(self, held: HeldCandidate) -> None:
        """Store a held candidate, or replace the one with its id."""
        put_held(self._bench.session, self._bench.database, self._bench.owner_id, held)

    def drop_pending(self, pending_ids: Collection[str]) -> int:
        """Remove held candidates and return how many there were."""
        return drop_held(self._bench.session, self._bench.owner_id, pending_ids)
