import pytest

from ltm.models import Kind, Owner, fingerprint
from ltm.ports import Origin, SeenTurn, Store
from tests.contract.store.said import day, quote, text

HOSTILE = [
    "a",
    "A",
    "a ",
    " a",
    "a\t",
    "a\n",
    "á",
    "a\u0301",
    "\u00e9",
    "e\u0301",
    "ａ",
    "ß",
    "ss",
    "ẞ",
    "İ",
    "i",
    "ı",
    "*",
    "%",
    "_",
    "a%",
    "a_",
    "?",
    "'",
    '"',
    "`",
    "\\",
    "\\'",
    "--",
    ";",
    "' OR '1'='1",
    "'; DROP TABLE users; --",
    "%s",
    "%(a)s",
    ":a",
    "{}",
    "${a}",
    "a/b",
    "../a",
    "0",
    "00",
    "1e0",
    "null",
    "None",
    "true",
    "😀",
    "😁",
    "👩‍👩‍👧",
    "🇩🇪",
    "用户",
    "用戶",
    "\u200b",
    "\u202ea",
    "\ufeff",
    "\x01",
    "\x7f",
    "x" * 255,
    "x" * 254,
    "é" * 127,
    "😀" * 63,
]


def test_every_id_is_a_user_of_its_own(store: Store) -> None:
    """Case, accents, normal form, spaces, wildcards, SQL, emoji, 255 bytes: nobody sees another one's memories."""
    for user_id in HOSTILE:
        with store.unit(Owner(namespace="test", user_id=user_id)) as unit:
            unit.append(text(f"of {user_id!r}", key="k", kind=Kind.FACT))
    for user_id in HOSTILE:
        owner = Owner(namespace="test", user_id=user_id)
        (record,) = store.read.list_records(owner)
        assert (record.text, record.user_id) == (f"of {user_id!r}", user_id)
        assert store.read.find_memory_id(owner, "k") == record.memory_id
        assert [item.memory_id for item in store.read.as_of(owner, day(2))] == [record.memory_id]
    assert store.read.list_users("test") == sorted(HOSTILE, key=str.encode)


def test_every_id_is_a_key_a_session_and_a_turn_of_its_own(store: Store, ann: Owner) -> None:
    """The same holds for keys, external ids, sessions and turns."""
    with store.unit(ann) as unit:
        for name in HOSTILE:
            unit.append(text(f"of {name!r}", key=name, external_id=name, evidence=(quote(name, name),)))
        unit.add_turns([SeenTurn(session_id=name, turn_id=name, content_hash=name[:9]) for name in HOSTILE])
    with store.unit(ann) as unit:
        unit.prefetch(keys=HOSTILE, external_ids=HOSTILE)
        for name in HOSTILE:
            head = unit.find_by_key(name)
            record = unit.find_by_external_id(name)
            assert head is not None
            assert record is not None
            assert head.text == record.text == f"of {name!r}"
            assert unit.find_turns(name, HOSTILE).keys() == {name}
            assert unit.taught_by(Origin(session_id=name)) == {head.memory_id: (1,)}


def test_an_id_of_somebody_elses_memory_is_unknown(store: Store, ann: Owner, bob: Owner) -> None:
    """Reading by id needs the owner, in every reader."""
    with store.unit(ann) as unit:
        memory_id = unit.append(text("mine", external_id="x")).memory_id
    assert store.read.heads(bob, [memory_id]) == {}
    assert store.read.records(bob, [memory_id]) == {}
    assert store.read.history(bob, memory_id) == []
    with store.unit(bob) as unit:
        assert unit.find(memory_id) is None
        assert unit.find_by_external_id("x") is None
        assert unit.find_by_fingerprint(Kind.FACT, fingerprint(None, "mine")) is None


@pytest.mark.parametrize(("namespace", "user_id"), [("a/b", "c"), ("a", "b/c"), ("", "a/b/c")])
def test_namespaces_do_not_run_into_users(store: Store, namespace: str, user_id: str) -> None:
    """Namespace and user are two things, whatever characters they hold."""
    for other in (Owner(namespace="a/b", user_id="c"), Owner(namespace="a", user_id="b/c")):
        with store.unit(other) as unit:
            unit.append(text(repr(other)))
    owner = Owner(namespace=namespace, user_id=user_id)
    assert [head.text for head in store.read.list_heads(owner)] == ([repr(owner)] if namespace else [])
