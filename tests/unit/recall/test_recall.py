"""The whole path over stand-ins: what is recalled, what is not, and what happens when a part is down."""

from datetime import UTC, datetime

import pytest

from ltm.errors import FingerprintMismatchError, StoreUnavailableError
from ltm.models import Kind, Owner, Recall, Status, Turn
from ltm.recall import find_profile
from ltm.recall.tokens import count_tokens
from tests.unit.recall.fakes import OWNER, SmallEmbedder, World, head, record, request

CITY = head("m1", "意向城市：杭州", key="job.target_cities")
SALARY = head("m2", "期望薪资：15-20k/月", key="job.expected_salary")
SPORT = head("m3", "常打的运动：羽毛球", key="venue.sport", kind=Kind.PREFERENCE)


def _ids(recall: Recall) -> list[str]:
    return [item.memory.memory_id for item in recall.items]


def test_an_intent_recalls_what_bears_on_it_and_nothing_of_another_domain() -> None:
    """A request for jobs brings the job slots, not the sport."""
    recall = World().put(CITY, SALARY, SPORT).recaller().recall(request("帮我推荐几个岗位"))
    assert set(_ids(recall)) == {"m1", "m2"}
    assert "（用户于10月提及）" in recall.text
    assert recall.tokens == count_tokens(recall.text)
    assert recall.suppressed.relevance == 1
    assert recall.degraded == ()


def test_a_store_of_one_memory_answers() -> None:
    """z-scores of a single hit are zero, and still it is found."""
    recall = World().put(CITY).recaller().recall(request("帮我看看杭州的岗位，按意向城市来"))
    assert _ids(recall) == ["m1"]
    assert recall.items[0].relevance == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(
    "intent", ["你好", "好的谢谢", "hello there", "👍👍", "今天天气不错", "帮我写一首诗", "1+1等于几"]
)
def test_what_needs_no_memory_recalls_nothing(intent: str) -> None:
    """Small talk and general requests give an empty text of 0 tokens."""
    recall = World().put(CITY, SALARY, SPORT).recaller().recall(request(intent))
    assert (recall.items, recall.text, recall.tokens) == ((), "", 0)


def test_without_a_floor_even_a_greeting_ranks_everything() -> None:
    """`min_relevance=0` turns floor and small-talk gate off."""
    recall = World().put(CITY, SALARY, SPORT).recaller().recall(request("你好", min_relevance=0.0))
    assert len(recall.items) == 3


def test_a_given_floor_bounds_relevance() -> None:
    """Every item reaches the caller's number, whatever the profile's floor thinks."""
    recall = World().put(CITY, SALARY, SPORT).recaller().recall(request("羽毛球", min_relevance=0.6))
    assert _ids(recall) == ["m3"]
    assert all(item.relevance >= 0.6 for item in recall.items)


def test_an_unknown_user_has_nothing_and_costs_nothing() -> None:
    """Neither embedder nor index is asked."""
    world = World().put(CITY)
    recall = world.recaller().recall(request("意向城市", owner=Owner(namespace="test", user_id="u2")))
    assert recall == Recall()
    assert (world.index.searches, world.embedder.calls if world.embedder else 0) == (0, 0)


@pytest.mark.parametrize(
    "now_stored",
    [
        CITY._replace(last_version=2, version=2, text="意向城市：上海"),
        CITY._replace(status=Status.RETRACTED),
        CITY._replace(status=Status.EXPIRED),
        CITY._replace(last_version=2),
        None,
    ],
)
def test_a_lagging_index_never_brings_back_what_is_no_longer_the_head(now_stored: object) -> None:
    """Hits of another version or status than the head are dropped and counted, also those without a head."""
    world = World().put(CITY)
    if now_stored is None:
        world.reader.all.clear()
    else:
        world.reader.all["m1"] = now_stored  # type: ignore[assignment]
    recall = world.recaller().recall(request("我的意向城市是哪个", min_relevance=0.0))
    assert (recall.items, recall.text, recall.suppressed.status) == ((), "", 1)


def test_kinds_filter() -> None:
    """Only the wanted kinds come back."""
    recall = (
        World()
        .put(CITY, SALARY, SPORT)
        .recaller()
        .recall(request("羽毛球", kinds=(Kind.PREFERENCE,), min_relevance=0.0))
    )
    assert _ids(recall) == ["m3"]


