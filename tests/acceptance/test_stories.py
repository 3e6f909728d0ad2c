"""Stories as users tell them: every kind in Chinese and English, each to a fresh store."""

from collections import defaultdict
from pathlib import Path

import pytest

from eval.scenarios.run import Options, run_stories
from eval.scenarios.story import Story, read_stories

STORIES = read_stories(Path(__file__).parent / "data")


def _by_kind() -> dict[str, list[Story]]:
    groups: defaultdict[str, list[Story]] = defaultdict(list)
    for story in STORIES:
        groups[story.kind].append(story)
    return dict(groups)


KINDS = _by_kind()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_stories_of_a_kind_hold(kind: str) -> None:
    """What the story asks for is remembered, and what it forbids is not."""
    results = run_stories(KINDS[kind], Options(embedder="hash"))
    assert {result.story_id: result.failures for result in results if result.failures} == {}


def test_every_kind_is_told_in_both_languages() -> None:
    """No kind rests on one language, and no two stories share an id."""
    assert {kind for kind, stories in KINDS.items() if {story.lang for story in stories} != {"zh", "en"}} == set()
    assert len({story.id for story in STORIES}) == len(STORIES)
