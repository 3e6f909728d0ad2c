"""Steps of state machines within a unit of work."""

from collections.abc import Collection

from ltm.ports import TransitionRow
from ltm.store import transitions
from ltm.store.unit.part import Part


class StepPart(Part):
    """Implements `ltm.ports.StepUnit`."""

    def add_transition(self, transition: TransitionRow) -> None:
        """Record a transition."""
        transitions.add_transition(self._bench.session, self._bench.owner_id, transition)

    def list_transitions(self, machine: str | None = None) -> list[TransitionRow]:
        """Return recorded transitions in the order in which they were recorded."""
        return transitions.list_transitions(self._bench.session, self._bench.owner, machine)

    def drop_transitions(self, transition_ids: Collection[str]) -> int:
        """Remove records of transitions that were undone and return how many."""
        return transitions.drop_transitions(self._bench.session, self._bench.owner_id, transition_ids)
