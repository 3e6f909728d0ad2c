"""Stores for the benchmark: memories that are committed, and every one of them still to be brought to the index."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from ltm.models import Kind, Owner
from ltm.ports import NewVersion, UnitOfWork
from ltm.settings import Settings
from ltm.wiring import open_parts

_OF_A_USER = 100
# No two texts are the same, but as in a language they are made of few words.
_WORDS = 1_000
_TEXTS = (
    "问过滨江体育馆 {} 号楼 {} 号场地周末晚上能不能改期",
    "would rather not take bus {} for more than {} minutes",
    "最近在看第 {} 版第 {} 页的 Java 后端面试题",
    "asked Riverside whether court {} can be moved to the evening of day {}",
)


def fill(folder: Path, count: int, embedder: str) -> None:
    """Commit so many memories, a hundred a user, to an empty embedded store; their points are left to a relay."""
    with closing(open_parts(folder, Settings(embedder=embedder))) as house:
        house.make_ready()
        for start in range(0, count, _OF_A_USER):
            owner = Owner(namespace=house.namespace, user_id=f"user-{start:07d}")
            with house.store.unit(owner) as unit:
                _append(unit, range(start, min(start + _OF_A_USER, count)))


def _append(unit: UnitOfWork, numbers: Iterable[int]) -> None:
    for number in numbers:
        text = _TEXTS[number % len(_TEXTS)].format(*divmod(number, _WORDS))
        unit.append(NewVersion(text=text, kind=Kind.EPISODE, valid_from=unit.now))
