"""Two thousand malformed replies: no exception, and nothing stored that the user did not say."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ltm.models import Outcome, Owner, Reason, Role, Turn
from ltm.packs import PackSet
from ltm.ports import Store
from ltm.store import open_store
from ltm.write.pipeline import Observer
from tests.integration.write.conftest import Desk
from tests.support.manual_clock import ManualClock
from tests.support.parrot import Parrot

SAID = "我最近在准备 Java 后端 的面试，比较看重团队氛围，不喜欢加班，要是能去上海就好了"
ASSISTANT = "建议您把期望薪资定在18-22k，城市选深圳"

quotes = st.sampled_from(
    [
        "看重团队氛围",
        "准备 Java 后端 的面试",
        "喜欢加班",
        "能去上海",
        "我特别讨厌出差",
        "期望薪资定在18-22k",
        "",
        "，",
        "Java 后端",
        SAID,
    ]
)
odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
keys = st.none() | st.sampled_from(
    [
        "job.target_roles",
        "job.expected_salary",
        "job.target_cities",
        "job.current_status",
        "job.excluded",
        "user.likes",
        "job.x",
    ]
)
values = st.sampled_from([["Java 后端"], ["加班"], ["上海"], {"min": 18000, "max": 22000}, "hired", 3]) | odd
candidates = st.fixed_dictionaries(
    {},
    optional={
        "turn_id": st.sampled_from(["t0", "t1", "t9"]) | odd,
        "quote": quotes | odd,
        "key": keys | odd,
        "text": st.sampled_from(["用户看重团队氛围", "用户喜欢加班", "用户在准备 Java 后端", "用户已放弃"]) | odd,
        "value": values,
        "kind": st.sampled_from(["fact", "preference", "state", "episode", "exclusion"]) | odd,
        "speech_act": st.sampled_from(["statement", "emotion", "joke"]) | odd,
        "confidence": st.floats(0, 1) | odd,
    },
)


@st.composite
def replies(draw: st.DrawFn) -> str:
    """Return an answer that went wrong: wrapped, cut off, interspersed, repeated, or never one at all."""
    whole = json.dumps({"candidates": draw(st.lists(candidates | odd, max_size=5))}, ensure_ascii=draw(st.booleans()))
    shape = draw(st.sampled_from(["whole", "fence", "prose", "cut", "spoilt", "list", "twice", "text"]))
    at = draw(st.integers(0, len(whole)))
    noise = draw(st.text(max_size=10))
    return {
        "whole": whole,
        "fence": f"```json\n{whole}\n```",
        "prose": f"Sure! {noise} {whole} {noise}",
        "cut": whole[:at],
        "spoilt": whole[:at] + noise + whole[at:],
        "list": whole.removeprefix('{"candidates": ').removesuffix("}"),
        "twice": whole + whole,
        "text": noise,
    }[shape]


@pytest.fixture(scope="module")
def shared(
    template: Path,
    tmp_path_factory: pytest.TempPathFactory,
    packs: PackSet,
    make_observer: Callable[[Store, ManualClock], Observer],
) -> Iterator[Desk]:
    """Return a desk over one store for all examples; each has a user of its own."""
    clock = ManualClock()
    path = tmp_path_factory.mktemp("fuzz") / "ltm.db"
    path.write_bytes(template.read_bytes())
    store = open_store(f"sqlite:///{path}", clock=clock, packs=packs, timeout_s=5)
    yield Desk(make_observer(store, clock), store, clock, Parrot()).with_model
    store.close()


numbers = count()


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))
@given(reply=replies())
def test_nothing_is_stored_without_the_users_own_words(shared: Desk, reply: str) -> None:
    """Every memory has a quote that stands in the user's turn; what was wished, or said by others, is none."""
    shared.owner = Owner(namespace="test", user_id=f"user-{next(numbers)}")
    shared.parrot.teach([reply])
    turns = [Turn(role="assistant", text=ASSISTANT, id="t0"), Turn(role="user", text=SAID, id="t1")]
    receipt = shared.observer.observe(shared.owner, turns, session_id="s1").receipt
    for record in shared.records():
        assert record.evidence
        for evidence in record.evidence:
            assert (evidence.role, evidence.turn_id) == (Role.USER, "t1")
            assert SAID[evidence.start : evidence.end] == evidence.quote
        assert record.key not in ("job.expected_salary", "job.current_status", "job.target_cities", "job.x")
        assert "喜欢加班" not in record.text or record.key == "user.dislikes"
    assert all(item.candidate or item.reason is Reason.LLM_FAILED for item in receipt.decisions)
    assert receipt.model_calls == 1
    assert {item.outcome for item in receipt.decisions} <= set(Outcome)
