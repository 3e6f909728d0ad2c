from indexing.verify import Sampling
from tests.unit.indexing.heads import memory_id

IDS = [memory_id(number) for number in range(10_000)]


def test_about_one_of_so_many() -> None:
    """The share is what was asked for; 1 takes all, 0 none."""
    assert 800 <= sum(Sampling(every=10).takes(each) for each in IDS) <= 1200
    assert all(Sampling(every=1).takes(each) for each in IDS)
    assert not any(Sampling(every=0).takes(each) for each in IDS)


def test_another_salt_takes_others() -> None:
    """A nightly verify sees every memory in the end; the same salt sees the same ones again."""
    first, again, other = ({each for each in IDS if Sampling(every=10, salt=salt).takes(each)} for salt in (1, 1, 2))
    assert first == again
    assert len(first & other) < len(first) / 2