def test_a_second_recall_is_answered_from_the_cache_until_something_changes() -> None:
    """The pool is cached under the revision: the same question costs no search, a write makes the next one search."""
    world = World().put(CITY, SALARY)
    first = world.recaller().recall(request("我的意向城市是哪个"))
    assert world.recaller().recall(request("我的意向城市是哪个")) == first
    assert world.index.searches == 1
    world.put(head("m9", "意向城市 另有苏州"))
    assert "m9" in _ids(world.recaller().recall(request("我的意向城市是哪个")))
    assert world.index.searches == 2


def test_nothing_is_cached_while_the_index_is_behind() -> None:
    """A pool read between a commit and its apply must not be served after the apply."""
    world = World().put(CITY)
    world.reader.is_settled = False
    world.recaller().recall(request("我的意向城市是哪个"))
    world.recaller().recall(request("我的意向城市是哪个"))
    assert world.index.searches == 2


def test_cache_keys_hold_no_words() -> None:
    """Neither ids nor texts of a user are readable in the cache's keys."""
    world = World().put(CITY)
    world.recaller().recall(request("我的意向城市是哪个"))
    assert len(world.cache.entries) == 3
    assert all(key.isascii() and OWNER.user_id not in key.split(":") for key in world.cache.entries)


def test_a_dead_cache_is_flagged_and_asked_once() -> None:
    """The answer is the same as with a cache, and the wait is one, not one for each key."""
    world = World().put(CITY, SALARY)
    expected = world.recaller().recall(request("我的意向城市是哪个"))
    world.cache = type(world.cache)(is_down=True)
    recall = world.recaller().recall(request("我的意向城市是哪个"))
    assert recall.degraded == ("cache",)
    assert recall.items == expected.items
    assert world.cache.calls == 1


@pytest.mark.parametrize("is_missing", [True, False])
def test_without_an_embedder_the_lexical_channel_answers(is_missing: bool) -> None:
    """A model that is down, and one that cannot be had here, degrade to lexical and say so; nothing is cached."""
    world = World().put(CITY, SALARY)
    if is_missing:
        world.embedder = None
    else:
        assert world.embedder is not None
        world.embedder.is_down = True
    recall = world.recaller().recall(request("我的意向城市是哪个"))
    assert _ids(recall)[0] == "m1"
    assert recall.degraded == ("embedder",)
    assert not any(":pool:" in key for key in world.cache.entries)


def test_an_embedder_of_another_dimension_is_refused() -> None:
    """Its vectors cannot be compared with those of the index; nothing is answered and nothing cached."""
    world = World().put(CITY)
    world.index.embedder = SmallEmbedder()
    with pytest.raises(FingerprintMismatchError):
        world.recaller().recall(request("我的意向城市是哪个"))
    assert world.cache.entries == {}


def test_without_an_index_sql_answers() -> None:
    """The heads are searched lexically, and the answer says so."""
    world = World().put(CITY, SALARY, SPORT)
    world.index.is_down = True
    recall = world.recaller().recall(request("我的意向城市是哪个"))
    assert _ids(recall)[0] == "m1"
    assert recall.degraded == ("index",)


def test_before_the_first_generation_sql_answers() -> None:
    """A store whose index was never made still recalls."""
    world = World().put(CITY)
    world.reader.live = None
    recall = world.recaller().recall(request("我的意向城市是哪个"))
    assert (_ids(recall), recall.degraded) == (["m1"], ("index",))


def test_without_the_store_there_is_no_answer() -> None:
    """SQL is the truth: no stale answer from anywhere else."""
    world = World().put(CITY)
    world.reader.is_down = True
    with pytest.raises(StoreUnavailableError):
        world.recaller().recall(request("我的意向城市是哪个"))


def test_as_of_recalls_what_was_true_then() -> None:
    """Lexical over the past, each item as it was, not flagged as degraded."""
    world = World()
    early, late = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC)
    world.reader.past = [record(SALARY._replace(valid_from=early, text="期望薪资：15k/月"))]
    recall = world.recaller().recall(request("我的期望薪资", as_of=late))
    assert [item.memory.text for item in recall.items] == ["期望薪资：15k/月"]
    assert "（用户于3月提及）" in recall.text
    assert recall.degraded == ()
    assert world.recaller().recall(request("我的期望薪资", as_of=datetime(2026, 1, 1, tzinfo=UTC))) == Recall()


