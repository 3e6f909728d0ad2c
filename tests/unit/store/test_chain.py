from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ltm.models import Json, Op, Status
from ltm.store.chain import HOLDING, Link, Placed, find_head, find_true_at, known, place, place_last
from tests.unit.store.chains import Story, content, day, hasty_stories, say, stories


def _values(story: Story) -> list[object]:
    return [item.value for item in story.placed]


def _statuses(story: Story) -> list[Status]:
    return [item.status for item in story.placed]


def _truth_order(placed: tuple[Placed, ...]) -> list[Placed]:
    standing = [item for item in placed if item.link.reverted_at is None]
    return sorted(standing, key=lambda item: (item.link.content.valid_from, item.link.version))


def test_an_update_closes_what_was_true_before() -> None:
    """The second of two values ends the first one's interval where its own begins."""
    story = Story()
    story.append(content(15, 1))
    story.append(content(20, 9))
    first, second = story.placed
    assert (first.status, first.valid_to) == (Status.SUPERSEDED, day(9))
    assert (second.status, second.valid_to) == (Status.ACTIVE, None)


def test_a_late_statement_takes_its_true_place() -> None:
    """An old statement that becomes known late gets the next number, its place in time, and does not move the head."""
    story = Story()
    story.append(content(20, 9))
    story.append(content(15, 1))
    assert story.head.link.version == 1
    assert [(item.status, item.valid_to) for item in story.placed] == [
        (Status.ACTIVE, None),
        (Status.SUPERSEDED, day(9)),
    ]


def test_ops_are_folded_in_the_order_of_truth() -> None:
    """Members are kept in the order in which they were added, whatever the order in which that became known."""
    story = Story()
    story.append(content(["c"], 3, Op.ADD))
    story.append(content(["a"], 1, Op.ADD))
    story.append(content(["b"], 2, Op.ADD))
    story.append(content(["a"], 4, Op.REMOVE))
    assert _values(story) == [["a", "b", "c"], ["a"], ["a", "b"], ["b", "c"]]


def test_a_set_restarts_the_fold() -> None:
    """A whole value replaces what was collected before it."""
    story = Story()
    story.append(content(["a"], 1, Op.ADD))
    story.append(content(["x"], 2, Op.SET))
    story.append(content(["y"], 3, Op.ADD))
    assert story.head.value == ["x", "y"]


def test_a_lone_set_keeps_its_own_sentence() -> None:
    """Only a folded value needs a sentence of the slot's."""
    story = Story()
    story.append(content(["a"], 1))
    assert story.head.text == "said ['a']"
    story.append(content(["b"], 2, Op.ADD))
    assert story.head.text == "all: ['a', 'b']"


def test_removing_the_last_member_retracts() -> None:
    """A set without members says nothing; a later member makes it speak again."""
    story = Story()
    story.append(content(["a"], 1))
    story.append(content(["a"], 2, Op.REMOVE))
    assert (story.head.status, story.head.value) == (Status.RETRACTED, [])
    story.append(content(["b"], 3, Op.ADD))
    assert (story.head.status, story.head.value) == (Status.ACTIVE, ["b"])
    assert _statuses(story) == [Status.SUPERSEDED, Status.RETRACTED, Status.ACTIVE]


def test_a_late_member_keeps_a_set_from_being_empty() -> None:
    """What was taken for the last member was not, once an older statement turns up."""
    story = Story()
    story.append(content(["a"], 2))
    story.append(content(["a"], 4, Op.REMOVE))
    story.append(content(["b"], 3, Op.ADD))
    assert (story.head.status, story.head.value) == (Status.ACTIVE, ["b"])


def test_expiry_keeps_the_value_and_restarts_the_fold() -> None:
    """An expired version shows what expired; what is added later starts from nothing."""
    story = Story()
    story.append(content(["a"], 1))
    story.end(Status.EXPIRED, 3)
    assert (story.head.status, story.head.value) == (Status.EXPIRED, ["a"])
    story.append(content(["b"], 4, Op.ADD))
    assert story.head.value == ["b"]


