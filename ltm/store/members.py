"""The members of a set value."""

from ltm.models import Json, Op, canonical


def merge(running: Json, members: Json, op: Op) -> list[Json]:
    """Return a set's members after some were added to it or removed from it, in the order in which they came."""
    stored, given = _listed(running), _listed(members)
    if op is Op.REMOVE:
        gone = {canonical(member) for member in given}
        return [member for member in stored if canonical(member) not in gone]
    merged: dict[str, Json] = {}
    for member in (*stored, *given):
        merged.setdefault(canonical(member), member)
    return list(merged.values())


def _listed(value: Json) -> list[Json]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
