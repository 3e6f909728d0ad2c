"""What is wanted is not excluded, and what is liked is not disliked."""

from dataclasses import replace

from ltm.models import Candidate, Json, Lang, Op
from ltm.packs.language import detect_lang
from ltm.packs.pack_set import PackSet


def without_opposites(candidate: Candidate, packs: PackSet) -> list[Candidate]:
    """Return candidates that withdraw the members of this one from the opposite slots; none for a withdrawal itself.

    They are marked `implied`: without effect on what is stored they need no decision of their own.
    """
    slot = packs.find_slot(candidate.key)
    if slot is None or candidate.op is Op.REMOVE:
        return []
    lang = detect_lang(candidate.text)
    return [
        replace(
            candidate,
            key=key,
            op=Op.REMOVE,
            is_denial=True,
            implied=True,
            kind=packs.slots[key].kind,
            text=withdrawal(key, candidate.value, lang, packs),
        )
        for key in slot.opposites
    ]


def withdrawal(key: str, members: Json, lang: Lang, packs: PackSet) -> str:
    """Return the sentence that says that members no longer belong to a slot."""
    sentence = packs.sentence(key, members, lang)
    return f"不再成立：{sentence}" if lang == Lang.ZH else f"No longer so: {sentence}"