def test_an_end_never_comes_before_the_head() -> None:
    """Ending a memory with a time before its head began ends the head all the same."""
    story = Story()
    story.append(content(1, 5))
    story.end(Status.RETRACTED, 2)
    assert story.head.status is Status.RETRACTED
    assert find_true_at(story.placed, day(6)) is None


def test_rollback_takes_over_the_bad_versions_time() -> None:
    """The old value holds again from where the bad one began, and the bad one never held."""
    story = Story()
    story.append(content(15, 1))
    story.append(content(0, 5))
    story.rollback(1)
    assert _values(story) == [15, 0, 15]
    assert _statuses(story) == [Status.SUPERSEDED, Status.REVERTED, Status.ACTIVE]
    assert story.head.link.content.valid_from == day(5)
    bad = story.placed[1]
    assert bad.valid_to == bad.link.content.valid_from


def test_rollback_to_a_reverted_version_brings_it_back() -> None:
    """A rollback can itself be rolled back."""
    story = Story()
    story.append(content(15, 1))
    story.append(content(20, 5))
    story.rollback(1)
    story.rollback(2)
    assert (story.head.value, story.head.status) == (20, Status.ACTIVE)
    assert story.head.link.content.valid_from == day(5)


def test_rollback_to_an_end_ends_again() -> None:
    """What is carried includes the status."""
    story = Story()
    story.append(content(15, 1))
    story.end(Status.RETRACTED, 3)
    story.append(content(20, 5))
    story.rollback(2)
    assert (story.head.status, story.head.value) == (Status.RETRACTED, 15)


def test_rollback_of_late_statements_only_does_not_reach_back() -> None:
    """Undoing an import of old statements does not claim that the value held before it was said."""
    story = Story()
    story.append(content(15, 5))
    story.append(content(10, 1))
    story.rollback(1)
    assert find_true_at(story.placed, day(2)) is None
    assert story.head.value == 15


def test_revert_keeps_what_others_added_later() -> None:
    """Undoing one session's member leaves the member that another session added after it."""
    story = Story()
    story.append(content(["a"], 1), session="A")
    story.append(content(["b"], 2, Op.ADD), session="B")
    story.append(content(["c"], 3, Op.ADD), session="C")
    story.revert("B")
    assert (story.head.value, story.head.status) == (["a", "c"], Status.ACTIVE)


def test_revert_of_everything_leaves_a_reverted_head() -> None:
    """Where nothing remains the memory shows the undone value as reverted."""
    story = Story()
    story.append(content("x", 1), session="A")
    story.revert("A")
    assert (story.head.value, story.head.status) == ("x", Status.REVERTED)
    assert find_true_at(story.placed, day(2)) is None


def test_revert_of_a_denial_brings_the_value_back() -> None:
    """What a session retracted holds again when that session is undone."""
    story = Story()
    story.append(content("x", 1), session="A")
    story.append(content("x", 2, begins_as=Status.RETRACTED), session="B")
    story.revert("B")
    assert (story.head.value, story.head.status) == ("x", Status.ACTIVE)


def test_reverts_of_two_sessions_add_up() -> None:
    """What the first undoing left is the second session's; once that is undone too, nothing of it is left."""
    story = Story()
    story.append(content(15, 1), session="A")
    story.append(content(99, 5), session="B")
    story.revert("B")
    assert (story.head.value, story.head.status) == (15, Status.ACTIVE)
    story.revert("A")
    assert story.head.status is Status.REVERTED
    assert find_true_at(story.placed, day(6)) is None


def test_reverts_of_two_sessions_leave_the_third_ones_members() -> None:
    """A set keeps exactly the members of the sessions that stand, in whatever order the others are undone."""
    for order in ("BA", "AB", "CB", "AC"):
        story = Story()
        for at, session in enumerate("ABC", start=1):
            story.append(content([session], at, Op.ADD), session=session)
        for session in order:
            story.revert(session)
        assert story.head.value == [session for session in "ABC" if session not in order]


def test_a_late_statement_shows_through_an_undoing() -> None:
    """Where a polluted value was undone, an older statement that turns up later holds on."""
    story = Story()
    story.append(content(99, 5), session="B")
    story.revert("B")
    story.append(content(15, 1), session="A")
    assert (story.head.value, story.head.status) == (15, Status.ACTIVE)
    found = find_true_at(story.placed, day(6))
    assert found is not None
    assert (found.value, found.source.version) == (15, 3)


