"""What rules found in a text, and which of it counts where they found several things."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ltm.models import Json
from ltm.packs.pack_set import PackSet
from ltm.packs.schema import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule that matched; offsets are those of the folded text."""

    rule: Rule
    order: int
    members: tuple[Json, ...]
    start: int
    end: int

    @property
    def rank(self) -> tuple[float, float, int]:
        """Return what decides between rules that read the same words: the longest, the surest, the first."""
        return (-(self.end - self.start), -self.rule.confidence, self.order)

    def touches(self, other: "Finding") -> bool:
        """Tell whether both read some of the same words."""
        return self.start < other.end and other.start < self.end


def settle(findings: Iterable[Finding], packs: PackSet) -> list[Finding]:
    """Return the findings of one sentence that count, in the order of the text."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda finding: finding.rank):
        rivals = [other for other in kept if finding.touches(other)]
        if any(finding.rule.is_weak or _compete(finding.rule, other.rule, packs) for other in rivals):
            continue
        kept = [other for other in kept if not (other.rule.is_weak and finding.touches(other))]
        kept.append(finding)
    return sorted(kept, key=lambda finding: (finding.start, finding.end, finding.order))


def last_of_each(findings: Sequence[Finding], packs: PackSet) -> list[Finding]:
    """Return the findings that no later one of the turn replaces; a lower bound replaces no larger number."""
    last: dict[tuple[str | None, str], Finding] = {}
    for finding in findings:
        matter = _matter(finding, packs)
        known = last.get(matter)
        if known is None or not finding.rule.is_least or _number(known) < _number(finding):
            last[matter] = finding
    return [finding for finding in findings if last[_matter(finding, packs)] is finding]


def _number(finding: Finding) -> float:
    value = finding.members[0]
    return float(value) if isinstance(value, int | float) else 0.0


def _matter(finding: Finding, packs: PackSet) -> tuple[str | None, str]:
    """Return what a later finding of the turn says anew: the slot with one value, or the same members of a set."""
    slot = packs.find_slot(finding.rule.slot)
    if slot is not None and not slot.is_set:
        return slot.key, ""
    return finding.rule.slot, f"{finding.rule.op} {finding.members!r}"


def _compete(one: Rule, other: Rule, packs: PackSet) -> bool:
    """Tell whether two rules fill the same slot, slots of which one must not hold what the other does, or none."""
    if one.slot == other.slot:
        return True
    slot = packs.find_slot(one.slot)
    return slot is not None and other.slot in slot.opposites
