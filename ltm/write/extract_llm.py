"""The model channel: soft facts that a chat model reads from the last few turns."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from ltm.errors import ModelError
from ltm.models import Turn
from ltm.packs import PackSet
from ltm.ports import ChatModel
from ltm.write.reply import RawCandidate, parse_reply
from ltm.write.request import SCHEMA, SCHEMA_NAME, Window, cut_windows, make_request

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came of one call.

    Attributes:
        candidates: What the model proposes; None where it failed.
    """

    window: Window
    candidates: tuple[RawCandidate, ...] | None
    tokens: int


def extract_llm(
    turns: Sequence[Turn], read_ids: frozenset[str], *, packs: PackSet, model: ChatModel, size: int
) -> list[Answered]:
    """Ask the model about every window in which something is to be read; a failure is an answer too.

    Args:
        turns: The dialogue in its order, each turn with its id.
        read_ids: Ids of the user turns to read.
        packs: Say which slots there are and how the model is asked.
        model: The chat model.
        size: Turns a call.
    """
    return [_ask(window, packs, model) for window in cut_windows(turns, read_ids, size)]


def _ask(window: Window, packs: PackSet, model: ChatModel) -> Answered:
    request = make_request(window, packs)
    try:
        reply = model.complete(system=request.system, user=request.user, schema_name=SCHEMA_NAME, schema=SCHEMA)
    except ModelError as error:
        _log.warning("extraction failed: %s, %d turns", error, len(window.read_ids))
        return Answered(window=window, candidates=None, tokens=0)
    candidates = parse_reply(reply.text)
    if candidates is None:
        _log.warning("extraction failed: no answer in %d characters, %d turns", len(reply.text), len(window.read_ids))
        return Answered(window=window, candidates=None, tokens=reply.tokens)
    return Answered(window=window, candidates=tuple(candidates), tokens=reply.tokens)