def test_a_rollback_goes_with_what_it_went_back_to() -> None:
    """Undoing the session whose value a rollback carries undoes the rollback as well."""
    story = Story()
    story.append(content(15, 1), session="A")
    story.append(content(99, 5), session="B")
    story.rollback(1)
    story.revert("A")
    assert story.head.status is Status.REVERTED
    assert _statuses(story) == [Status.REVERTED] * 4


def test_a_rollback_of_a_set_loses_the_members_of_an_undone_session() -> None:
    """A rollback shows its version as it is now, not as it was."""
    story = Story()
    story.append(content(["a"], 1, Op.ADD), session="A")
    story.append(content(["b"], 2, Op.ADD), session="B")
    story.append(content(["c"], 3, Op.ADD), session="C")
    story.rollback(2)
    story.revert("A")
    assert (story.head.value, story.head.status) == (["b"], Status.ACTIVE)


def test_a_rollback_to_an_undoing_does_not_keep_what_it_undoes() -> None:
    """A late statement shows through an undoing; whoever goes back behind that statement does not carry it."""
    story = Story()
    story.append(content(15, 5), session="A")
    story.revert("A")
    story.append(content(12, 1), session="B")
    assert story.placed[1].value == 12
    story.rollback(2)
    assert story.head.status is Status.REVERTED
    assert find_true_at(story.placed, day(6)) is None


def test_a_late_value_does_not_change_what_was_gone_back_to() -> None:
    """Whoever goes back to a value has said that it is the value."""
    story = Story()
    story.append(content(15, 1))
    story.append(content(99, 5))
    story.rollback(1)
    story.append(content(18, 3))
    assert story.head.value == 15


def test_known_at_shows_what_was_believed() -> None:
    """Before a rollback the bad value was believed; it still is, as far as that time is asked."""
    story = Story()
    story.append(content(15, 1))
    story.append(content(0, 5))
    before = story.now
    story.rollback(1)
    then = place(known(story.links, before), say)
    believed = find_true_at(then, day(6))
    assert believed is not None
    assert believed.value == 0
    clean = find_true_at(story.placed, day(6))
    assert clean is not None
    assert clean.value == 15


@given(stories | hasty_stories)
def test_intervals_neither_overlap_nor_leave_holes(story: Story) -> None:
    """In truth order every interval ends where the next begins, and the last one is open."""
    order = _truth_order(story.placed)
    assert order[-1].valid_to is None
    for now, after in pairwise(order):
        assert now.valid_to == after.link.content.valid_from
        assert now.link.content.valid_from <= after.link.content.valid_from


@given(stories | hasty_stories)
def test_a_head_is_what_holds_last(story: Story) -> None:
    """There is always a head, it is the last in truth order, and nothing else is active."""
    head = find_head(story.placed)
    assert head is not None
    assert head == _truth_order(story.placed)[-1]
    active = [item for item in story.placed if item.status is Status.ACTIVE]
    assert active in ([], [head])


@given(stories | hasty_stories)
def test_statuses_say_who_holds(story: Story) -> None:
    """A version that holds somewhere is active or superseded; a reverted one holds nowhere."""
    for item in story.placed:
        assert (item.status is Status.REVERTED) >= (item.link.reverted_at is not None)
        if item.link.reverted_at is not None:
            assert item.valid_to == item.link.content.valid_from
    for at in range(14):
        found = find_true_at(story.placed, day(at))
        holding = [
            item
            for item in story.placed
            if item.status in HOLDING
            and item.link.content.valid_from <= day(at)
            and (item.valid_to is None or day(at) < item.valid_to)
        ]
        assert [item.link.version for item in holding] == ([] if found is None else [found.link.version])


@given(stories, st.permutations(["s0", "s1", "s2", "s3", "s4"]))
def test_nothing_of_a_reverted_session_is_left(story: Story, order: list[str]) -> None:
    """When every session was undone, one after the other, nothing holds at any time."""
    for session in order:
        story.revert(session)
    assert all(find_true_at(story.placed, day(at)) is None for at in range(14))


