"""Named days in an intent, Chinese and English: `10月8号`, `上周三`, `last Tuesday`, `in October`."""

from ltm.recall.dates.day_range import DayRange
from ltm.recall.dates.named import named_days

__all__ = ["DayRange", "named_days"]
