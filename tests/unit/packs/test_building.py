"""Packs that are malformed, and packs that build on each other."""

import pytest

from ltm.errors import PackError
from ltm.models import Lang
from ltm.packs.building import BuiltPack, build_pack
from ltm.packs.documents import PackFile
from ltm.packs.pack_set import merge_packs
from ltm.packs.reading import PackFiles, parse_toml

PACK = 'name = "pets"\nversion = "1.0.0"\nsummary = "Pets."\n'
SLOTS = """
[[slot]]
key = "pets.kept"
kind = "fact"
type = "terms"
set = true
vocabulary = "animals"
sentence = { zh = "养：$value", en = "Keeps: $value" }
"""
ANIMALS = """
name = "animals"

[[term]]
value = "cat"
zh = ["猫", "喵"]
"""
RULE = """
[[rule]]
id = "keeps"
slot = "pets.kept"
triggers = ["养"]
pattern = '''养(?P<value>{animals})'''
match = [{ text = "我养猫", value = ["cat"] }]
no_match = ["猫"]
"""

TOPIC = """
[[topic]]
name = "pet"
keys = ["pets."]
asked.zh = ["宠物"]
asked.en = ["pet"]
told.en = ["collar"]
"""

MACHINE = """
[[machine]]
name = "day"
states = ["awake"]
state_slot = "pets.kept"

[machine.transitions]
"""


def build(*earlier: BuiltPack, **files: str | None) -> BuiltPack:
    """Build a pack from the text of its files, without those that are None; `rules` stands for `rules/a.toml`."""
    names = {"pack": "pack.toml", "slots": "slots.toml", "machines": "machines.toml", "topics": "topics.toml"}
    texts = {"pack": PACK} | files
    content = {names.get(name, f"{name}/a.toml"): text.encode() for name, text in texts.items() if text is not None}
    found = PackFiles(folder="pets", files=tuple(sorted(content.items())))
    head = parse_toml(content["pack.toml"], PackFile, where="pets/pack.toml")
    return build_pack(found, head, earlier=earlier)


def test_a_small_pack_is_built() -> None:
    """Slots, vocabulary and rule know each other."""
    pack = build(slots=SLOTS, vocabularies=ANIMALS, rules=RULE).pack
    assert [slot.key for slot in pack.slots] == ["pets.kept"]
    assert pack.rules[0].pattern.search("我养喵") is not None
    assert pack.label == "pets@1.0.0"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"pack": "name = =\n"}, r"pets/pack.toml: .*line 1"),
        ({"pack": PACK + "colour = 1\n"}, r"pets/pack.toml:4: unknown key 'colour'"),
        ({"pack": 'name = "pets"\nversion = "1.0.0"\n'}, r"pets/pack.toml:1: key 'summary'"),
        ({"pack": PACK.replace("1.0.0", "one")}, r"pets/pack.toml:2: key 'version'"),
        ({"slots": SLOTS + "colour = 1\n"}, r"pets/slots.toml:9: unknown key 'colour'"),
        ({"slots": SLOTS.replace('"fact"', '"guess"')}, r"pets/slots.toml:4: key 'kind'"),
        ({"vocabularies": None}, r"slot 'pets.kept': key 'vocabulary': no vocabulary 'animals'"),
        ({"slots": SLOTS.replace('"terms"', '"colour"')}, r"key 'type': no value type 'colour'"),
        ({"slots": SLOTS.replace("养：$value", "养")}, r"must hold \$value once"),
        ({"rules": RULE + "colour = 1\n"}, r"pets/rules/a.toml:9: unknown key 'colour'"),
        ({"rules": RULE.replace("no_match", "nomatch")}, r"pets/rules/a.toml:\d: "),
        ({"rules": RULE, "slots": None}, r"rule 'keeps': key 'slot'"),
        ({"rules": RULE.replace("{animals}", "{plants}")}, r"no fragment 'plants'"),
        ({"rules": RULE.replace("{animals}", ".*")}, r"unbounded"),
        ({"rules": RULE.replace("?P<value>", "?:")}, r"needs a group"),
        ({"rules": RULE.replace('["养"]', '["{plants}"]')}, r"no vocabulary 'plants'"),
        ({"rules": RULE.replace('slot = "pets.kept"\n', "")}, r"without 'slot' needs 'text'"),
        ({"rules": RULE.replace('triggers = ["养"]', "triggers = []")}, r"pets/rules/a.toml:5: key 'triggers'"),
        ({"rules": RULE.replace("slot =", 'answers = "asks_pet"\nslot =')}, r"needs 'triggers', or in their place"),
        ({"rules": RULE.replace("slot =", 'reader = "magic"\nslot =')}, r"key 'reader': no value type 'magic'"),
        ({"machines": MACHINE.replace("pets.kept", "pets.mood")}, r"slots \['pets.mood'\]"),
        ({"machines": MACHINE + 'awake = ["gone"]\n'}, r"\['gone'\] are not"),
        ({"lexicons": 'name = "hedge"\n[zh]\npatterns = ["a+"]\n'}, r"pets/lexicons/a.toml: key 'zh.patterns'"),
    ],
)
def test_what_is_wrong_names_the_file_and_the_place(files: dict[str, str | None], message: str) -> None:
    """And nothing is half loaded."""
    usual: dict[str, str | None] = {"slots": SLOTS, "vocabularies": ANIMALS}
    with pytest.raises(PackError, match=message):
        build(**(usual | files))


