from hypothesis import given
from hypothesis import strategies as st

from ltm.models import Op
from ltm.packs import load_packs
from ltm.store.chain import find_head
from ltm.store.slots import Slots
from ltm.store.unit.tracked import TrackedMemory
from tests.unit.store.chains import content, day

SLOTS = Slots(load_packs(()))
SAID = st.tuples(st.integers(0, 5), st.sampled_from([Op.SET, Op.ADD, Op.REMOVE]), st.sampled_from("abc"))


@given(st.lists(SAID, min_size=1, max_size=8))
def test_the_head_is_known_without_looking_for_it(said: list[tuple[int, Op, str]]) -> None:
    """However late a statement comes, the head is the last in truth order, as it is after that statement."""
    tracked = TrackedMemory("m", None, SLOTS)
    for at, op, member in said:
        tracked.append(content([member], at, op), day(9))
        assert tracked.standing_head == find_head(tracked.chain)
