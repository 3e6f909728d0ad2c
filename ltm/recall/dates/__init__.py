"""Named times in an intent, Chinese and English: `10月8号`, `last Tuesday`, `in October`, `in our first session`."""

from ltm.recall.dates.named import NamedTimes, named_times
from ltm.recall.dates.spans import NamedSpan, to_spans

__all__ = ["NamedSpan", "NamedTimes", "named_times", "to_spans"]