def test_a_constant_must_fit_its_slot() -> None:
    """And is stored in canonical form."""
    rule = RULE.replace("?P<value>", "?:").replace("triggers", 'value = ["喵"]\ntriggers')
    assert build(slots=SLOTS, vocabularies=ANIMALS, rules=rule).pack.rules[0].constants == ("cat",)


def test_a_later_pack_uses_what_an_earlier_one_declares() -> None:
    """Vocabularies, fragments and slots."""
    first = build(slots=SLOTS, vocabularies=ANIMALS, pack=PACK + '[fragments]\nkeep = "养|有"\n')
    second = build(first, pack=PACK.replace("pets", "more"), rules=RULE.replace("养(", "{keep}("))
    packs = merge_packs((first.pack, second.pack))
    assert packs.rules[0].pattern.search("我有猫") is not None
    assert packs.rules[0].pack == "more@1.0.0"


def test_patterns_of_lexicons_use_fragments() -> None:
    """Those of packs, and their own; the whole must be bounded."""
    words = 'name = "hedge"\n[fragments]\nunsure = "没准|{maybe}"\n[zh]\npatterns = ["{unsure}养"]\n'
    first = build(slots=SLOTS, vocabularies=ANIMALS, pack=PACK + '[fragments]\nmaybe = "可能"\n')
    (hedge,) = build(first, pack=PACK.replace("pets", "more"), lexicons=words).pack.lexicons
    assert hedge.matches("可能养")
    assert not hedge.matches("可能")
    with pytest.raises(PackError, match=r"lexicons/a.toml.*repet"):
        build(slots=SLOTS, vocabularies=ANIMALS, lexicons=words.replace("{maybe}", "(?:可能)+"))


@pytest.mark.parametrize("what", ["pack", "slot", "rule"])
def test_nothing_is_declared_twice(what: str) -> None:
    """Neither packs nor keys nor rule ids."""
    first = build(slots=SLOTS, vocabularies=ANIMALS, rules=RULE)
    other = {"pack": PACK} if what == "pack" else {"pack": PACK.replace("pets", "more")}
    second = build(
        first, **other, **({"slots": SLOTS} if what == "slot" else {"rules": RULE} if what == "rule" else {})
    )
    with pytest.raises(PackError, match=f"{what} .* is declared twice"):
        merge_packs((first.pack, second.pack))


def test_opposites_are_sets() -> None:
    """A single value has no members to withdraw."""
    slots = SLOTS + 'opposites = ["pets.gone"]\n'
    with pytest.raises(PackError, match="opposites"):
        merge_packs((build(slots=slots, vocabularies=ANIMALS).pack,))


def test_the_content_hash_sees_every_byte() -> None:
    """Version rows tell what they were read with."""
    one = build(slots=SLOTS, vocabularies=ANIMALS)
    two = build(slots=SLOTS, vocabularies=ANIMALS.replace("喵", "咪"))
    assert one.pack.content_hash != two.pack.content_hash
    assert one.pack.content_hash == build(slots=SLOTS, vocabularies=ANIMALS).pack.content_hash


def test_terms_show_their_names() -> None:
    """The vocabulary's first name in the sentence."""
    packs = merge_packs((build(slots=SLOTS, vocabularies=ANIMALS).pack,))
    assert packs.sentence("pets.kept", ["cat"], Lang.ZH) == "养：猫"


def test_topics_of_one_name_are_joined() -> None:
    """A later pack adds words and slots to a topic; new topics come behind."""
    more = TOPIC.replace("宠物", "宠物店").replace('"collar"', '"leash"') + '[[topic]]\nname = "vet"\n'
    first = build(topics=TOPIC)
    second = build(first, pack=PACK.replace("pets", "dogs"), topics=more)
    pet, vet = merge_packs((first.pack, second.pack)).topics
    assert pet.asked == ("宠物", "pet", "宠物店", "pet")
    assert pet.told == ("collar", "leash")
    assert pet.keys == ("pets.", "pets.")
    assert (vet.name, vet.keys, vet.asked, vet.told) == ("vet", (), (), ())


def test_a_topic_names_slots_by_a_prefix() -> None:
    """A bare word would belong to every pack that begins with it."""
    with pytest.raises(PackError, match=r"pets/topics\.toml:4: key 'keys'"):
        build(topics=TOPIC.replace('"pets."', '"pets"'))
