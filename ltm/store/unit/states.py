"""State machines within a unit of work."""

from collections.abc import Collection

from ltm.ports import MachineState, TransitionRow
from ltm.store import states
from ltm.store.unit.part import Part


class StatePart(Part):
    """Implements `ltm.ports.StateUnit`."""

    def find_state(self, machine: str) -> MachineState | None:
        """Return the machine's current state, or None where it never left its first one."""
        return states.find_state(self._bench.session, self._bench.owner, machine)

    def put_state(self, state: MachineState) -> None:
        """Set the machine's current state."""
        states.put_state(self._bench.session, self._bench.database, self._bench.owner_id, state)

    def drop_state(self, machine: str) -> None:
        """Bring the machine back to its first state."""
        states.drop_state(self._bench.session, self._bench.owner_id, machine)

    def add_transition(self, transition: TransitionRow) -> None:
        """Record a transition."""
        states.add_transition(self._bench.session, self._bench.owner_id, transition)

    def list_transitions(self, machine: str | None = None) -> list[TransitionRow]:
        """Return recorded transitions in the order in which they were recorded."""
        return states.list_transitions(self._bench.session, self._bench.owner, machine)

    def drop_transitions(self, transition_ids: Collection[str]) -> int:
        """Remove records of transitions that were undone and return how many."""
        return states.drop_transitions(self._bench.session, self._bench.owner_id, transition_ids)
