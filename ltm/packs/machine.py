"""State machines: the course of a task, and what a user's memories may not outlive."""

from dataclasses import dataclass

from ltm.models import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry:
    """What entering a state ends.

    Attributes:
        entering: The state.
        slots: Keys whose memories expire.
        keyless_kinds: Kinds of the pack's key-less memories that expire.
    """

    entering: str
    slots: tuple[str, ...]
    keyless_kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One state machine of a pack.

    Attributes:
        pack: Name of the pack, without its version: whose key-less memories it ends.
        states: In the order of the course; the first one is where every user begins.
        transitions: For each state the states it may go to, itself not among them.
        state_slot: The slot that holds the current state. A statement that sets this slot drives the machine.
    """

    name: str
    pack: str
    states: tuple[str, ...]
    transitions: dict[str, tuple[str, ...]]
    state_slot: str
    expiries: tuple[Expiry, ...]

    @property
    def first(self) -> str:
        """Return the state every user begins in."""
        return self.states[0]

    def allowed(self, state: str) -> tuple[str, ...]:
        """Return the states that may follow, in the order of the course."""
        return self.transitions.get(state, ())

    def allows(self, from_state: str, to_state: str) -> bool:
        """Return whether the step is allowed; staying where one is always is."""
        return from_state == to_state or to_state in self.allowed(from_state)

    def expiry(self, entering: str) -> Expiry:
        """Return what entering a state ends; nothing for a state that declares nothing."""
        for expiry in self.expiries:
            if expiry.entering == entering:
                return expiry
        return Expiry(entering=entering, slots=(), keyless_kinds=())
