"""Where a speaker corrects themselves, only the correction counts: `base杭州，不对，是上海`."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ltm.write.findings import Finding
from ltm.write.setting import Setting

MAX_CORRECTION_CHARS = 20
"""So near behind its announcement a correction begins."""

MAX_OPENING_CHARS = 8
"""So near the beginning of a turn its announcement stands that is about the turn before."""

MAX_CORRECTIONS = 8
"""So many announcements of a turn are looked at; who makes more is not correcting anything."""

FindCorrection = Callable[[str | None, int], Finding | None]
"""Reads what stands at an offset as a statement about a slot."""


def correct(findings: Sequence[Finding], setting: Setting, find: FindCorrection) -> list[Finding]:
    """Return the findings without those that the speaker takes back, and with what is said instead.

    What is taken back is the last statement before the announcement; at the beginning of a turn it is one of an earlier
    turn, which the correction replaces in the store. Where the new words say something about another slot, nothing is
    taken back; where they say nothing that can be read, the statement is gone all the same: it is known to be wrong.
    """
    kept = list(findings)
    for mark in setting.corrections[:MAX_CORRECTIONS]:
        wrong = max((item for item in kept if item.end <= mark.start), key=lambda item: item.end, default=None)
        key = wrong.rule.slot if wrong is not None else setting.key if mark.start < MAX_OPENING_CHARS else None
        if key is None:
            continue
        near = [item for item in kept if mark.start <= item.start < mark.end + MAX_CORRECTION_CHARS]
        right = next((item for item in near if item.rule.slot == key), None)
        if right is None and not near:
            right = find(key, mark.end)
            kept += [] if right is None else [_as_said(right, wrong)]
        if wrong is not None and (right is not None or not near):
            kept.remove(wrong)
    return sorted(kept, key=lambda item: (item.start, item.end, item.order))


def _as_said(right: Finding, wrong: Finding | None) -> Finding:
    """Let the correction do what the corrected statement did: add, remove or replace."""
    if wrong is None:
        return right
    return replace(right, rule=replace(right.rule, op=wrong.rule.op, is_denial=wrong.rule.is_denial))
