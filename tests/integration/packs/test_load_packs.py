"""Packs from folders."""

from pathlib import Path

import pytest

from ltm.errors import PackError
from ltm.packs import list_builtin_packs, load_packs

PACK = 'name = "{name}"\nversion = "1.0.0"\nsummary = "x"\nextends = [{extends}]\n'


def write(folder: Path, *, extends: str = "") -> Path:
    """Write a pack that declares nothing."""
    folder.mkdir()
    (folder / "pack.toml").write_text(PACK.format(name=folder.name, extends=extends), encoding="utf-8")
    return folder


def test_core_is_always_first_and_each_pack_once() -> None:
    """Whatever is asked for, in whatever order."""
    assert list_builtin_packs() == ["core", "job_search", "venue_booking"]
    assert [pack.name for pack in load_packs().packs] == ["core"]
    assert [pack.name for pack in load_packs(["venue_booking", "core", "venue_booking"]).packs] == [
        "core",
        "venue_booking",
    ]


def test_loading_again_gives_the_same_set_and_a_change_is_seen(tmp_path: Path) -> None:
    """Built once for each content."""
    folder = write(tmp_path / "mine")
    first = load_packs([folder])
    assert load_packs([folder]) is first
    (folder / "pack.toml").write_text(PACK.format(name="mine", extends="").replace("1.0.0", "1.0.1"), encoding="utf-8")
    second = load_packs([folder])
    assert second.packs[1].label == "mine@1.0.1"
    assert second.content_hash != first.content_hash


def test_what_a_pack_extends_is_loaded_before_it(tmp_path: Path) -> None:
    """By name, or by a path that starts at its own folder."""
    write(tmp_path / "below", extends='"venue_booking"')
    above = write(tmp_path / "above", extends='"../below"')
    assert [pack.name for pack in load_packs([above]).packs] == ["core", "venue_booking", "below", "above"]


def test_a_circle_is_an_error(tmp_path: Path) -> None:
    """Instead of a recursion without end."""
    write(tmp_path / "one", extends='"../two"')
    two = write(tmp_path / "two", extends='"../one"')
    with pytest.raises(PackError, match="in a circle"):
        load_packs([two])


def test_an_unknown_name_and_a_missing_folder_say_what_there_is(tmp_path: Path) -> None:
    """A typo is noticed at once."""
    with pytest.raises(PackError, match="no pack 'job'; built in are core, job_search, venue_booking"):
        load_packs(["job"])
    with pytest.raises(PackError, match="no such folder"):
        load_packs([tmp_path / "nowhere"])
    with pytest.raises(PackError, match=r"has no pack\.toml"):
        load_packs([tmp_path])


def test_a_file_in_the_wrong_place_is_an_error(tmp_path: Path) -> None:
    """A rule file beside `rules/` would never be read; a README may lie anywhere."""
    folder = write(tmp_path / "mine")
    (folder / "README.md").write_text("hello", encoding="utf-8")
    load_packs([folder])
    (folder / "rule.toml").write_text("", encoding="utf-8")
    with pytest.raises(PackError, match=r"rule.toml: not a pack file"):
        load_packs([folder])
    (folder / "rule.toml").unlink()
    (folder / "lexicon").mkdir()
    with pytest.raises(PackError, match=r"lexicon: not a pack folder"):
        load_packs([folder])
    (folder / "lexicon").rmdir()
    (folder / "rules").mkdir()
    (folder / "rules" / "a.yaml").write_text("", encoding="utf-8")
    with pytest.raises(PackError, match=r"only \*.toml files"):
        load_packs([folder])


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    """A file in another encoding is named."""
    folder = write(tmp_path / "mine")
    (folder / "slots.toml").write_bytes("名".encode("gbk"))
    with pytest.raises(PackError, match=r"slots.toml: not UTF-8"):
        load_packs([folder])
