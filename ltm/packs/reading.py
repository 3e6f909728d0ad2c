"""Read pack files from a folder or from the installed package; whatever is wrong names the file and the line."""

import re
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import TypeVar

from pydantic import ValidationError

from ltm.errors import PackError
from ltm.packs.documents import Document, PromptHead
from ltm.packs.prompt import Prompt, check_prompt

FOLDERS = {"rules": ".toml", "vocabularies": ".toml", "lexicons": ".toml", "prompts": ".md"}
TOP_FILES = ("pack.toml", "slots.toml", "machines.toml", "topics.toml")

_AnyDocument = TypeVar("_AnyDocument", bound=Document)
_FRONT_MATTER = re.compile(r"---\r?\n(.*?)^---[ \t]*\r?\n(.*)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PackFiles:
    """The bytes of a pack, by relative name, sorted.

    Attributes:
        folder: Where they were read from; what relative paths in `extends` start from.
        is_trusted: Its patterns were checked already: the library's own packs, by the library's tests.
    """

    folder: str
    files: tuple[tuple[str, bytes], ...]
    is_trusted: bool = False

    def find(self, name: str) -> bytes | None:
        """Return a file's content, or None."""
        return dict(self.files).get(name)

    def inside(self, folder: str) -> list[tuple[str, bytes]]:
        """Return the files of a sub-folder by name."""
        return [(name, content) for name, content in self.files if name.startswith(f"{folder}/")]

    def where(self, name: str) -> str:
        """Return how a message calls one of the files."""
        return f"{self.folder}/{name}"

    @property
    def content_hash(self) -> str:
        """Return SHA-256 over names and bytes."""
        digest = sha256()
        for name, content in self.files:
            digest.update(f"{len(name)}:{name}:{len(content)}:".encode())
            digest.update(content)
        return digest.hexdigest()


def read_files(folder: Traversable, *, label: str, is_trusted: bool = False) -> PackFiles:
    """Read every file of a pack.

    Raises:
        PackError: There is no `pack.toml`, a file cannot be read, or one lies where no pack file belongs.
    """
    found: dict[str, bytes] = {}
    try:
        for entry in folder.iterdir():
            if entry.is_dir():
                found.update(_read_folder(entry, label))
            elif entry.name in TOP_FILES:
                found[entry.name] = entry.read_bytes()
            elif not _is_ignored(entry.name):
                raise PackError(f"{label}/{entry.name}: not a pack file; expected {', '.join(TOP_FILES)}")
    except OSError as error:
        raise PackError(f"{label}: cannot be read: {error.strerror or error}") from error
    if "pack.toml" not in found:
        raise PackError(f"{label}: has no pack.toml")
    return PackFiles(folder=label, files=tuple(sorted(found.items())), is_trusted=is_trusted)


def parse_toml(content: bytes, model: type[_AnyDocument], *, where: str) -> _AnyDocument:
    """Parse one TOML file into its document.

    Raises:
        PackError: It is not UTF-8, not TOML, or has a key that is unknown, missing or of the wrong type.
    """
    text = _decode(content, where)
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise PackError(f"{where}: {error}") from error
    except ValidationError as error:
        raise PackError(_describe(error, text, where)) from error


def parse_prompt(content: bytes, *, where: str) -> Prompt:
    """Parse a Markdown prompt with front matter (`name: …`, `version: …`, `variables: a, b`).

    Raises:
        PackError: The front matter is missing or has an unknown key, or the text uses other variables.
    """
    text = _decode(content, where)
    parts = _FRONT_MATTER.fullmatch(text)
    if parts is None:
        raise PackError(f"{where}:1: must begin with front matter between two lines '---'")
    fields: dict[str, object] = {}
    for number, line in enumerate(parts.group(1).splitlines(), start=2):
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or name.strip() not in PromptHead.model_fields:
            raise PackError(f"{where}:{number}: unknown key {name.strip()!r}")
        words = [word.strip() for word in value.split(",") if word.strip()]
        fields[name.strip()] = words if name.strip() == "variables" else value.strip()
    try:
        head = PromptHead.model_validate(fields)
    except ValidationError as error:
        raise PackError(_describe(error, text, where)) from error
    body = parts.group(2).strip() + "\n"
    prompt = Prompt(name=head.name, version=head.version, variables=head.variables, body=body)
    return check_prompt(prompt, where=where)


def _read_folder(folder: Traversable, label: str) -> dict[str, bytes]:
    if _is_ignored(folder.name):
        return {}
    suffix = FOLDERS.get(folder.name)
    if suffix is None:
        raise PackError(f"{label}/{folder.name}: not a pack folder; expected {', '.join(FOLDERS)}")
    found = {}
    for entry in folder.iterdir():
        if entry.name.endswith(suffix) and entry.is_file():
            found[f"{folder.name}/{entry.name}"] = entry.read_bytes()
        elif not _is_ignored(entry.name):
            raise PackError(f"{label}/{folder.name}/{entry.name}: only *{suffix} files belong here")
    return found


def _is_ignored(name: str) -> bool:
    return name.startswith((".", "__")) or name.lower().startswith(("readme", "license"))


def _decode(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackError(f"{where}: not UTF-8 at byte {error.start}") from error


def _describe(error: ValidationError, text: str, where: str) -> str:
    problem = error.errors()[0]
    path = problem["loc"]
    key = next((part for part in reversed(path) if isinstance(part, str) and part != "[key]"), "")
    what = f"unknown key {key!r}" if problem["type"] == "extra_forbidden" else f"key {key!r}: {problem['msg']}"
    place = ".".join(str(part) for part in path)
    return f"{where}:{_line_of(path, text)}: {what} (at {place})"


def _line_of(path: tuple[int | str, ...], text: str) -> int:
    """Return the line of the last key of a path that is written out; the table's line where it is missing."""
    lines = text.splitlines()
    line = 0
    for position, part in enumerate(path):
        if isinstance(part, int):
            header = re.compile(rf"\s*\[\[\s*(?:[\w.]+\.)?{re.escape(str(path[position - 1]))}\s*\]\]")
            starts = [number for number, content in enumerate(lines) if header.match(content)]
            line = starts[part] if part < len(starts) else line
        else:
            written = re.compile(rf"""\s*["']?{re.escape(part)}["']?\s*[=:]|\s*\[+[\w.]*\b{re.escape(part)}\s*\]+""")
            line = next((number for number in range(line, len(lines)) if written.match(lines[number])), line)
    return line + 1