@given(stories, st.integers(0, 4))
def test_reverting_a_session_keeps_what_others_add(story: Story, number: int) -> None:
    """After a revert no standing version is that session's, and members that others added behind it are still there."""
    session = f"s{number}"
    gone = story.standing_of(session)
    last = max((link.content.valid_from for link in story.links if link.version in gone), default=None)
    story.revert(session)
    assert not story.standing_of(session)
    if last is None:
        return
    expected: list[object] = []
    for item in _truth_order(story.placed):
        if item.link.content.valid_from > last and item.link.content.op is Op.ADD:
            expected += [member for member in _list(item.link.content.value) if member not in expected]
        elif item.link.content.valid_from > last:
            expected = []
    assert set(map(str, expected)) <= set(map(str, _list(story.head.value)))


@given(stories, st.sampled_from(["rollback", "revert"]), st.integers(0, 4))
def test_the_past_is_not_rewritten(story: Story, act: str, number: int) -> None:
    """What was known before an undoing is the same before and after it."""
    at = story.now
    before = place(known(story.links, at), say)
    if act == "rollback" and number < len(story.links):
        story.rollback(number + 1)
    else:
        story.revert(f"s{number}")
    after = place(known(story.links, at), say)
    for when in range(14):
        assert _shown(find_true_at(after, day(when))) == _shown(find_true_at(before, day(when)))


@given(stories)
@settings(max_examples=50)
def test_placing_one_more_is_placing_all(story: Story) -> None:
    """The short way that a unit of work takes gives what the whole way gives."""
    placed: tuple[Placed, ...] = ()
    links: list[Link] = []
    for link in story.links:
        links.append(link)
        placed = place_last(placed, find_head(placed), link, say) if link.reverted_at is None else place(links, say)
        assert placed == place(links, say)


def test_known_at_ignores_what_was_recorded_later() -> None:
    """A statement that became known later was not believed before, whatever time it speaks of."""
    story = Story()
    story.append(content(15, 5))
    before = story.now
    story.append(content(10, 1))
    assert find_true_at(place(known(story.links, before), say), day(2)) is None
    assert find_true_at(place(known(story.links, before + timedelta(minutes=1)), say), day(2)) is not None


@given(stories | hasty_stories)
def test_what_is_reverted_shows_what_was_believed(story: Story) -> None:
    """As the chain stood when it was recorded, whatever came later or was undone since."""
    for item in story.placed:
        if item.status is Status.REVERTED and item.link.reverted_at is not None:
            earlier = known(story.links, item.link.recorded_at)[: item.link.version - 1]
            then = place([*earlier, replace(item.link, reverted_at=None)], say)[-1]
            assert (item.value, item.text, item.source.version) == (then.value, then.text, then.source.version)


def test_a_long_chain_that_is_undone_is_replayed_once() -> None:
    """Undoing a thousand versions folds each of them a few times, and not each with all before it."""
    story = Story()
    for number in range(1000):
        story.append(content([f"m{number % 7}"], number, Op.ADD if number % 2 else Op.REMOVE))
    story.rollback(1)
    folds = 0

    def counted(value: Json, like: str) -> str:
        nonlocal folds
        folds += 1
        return say(value, like)

    place(story.links, counted)
    assert folds < 3000


def test_late_statements_are_not_a_replay_each() -> None:
    """Before a value that speaks alone, one more is folded once; nothing behind it is looked at again."""
    folds = 0

    def counted(value: Json, like: str) -> str:
        nonlocal folds
        folds += 1
        return say(value, like)

    story = Story()
    for number in range(0, 400, 2):
        story.append(content(["x"], 400 - number))
        story.append(content(["y"], 401 - number, Op.ADD))
    placed: tuple[Placed, ...] = ()
    for link in story.links:
        placed = place_last(placed, find_head(placed), link, counted)
    assert placed == place(story.links, say)
    assert folds < 1000


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def _shown(placed: Placed | None) -> tuple[object, ...] | None:
    return None if placed is None else (placed.link.version, placed.value, placed.text)