def test_a_memory_that_changes_during_the_recall_is_left_out() -> None:
    """Between the heads check and the records a user may take back what he said."""
    world = World().put(CITY, SALARY)
    world.reader.retold = {"m1": "意向城市：北京"}
    recall = world.recaller().recall(request("帮我推荐几个岗位"))
    assert _ids(recall) == ["m2"]
    assert "城市" not in recall.text
    assert recall.suppressed.status == 1
    assert recall.tokens == count_tokens(recall.text)


def test_named_days_lift_what_was_said_then() -> None:
    """Of two equal texts the one said on the named day is ranked first, and the other is still there."""
    world = World().put(
        head("m1", "用户询问凌晨能不能订场", kind=Kind.EPISODE, valid_from=datetime(2026, 11, 11, 5, tzinfo=UTC)),
        head("m2", "用户询问凌晨能不能订场", kind=Kind.EPISODE, valid_from=datetime(2026, 11, 2, 5, tzinfo=UTC)),
    )
    recall = world.recaller().recall(request("我上周三问过什么订场的事", explain=True))
    assert _ids(recall) == ["m1", "m2"]
    assert [item.terms.day_boost for item in recall.items if item.terms] == [4.0, 0.0]


def test_a_question_about_a_speaker_is_not_one_that_anybody_asks() -> None:
    """`When did` begins many questions of history; of a person whom the dialogue knows it asks for the dialogue."""
    world = World().put(
        head("m1", "Caroline: I gave a speech at a school"), head("m2", "Caroline: nice"), head("m3", "Mel: I gave up")
    )

    def signal(intent: str) -> float:
        recall = world.recaller().recall(request(intent, min_relevance=0, explain=True))
        return next(item.terms.signal for item in recall.items if item.terms and item.memory.memory_id == "m1")

    assert signal("When did Caroline give a speech?") > signal("When did Lincoln give a speech?") + 0.3


def test_topics_lift_what_is_about_them() -> None:
    """Of memories alike, what is about the topic of the request comes before what is about another one only."""
    world = World().put(head("m1", "喜欢去健身房游泳"), head("m2", "公司最好能双休"), head("m3", "今天起得早"))
    recall = world.recaller().recall(request("最近有什么工作适合我投", min_relevance=0, explain=True))
    boosts = {item.memory.memory_id: item.terms.topic_boost for item in recall.items if item.terms}
    assert boosts["m2"] == 0.5
    assert boosts["m1"] == -0.25
    assert boosts["m3"] == 0.0
    assert _ids(recall)[0] == "m2"


@pytest.mark.parametrize(("intent", "lift"), [("帮我推荐几个合适的岗位", 0.75), ("上次那个岗位是怎么回事", 0.0)])
def test_who_asks_for_a_choice_needs_preferences(intent: str, lift: float) -> None:
    """A request to choose within a topic lifts preferences and lowers events; a question about one does neither."""
    world = World().put(
        head("m1", "公司最好能双休", kind=Kind.PREFERENCE),
        head("m2", "参加了一家公司的面试", kind=Kind.EPISODE),
        head("m3", "三年工作经验"),
    )
    recall = world.recaller().recall(request(intent, min_relevance=0, explain=True))
    boosts = {item.memory.memory_id: item.terms.kind_boost for item in recall.items if item.terms}
    assert boosts == {"m1": lift, "m2": -lift, "m3": 0.0}


def test_history_finds_what_the_intent_alone_does_not_name() -> None:
    """Asked after Hangzhou, then "and there?": the dialogue says where."""
    world = World().put(CITY, SPORT)
    history = (Turn(role="user", text="杭州的意向城市岗位有哪些"), Turn(role="tool", text="羽毛球"))
    recall = world.recaller().recall(request("那边怎么样呢", history=history))
    assert _ids(recall) == ["m1"]


def test_explain_gives_the_terms_and_their_product() -> None:
    """The score is relevance times the two factors; without `explain` there are no terms."""
    world = World().put(CITY, SALARY, SPORT)
    for item in world.recaller().recall(request("帮我推荐几个岗位", explain=True)).items:
        assert item.terms is not None
        factors = item.terms.recency_factor * item.terms.confidence_factor
        assert item.score == pytest.approx(item.relevance * factors)
    assert all(item.terms is None for item in world.recaller().recall(request("帮我推荐几个岗位")).items)


@pytest.mark.parametrize("profile", ["default", "rrf", "dense", "bm25"])
def test_every_profile_ranks_the_obvious_first(profile: str) -> None:
    """Each of the named profiles finds the memory that shares its words with the intent."""
    world = World(profile=find_profile(profile)).put(CITY, SALARY, SPORT)
    recall = world.recaller().recall(request("期望薪资", min_relevance=0.0))
    assert _ids(recall)[0] == "m2"


