"""Find the labelled sets in a folder, whatever their shape."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from eval.datasets.beir import is_beir, read_beir
from eval.datasets.files import is_lines, read_json, stem
from eval.datasets.jsonl import read_jsonl_set, split_name
from eval.datasets.locomo import is_locomo, read_locomo
from eval.datasets.longmemeval import is_longmemeval, read_longmemeval
from eval.datasets.values import Dataset
from eval.errors import DatasetError

OWN = Path(__file__).parent.parent / "data" / "own"
"""The set that ships with the library."""


def read_dataset(path: Path) -> Dataset:
    """Return the one set that a folder or a file holds.

    Raises:
        DatasetError: There is no such path, it holds several sets or none, or it cannot be understood.
    """
    if path.is_file() and is_lines(path):
        return read_jsonl_set(split_name(stem(path))[0] or path.parent.name, [path])
    if path.is_file():
        return _read_release(path)
    if path.is_dir() and is_beir(path):
        return read_beir(path)
    if path.is_dir() and any(is_lines(inner) for inner in path.iterdir()):
        return read_jsonl_set(path.name, _parts(path))
    raise DatasetError(str(path), ["there is no file of JSON lines and no release file that is known"])


def find_sets(root: Path) -> dict[str, Callable[[], Dataset]]:
    """Return what reads each set below a folder, by name; files of one set are joined by what their names share.

    Nothing is read yet, so that one set which cannot be understood does not hide the others.
    """
    groups: defaultdict[str, list[Path]] = defaultdict(list)
    singles: dict[str, Path] = {}
    for path in sorted(root.iterdir()):
        if path.is_dir():
            _sort_folder(path, groups, singles)
        elif is_lines(path) or path.suffix == ".tsv":
            groups[split_name(stem(path) if is_lines(path) else path.stem)[0] or root.name].append(path)
        elif path.suffix == ".json" and path.name != "meta.json":
            singles[path.stem] = path
    found = {name: partial(read_dataset, path) for name, path in singles.items()}
    found |= {name: partial(read_jsonl_set, name, paths) for name, paths in groups.items()}
    return {name: found[name] for name in sorted(found)}


def _sort_folder(folder: Path, groups: defaultdict[str, list[Path]], singles: dict[str, Path]) -> None:
    """A folder is a set of its own, or, named `corpus` or `queries`, holds that part of several sets."""
    if split_name(folder.name)[1] is not None:
        for path in sorted(folder.iterdir()):
            if is_lines(path):
                groups[stem(path)].append(path)
    elif is_beir(folder) or any(is_lines(path) for path in folder.iterdir()):
        singles[folder.name] = folder
    else:
        singles.update({path.stem: path for path in sorted(folder.glob("*.json"))})


def _parts(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.iterdir()
        if is_lines(path) or path.suffix in (".tsv", ".qrels") or path.name == "meta.json"
    ]


def _read_release(path: Path) -> Dataset:
    found = read_json(path)
    if is_locomo(found):
        return read_locomo(path)
    if is_longmemeval(found):
        return read_longmemeval(path)
    raise DatasetError(str(path), ["neither LoCoMo's nor LongMemEval's release file"])
