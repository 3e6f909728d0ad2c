"""What is wanted is not excluded."""

from ltm.models import Op, Role, Turn
from ltm.packs import load_packs
from ltm.write.extract_rules import extract_rules
from ltm.write.opposites import without_opposites

PACKS = load_packs(["job_search"])


def test_a_wish_withdraws_the_exclusion_and_an_exclusion_the_wish() -> None:
    """In every slot that is opposite, marked as implied."""
    (wanted,) = extract_rules(Turn(role=Role.USER, text="北京也可以", id="t1"), PACKS)
    (excluded,) = extract_rules(Turn(role=Role.USER, text="不去北京", id="t2"), PACKS)
    implied = [*without_opposites(wanted, PACKS), *without_opposites(excluded, PACKS)]
    assert [candidate.key for candidate in implied] == ["job.excluded", "job.target_cities", "job.target_roles"]
    assert all(candidate.op is Op.REMOVE and candidate.implied and candidate.is_denial for candidate in implied)
    assert all(candidate.value == ["北京"] for candidate in implied)
    assert implied[0].text == "不再成立：求职不考虑：北京"


def test_a_withdrawal_and_a_single_value_imply_nothing() -> None:
    """Not excluding overtime does not mean wanting it."""
    for text in ("加班可以接受", "期望薪资15k"):
        (candidate,) = extract_rules(Turn(role=Role.USER, text=text, id="t1"), PACKS)
        assert without_opposites(candidate, PACKS) == []
