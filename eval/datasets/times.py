"""Read the ways in which published sets write a moment."""

import re
from datetime import UTC, datetime, timedelta

_MILLISECONDS_FROM = 100_000_000_000
_SPOKEN = re.compile(r"(?P<clock>\d{1,2}(?::\d{2})?\s*[ap]m)\s+on\s+(?P<day>.+)", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号](?:\D*?(?P<half>上午|下午|晚上)?\s*(?P<h>\d{1,2})[:点时](?P<mi>\d{1,2})?)?"
)
_WEEKDAY = re.compile(r"\s*\([A-Za-z]{3,9}\)\s*|^[A-Za-z]{3,9}day,?\s+")
_DAY_FORMATS = ("%d %B, %Y", "%d %B %Y", "%B %d, %Y", "%B %d %Y", "%d %b %Y", "%b %d, %Y", "%m/%d/%Y", "%Y.%m.%d")
_CLOCK_FORMATS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M%p")


def parse_time(raw: object) -> datetime | None:
    """Return the moment as an aware datetime, or None where the notation is not known.

    Understood: ISO 8601 (also with a space or slashes), seconds or milliseconds since 1970, `1:56 pm on 8 May, 2023`,
    `2023/05/20 (Sat) 02:21`, `2024年10月8日 下午3:05`, `May 8, 2023`. A moment without a zone is taken as UTC.
    """
    if isinstance(raw, datetime):
        return _aware(raw)
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int | float):
        return _from_epoch(float(raw))
    text = str(raw).strip()
    if re.fullmatch(r"\d{9,13}(\.\d+)?", text):
        return _from_epoch(float(text))
    return _from_iso(text) or _from_chinese(text) or _from_words(text)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _from_epoch(number: float) -> datetime:
    seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, tz=UTC)


def _from_iso(text: str) -> datetime | None:
    plain = _WEEKDAY.sub(" ", text).strip().replace("/", "-")
    try:
        return _aware(datetime.fromisoformat(plain))
    except ValueError:
        return None


def _from_chinese(text: str) -> datetime | None:
    found = _CHINESE.search(text)
    if found is None:
        return None
    hour = int(found["h"] or 0)
    if found["half"] in ("下午", "晚上") and hour < 12:
        hour += 12
    try:
        day = datetime(int(found["y"]), int(found["m"]), int(found["d"]), tzinfo=UTC)
    except ValueError:
        return None
    return day + timedelta(hours=hour, minutes=int(found["mi"] or 0))


def _from_words(text: str) -> datetime | None:
    spoken = _SPOKEN.fullmatch(text)
    candidate = f"{spoken['day']} {spoken['clock']}" if spoken else text
    candidate = _WEEKDAY.sub(" ", candidate).strip()
    for day in _DAY_FORMATS:
        for clock in _CLOCK_FORMATS:
            try:
                return datetime.strptime(candidate, day + clock).replace(tzinfo=UTC)
            except ValueError:
                continue
    return None
