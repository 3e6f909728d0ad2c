"""Load packs by name or path into one frozen `PackSet`."""

import os
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from ltm.errors import PackError
from ltm.packs.building import BuiltPack, build_pack
from ltm.packs.documents import PackFile
from ltm.packs.pack_set import PackSet, merge_packs
from ltm.packs.reading import PackFiles, parse_toml, read_files

CORE = "core"


def load_packs(names: Sequence[str | os.PathLike[str]] = ()) -> PackSet:
    """Load packs, what they extend, and `core`, which always comes first.

    Files are read on every call and built once for each content, so a changed pack is seen by the next call.

    Args:
        names: Built-in names (`job_search`), or paths of folders with a `pack.toml` (anything with a separator or
            that begins with a dot, and every `Path`).

    Raises:
        PackError: A pack is unknown or malformed, or two of them declare the same thing.
    """
    ordered: dict[str, PackFiles] = {}
    for name in (CORE, *names):
        _collect(name, Path(), ordered, ())
    return _build(tuple(ordered.values()))


def list_builtin_packs() -> list[str]:
    """Return the names of the packs that come with the library, sorted."""
    return sorted(entry.name for entry in _data().iterdir() if entry.is_dir() and not entry.name.startswith("_"))


def _collect(name: str | os.PathLike[str], start: Path, ordered: dict[str, PackFiles], above: tuple[str, ...]) -> None:
    """Add what a pack extends, then the pack, each one once."""
    files = _read(name, start)
    if files.folder in ordered:
        return
    if files.folder in above:
        raise PackError(f"{files.where('pack.toml')}: packs extend each other in a circle: {' > '.join(above)}")
    head = _head(files)
    for parent in head.extends:
        _collect(parent, Path(files.folder), ordered, (*above, files.folder))
    ordered[files.folder] = files


def _read(name: str | os.PathLike[str], start: Path) -> PackFiles:
    if _is_path(name):
        folder = start / Path(name).expanduser()
        if not folder.is_dir():
            raise PackError(f"{folder}: no such folder; a pack is a folder with a pack.toml")
        return read_files(folder.resolve(), label=str(folder.resolve()))
    builtin = list_builtin_packs()
    if str(name) not in builtin:
        raise PackError(f"no pack {str(name)!r}; built in are {', '.join(builtin)}; a path needs a separator")
    return read_files(_data() / str(name), label=str(name), is_trusted=True)


def _is_path(name: str | os.PathLike[str]) -> bool:
    text = os.fspath(name)
    return not isinstance(name, str) or "/" in text or os.sep in text or text.startswith((".", "~"))


def _data() -> Traversable:
    return resources.files("ltm.packs") / "data"


def _head(files: PackFiles) -> PackFile:
    return parse_toml(files.find("pack.toml") or b"", PackFile, where=files.where("pack.toml"))


@lru_cache(maxsize=32)
def _build(sources: tuple[PackFiles, ...]) -> PackSet:
    built: list[BuiltPack] = []
    for files in sources:
        built.append(build_pack(files, _head(files), earlier=tuple(built)))
    return merge_packs(tuple(part.pack for part in built))
