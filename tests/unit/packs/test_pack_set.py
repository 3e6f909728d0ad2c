"""Trusted values and sentences of the built-in packs."""

import pytest

from ltm.errors import InvalidRequestError, PackError
from ltm.models import Json, Kind, Lang
from ltm.packs import PackSet


@pytest.mark.parametrize(
    ("key", "value", "canonical"),
    [
        ("job.expected_salary", "15-20k", {"min": 15000, "max": 20000, "currency": "CNY", "period": "month"}),
        ("job.target_cities", "杭州、魔都", ["杭州", "上海"]),
        ("job.target_cities", ["Berlin", "berlin", "NYC"], ["Berlin", "New York"]),
        ("job.target_cities", ["Kleinkleckersdorf"], ["Kleinkleckersdorf"]),
        ("job.target_roles", ["Java后端", "Data Engineers"], ["Java 后端", "data engineer"]),
        ("job.excluded", ["外包公司", "Night Shift", "北京"], ["外包", "night shifts", "北京"]),
        ("job.years_of_experience", "三年", 3),
        ("job.education", "本科", "bachelor"),
        ("job.education", "bachelor", "bachelor"),
        ("job.current_status", "hired", "hired"),
        ("venue.sport", "打羽毛球", ["羽毛球"]),
        ("venue.preferred_time", ["星期六晚上"], ["周六晚上"]),
        ("user.name", " 李明 ", "李明"),
        ("undeclared.key", {"any": ["thing"]}, {"any": ["thing"]}),
    ],
)
def test_usual_spellings_become_canonical(packs: PackSet, key: str, value: Json, canonical: Json) -> None:
    """And what is canonical already stays as it is."""
    assert packs.normalise(key, value) == canonical
    assert packs.normalise(key, canonical) == canonical


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("job.expected_salary", "soon", "15-20k"),
        ("job.expected_salary", {"min": 2, "max": 1}, "period one of"),
        ("job.target_cities", [], "one or more of the name of a city"),
        ("job.target_cities", [3], "the name of a city"),
        ("job.education", "kindergarten", "associate, bachelor, master, doctor"),
        ("job.years_of_experience", "long", "number of years"),
        ("job.current_status", "已放弃", "searching, applied"),
        ("user.name", None, "a text"),
        ("user.name", ["a", "b"], "a text"),
        ("user.likes", "x" * 201, "a text"),
    ],
)
def test_what_a_slot_cannot_hold_says_what_is_expected(packs: PackSet, key: str, value: Json, expected: str) -> None:
    """The message names the key and the form."""
    with pytest.raises(InvalidRequestError, match=key) as caught:
        packs.normalise(key, value)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "zh", "en"),
    [
        ("job.expected_salary", "15-20k", "期望薪资：15-20k/月", "Expected salary: 15-20k CNY/month"),
        ("job.expected_salary", "at least 65k EUR a year", "期望薪资：65k EUR+/年", "Expected salary: 65k EUR+/year"),
        ("job.target_cities", ["杭州", "上海"], "意向城市：杭州、上海", "Target cities: 杭州, 上海"),
        ("job.education", "master", "学历：硕士", "Education: master's degree"),
        ("job.years_of_experience", 2.5, "工作经验：2.5年", "Years of work experience: 2.5"),
        ("job.current_status", "hired", "求职状态：已入职", "Job search status: hired"),
        ("other.key", "x", "other.key：x", "other.key: x"),
    ],
)
def test_a_value_has_a_sentence_in_both_languages(packs: PackSet, key: str, value: Json, zh: str, en: str) -> None:
    """It is what is embedded and injected."""
    canonical = packs.normalise(key, value)
    assert (packs.sentence(key, canonical, Lang.ZH), packs.sentence(key, canonical, Lang.EN)) == (zh, en)


def test_a_dollar_sign_in_a_value_is_no_variable(packs: PackSet) -> None:
    """A user's words are never a template."""
    assert packs.sentence("user.likes", ["$value $x"], Lang.EN) == "Likes: $value $x"


def test_the_table_of_slots_is_complete(packs: PackSet) -> None:
    """Keys, kinds, and which of them are sets."""
    sets = {key for key, slot in packs.slots.items() if slot.is_set}
    assert sets == {
        *("job.target_cities", "job.excluded", "job.target_roles", "user.likes", "user.dislikes"),
        *("venue.sport", "venue.preferred_time", "venue.preferred_venue"),
    }
    assert set(packs.slots) - sets == {
        *("job.expected_salary", "job.years_of_experience", "job.education", "job.current_status"),
        *("user.name", "user.language", "user.location"),
    }
    assert packs.slots["job.current_status"].kind is Kind.STATE
    assert packs.slots["job.excluded"].kind is Kind.EXCLUSION


def test_half_lives_come_from_the_slot_the_pack_or_core(packs: PackSet) -> None:
    """In this order."""
    assert packs.half_life_days(Kind.FACT, "job.education") == 3650
    assert packs.half_life_days(Kind.FACT, pack="job_search@1.0.0") == 180
    assert packs.half_life_days(Kind.FACT) == 365
    assert packs.half_life_days(Kind.FACT, "undeclared.key", pack="gone@9") == 365


def test_only_what_says_so_expires(packs: PackSet) -> None:
    """Key-less episodes do after core's time; slots and other kinds stay."""
    assert packs.ttl_days(Kind.EPISODE) == packs.ttl_days(Kind.EPISODE, pack="venue_booking") == 365
    assert packs.ttl_days(Kind.FACT) is None
    assert packs.ttl_days(Kind.FACT, "job.education") is None


def test_a_pack_is_named_with_its_version(packs: PackSet) -> None:
    """An undeclared key belongs to none."""
    assert packs.pack_of("job.education") == "job_search@1.0.0"
    assert packs.pack_of("nothing.here") is None
    assert packs.pack_of(None) is None
    assert packs.find_slot("nothing.here") is None
    machine = packs.machine_of("job.current_status")
    assert machine is not None
    assert machine.name == "job_search"
    assert packs.machine_of(None) is None


def test_a_lexicon_or_prompt_that_no_pack_has_is_an_error(packs: PackSet) -> None:
    """A misspelt name is noticed."""
    with pytest.raises(PackError, match="lexicon 'hegde'"):
        packs.lexicon("hegde")
    with pytest.raises(PackError, match="prompt 'extrakt'"):
        packs.prompt("extrakt")
