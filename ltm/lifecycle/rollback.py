"""Go back to a version, and keep a machine where its state slot says that it stands."""

from ltm.lifecycle.transition import correct_state
from ltm.models import MemoryVersion
from ltm.packs.pack_set import PackSet
from ltm.ports import UnitOfWork


def roll_back(
    unit: UnitOfWork,
    memory_id: str,
    to_version: int,
    *,
    reason: str,
    expected_version: int | None,
    packs: PackSet,
    transition_id: str,
) -> MemoryVersion:
    """Undo every version behind `to_version` by appending one that carries its value.

    Where the memory is the state of a machine, the machine stands there again; nothing that a step had ended revives.

    Raises:
        MemoryNotFoundError: The user has no such memory or version.
        VersionConflictError: The head is not `expected_version`.
    """
    record = unit.rollback(memory_id, to_version, reason=reason, actor="application", expected_version=expected_version)
    machine = packs.machine_of(record.key)
    if machine is not None:
        correct_state(unit, machine, record, transition_id=transition_id)
    return record
