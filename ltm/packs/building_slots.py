"""Build slots from `slots.toml`, and machines from `machines.toml`."""

from ltm.errors import PackError
from ltm.models import Kind, Lang
from ltm.packs.documents import MachinesFile, MachineTable, SlotsFile, SlotTable
from ltm.packs.machine import Expiry, Machine
from ltm.packs.reading import PackFiles, parse_toml
from ltm.packs.schema import Slot
from ltm.packs.values import VALUE_TYPES
from ltm.packs.vocabulary import Vocabulary


def build_slots(
    files: PackFiles, label: str, vocabularies: dict[str, Vocabulary], half_lives: dict[Kind, float]
) -> tuple[Slot, ...]:
    """Return the slots that a pack declares; none without the file."""
    content = files.find("slots.toml")
    if content is None:
        return ()
    where = files.where("slots.toml")
    tables = parse_toml(content, SlotsFile, where=where).slot
    return tuple(_slot(table, label, vocabularies, half_lives, f"{where}: slot {table.key!r}") for table in tables)


def _slot(
    table: SlotTable, label: str, vocabularies: dict[str, Vocabulary], half_lives: dict[Kind, float], where: str
) -> Slot:
    if table.type not in VALUE_TYPES:
        raise PackError(f"{where}: key 'type': no value type {table.type!r}; there are {', '.join(VALUE_TYPES)}")
    if table.vocabulary is not None and table.vocabulary not in vocabularies:
        raise PackError(f"{where}: key 'vocabulary': no vocabulary {table.vocabulary!r}")
    for sentence in (table.sentence.zh, table.sentence.en):
        if sentence.count("$value") != 1 or sentence.count("$") != 1:
            raise PackError(f"{where}: key 'sentence': {sentence!r} must hold $value once and no other '$'")
    return Slot(
        key=table.key,
        kind=table.kind,
        is_set=table.set,
        value_type=table.type,
        half_life_days=table.half_life_days or half_lives[table.kind],
        sentences={Lang.ZH: table.sentence.zh, Lang.EN: table.sentence.en},
        pack=label,
        vocabulary=vocabularies[table.vocabulary] if table.vocabulary else None,
        opposites=table.opposites,
        currency=table.currency,
        period=table.period,
        ttl_days=table.ttl_days,
    )


def build_machines(files: PackFiles, pack: str, slots: dict[str, Slot]) -> tuple[Machine, ...]:
    """Return the machines that a pack declares; none without the file."""
    content = files.find("machines.toml")
    if content is None:
        return ()
    where = files.where("machines.toml")
    tables = parse_toml(content, MachinesFile, where=where).machine
    return tuple(_machine(table, pack, slots, f"{where}: machine {table.name!r}") for table in tables)


def _machine(table: MachineTable, pack: str, slots: dict[str, Slot], where: str) -> Machine:
    mentioned = {*table.transitions, *(state for states in table.transitions.values() for state in states)}
    mentioned |= {expire.entering for expire in table.expire}
    unknown = sorted(mentioned - set(table.states))
    if unknown:
        raise PackError(f"{where}: {unknown} are not among its states")
    bound = {table.state_slot, *(key for expire in table.expire for key in expire.slots)}
    undeclared = sorted(bound - set(slots))
    if undeclared:
        raise PackError(f"{where}: no loaded pack declares the slots {undeclared}")
    return Machine(
        name=table.name,
        pack=pack,
        states=table.states,
        transitions={state: table.transitions.get(state, ()) for state in table.states},
        state_slot=table.state_slot,
        expiries=tuple(
            Expiry(entering=expire.entering, slots=expire.slots, keyless_kinds=expire.keyless_kinds)
            for expire in table.expire
        ),
    )
