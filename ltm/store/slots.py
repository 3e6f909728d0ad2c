"""What the store has to know of slots: which are sets, and how a set's value is put into words."""

from ltm.models import Json, fingerprint
from ltm.packs.language import detect_lang
from ltm.packs.pack_set import PackSet
from ltm.store.chain import Say


class Slots:
    """The loaded packs, as the chains need them."""

    def __init__(self, packs: PackSet) -> None:
        self._packs = packs

    def say(self, key: str | None) -> Say:
        """Return what makes the sentence of a folded value; without a key the version's own text stays."""

        def sentence(value: Json, like: str) -> str:
            return like if key is None else self._packs.sentence(key, value, detect_lang(like))

        return sentence

    def machine_of(self, key: str | None) -> str | None:
        """Return the name of the state machine whose state the slot holds, or None."""
        machine = self._packs.machine_of(key)
        return None if machine is None else machine.name

    def fingerprint(self, key: str | None, value: Json, text: str) -> str:
        """Return the fingerprint of a whole value; the order of a set's members does not count."""
        slot = self._packs.find_slot(key)
        return fingerprint(value, text, is_set=slot is not None and slot.is_set)