def test_recall_is_deterministic_and_ties_go_by_id() -> None:
    """Equal input gives an equal answer; equal scores are ordered by memory id."""
    twins = [head(f"m{at}", f"喜欢数字{at}", kind=Kind.EPISODE) for at in (3, 1, 2)]
    world = World(profile=find_profile("bm25")).put(*twins)
    first = world.recaller().recall(request("喜欢数字", min_relevance=0.0))
    assert _ids(first) == ["m1", "m2", "m3"]
    world.cache.entries.clear()
    assert world.recaller().recall(request("喜欢数字", min_relevance=0.0)) == first


def _talks() -> World:
    """Three conversations, two of them on one day, and the last a moment ago; each memory has as many words alike."""
    said_at = [(2, 5, 0), (2, 5, 50), (2, 9, 0), (18, 3, 40)]
    words = ["双打 doubles", "单打 singles", "球拍 rackets", "球鞋 shoes"]
    return World().put(
        *(
            head(
                f"m{at}",
                f"羽毛球 badminton {word}",
                kind=Kind.EPISODE,
                valid_from=datetime(2026, 11, day, hour, minute, tzinfo=UTC),
            )
            for at, (word, (day, hour, minute)) in enumerate(zip(words, said_at, strict=True))
        )
    )


@pytest.mark.parametrize(
    ("intent", "lifted"),
    [
        ("In our first session, what did I say about badminton?", {"m0", "m1"}),
        ("badminton in session 2", {"m2"}),
        ("badminton, the last time we talked", {"m2"}),
        ("第三次聊天我说了羽毛球什么", {"m3"}),
        ("上次聊天我说的羽毛球", {"m2"}),
        ("badminton in session 30", set()),
        ("上上上次聊天的羽毛球", set()),
        ("What did I like in session 1, and where did I play badminton on 2026-11-18?", {"m0", "m1", "m3"}),
        ("On 2026-11-18, did I like badminton? And what did I play two weeks ago?", {"m0", "m1", "m2", "m3"}),
    ],
)
def test_a_named_conversation_lifts_what_was_said_in_it(intent: str, lifted: set[str]) -> None:
    """As an exact day does, in either language, also where a part of the intent names it; one that is not, none."""
    recall = _talks().recaller().recall(request(intent, min_relevance=0, explain=True))
    boosts = {item.memory.memory_id: item.terms.day_boost for item in recall.items if item.terms}
    assert {memory_id for memory_id, boost in boosts.items() if boost > 0.0} == lifted
    assert set(boosts) == {"m0", "m1", "m2", "m3"}
    assert set(_ids(recall)[: len(lifted)]) == lifted


def test_a_conversation_is_found_without_the_index_and_as_of_a_time() -> None:
    """Both read the same statements; as of a time only those until then, and the one of that moment still goes on."""
    world = _talks()
    world.index.is_down = True
    assert _ids(world.recaller().recall(request("badminton in session 2")))[0] == "m2"
    world.reader.past = [record(given) for given in world.reader.all.values()]
    then = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
    for intent in ("badminton, the last time we talked", "第一次聊天说的羽毛球"):
        recall = world.recaller().recall(request(intent, as_of=then))
        assert set(_ids(recall)[:2]) == {"m0", "m1"}
        assert recall.degraded == ()


def test_statements_are_read_only_where_a_conversation_is_named() -> None:
    """An ordinary intent, one that names days, and a profile without boosts do not pay for it."""
    world = _talks()
    world.recaller().recall(request("what did I say yesterday about chatting and badminton"))
    world.profile = find_profile("dense")
    world.recaller().recall(request("badminton in session 2"))
    assert world.reader.timelines == 0
    world.profile = find_profile("default")
    world.recaller().recall(request("What in session 2, and what about badminton in session 3?"))
    assert world.reader.timelines == 1


def test_a_cached_pool_is_of_the_conversation_that_was_meant_then() -> None:
    """The last time is another one an hour later, although nothing was said since."""
    world = _talks()
    for now in (datetime(2026, 11, 18, 4, tzinfo=UTC), datetime(2026, 11, 18, 5, tzinfo=UTC)):
        for _ in range(2):
            world.recaller().recall(request("badminton, the last time we talked", now=now))
    assert world.index.searches == 2
