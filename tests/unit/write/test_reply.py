"""What can be read from a model's reply, whatever it looks like."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltm.models import Kind, SpeechAct
from ltm.write.reply import MAX_TEXT_CHARS, RawCandidate, parse_reply

ONE = (
    '{"turn_id": "t1", "quote": "q", "key": null, "text": "x", "value": null, "kind": "preference", "confidence": 0.9}'
)


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"candidates": [{ONE}]}}',
        f'```json\n{{"candidates": [{ONE}]}}\n```',
        f'Sure! Here it is: {{"candidates": [{ONE}]}} Hope it helps.',
        f'{{"candidates": [{ONE}, {{"turn_id": "t2", "quo',
        f'{{"candidates": [{ONE},',
        f"[{ONE}]",
        ONE,
        f'{{"result": {{"candidates": [{ONE}]}}}}',
        f'{{"candidates": {ONE}}}',
        json.dumps(f'{{"candidates": [{ONE}]}}'),
        f'<think>{{"candidates": ["no"]}} hmm</think>\n{{"candidates": [{ONE}]}}',
        f'{{}} then {{"candidates": [{ONE}]}}',
    ],
)
def test_the_one_candidate_is_found(reply: str) -> None:
    """Fences, prose, thoughts, a cut end, a bare list and JSON within JSON do not hide it."""
    candidates = parse_reply(reply)
    assert candidates is not None
    assert [(item.turn_id, item.quote, item.kind) for item in candidates] == [("t1", "q", Kind.PREFERENCE)]


@pytest.mark.parametrize("reply", ['{"candidates": []}', "[]", '{"candidates": null}', '```\n{"candidates":[]}\n```'])
def test_an_answer_may_hold_no_candidate(reply: str) -> None:
    """Nothing to remember is an answer."""
    assert parse_reply(reply) == []


@pytest.mark.parametrize(
    "reply",
    ["", "not json at all", "null", "{}", "[1, 2]", "[", "true", '{"foo": 1}', "{" * 5000, "[" * 100_000, "\x00"],
)
def test_what_holds_no_answer_is_none(reply: str) -> None:
    """Nothing that could be an answer is a failure, never an exception."""
    assert parse_reply(reply) is None


def test_fields_of_wrong_types_become_harmless() -> None:
    """A wrong field never makes a candidate surer than it is."""
    reply = json.dumps(
        {
            "candidates": [
                {
                    "turn_id": 7,
                    "quote": {"a": 1},
                    "key": ["k"],
                    "text": None,
                    "value": {"a": ["b", {"c": 1e300, "d": 10**400}]},
                    "kind": "opinion",
                    "speech_act": 3,
                    "confidence": "very",
                    "extra": 1,
                }
            ]
        }
    )
    assert parse_reply(reply) == [RawCandidate(turn_id="7", quote=None, value={"a": ["b", {"c": None, "d": None}]})]


@pytest.mark.parametrize(
    ("confidence", "read"),
    [("0.7", 0.7), (1, 1.0), (True, 0.0), (1.2, 0.0), (-1, 0.0), ("NaN", 0.0), (None, 0.0), ([], 0.0), ("1e999", 0.0)],
)
def test_confidence_is_a_fraction_or_none_at_all(confidence: object, read: float) -> None:
    """What is no fraction counts as no confidence."""
    candidates = parse_reply(json.dumps({"candidates": [{"quote": "q", "confidence": confidence}]}))
    assert candidates is not None
    assert candidates[0].confidence == read


def test_texts_are_cut_and_cleaned() -> None:
    """No store takes NUL or half a surrogate pair, and none needs a novel."""
    candidates = parse_reply('{"candidates": [{"quote": "a\\u0000\\ud800b", "text": "' + "x" * 5000 + '"}]}')
    assert candidates is not None
    assert candidates[0].quote == "ab"
    assert len(candidates[0].text or "") == MAX_TEXT_CHARS


def test_keys_that_say_none_are_none() -> None:
    """Models write "null" for null."""
    candidates = parse_reply('{"candidates": [{"key": "null"}, {"key": " "}, {"key": "job.x"}]}')
    assert candidates is not None
    assert [item.key for item in candidates] == [None, None, "job.x"]


def test_items_that_are_no_objects_are_kept_as_empty_candidates() -> None:
    """They end as `quote_not_found`, not in silence."""
    assert parse_reply('{"candidates": ["a", 3, null]}') == [RawCandidate(), RawCandidate(), RawCandidate()]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
@settings(max_examples=300)
def test_any_json_is_read_without_an_exception(value: object) -> None:
    """Whatever a model sends as JSON, speech acts and kinds come out as members of the vocabulary."""
    for item in parse_reply(json.dumps({"candidates": value})) or []:
        assert item.kind in Kind
        assert item.speech_act in SpeechAct


@given(st.text(max_size=400))
@settings(max_examples=300)
def test_any_text_is_read_without_an_exception(text: str) -> None:
    """Prose is a failure or, at most, salvaged."""
    for item in parse_reply(text) or []:
        assert item.kind in Kind
