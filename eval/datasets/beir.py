"""Read a BEIR folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv."""

from collections.abc import Iterator
from pathlib import Path

from eval.datasets.assemble import RawSet, assemble
from eval.datasets.fields import Row, read_ids
from eval.datasets.files import read_rows
from eval.datasets.values import Dataset
from eval.errors import DatasetError

_SPLITS = ("test.tsv", "dev.tsv", "train.tsv")


def is_beir(folder: Path) -> bool:
    """Tell whether the folder has BEIR's three parts."""
    return find_corpus(folder) is not None and any((folder / "qrels" / split).exists() for split in _SPLITS)


def find_corpus(folder: Path) -> Path | None:
    """Return `corpus.jsonl`, plain or gzipped, or None."""
    return next((path for path in (folder / "corpus.jsonl", folder / "corpus.jsonl.gz") if path.exists()), None)


def read_beir(folder: Path) -> Dataset:
    """Return the set, judged by the test split where there is one; titles are put before the texts.

    Only judged queries are kept: BEIR's queries file holds those of every split.

    Raises:
        DatasetError: A part is missing or cannot be read.
    """
    corpus = find_corpus(folder)
    queries = next(iter(sorted(folder.glob("queries.jsonl*"))), None)
    if corpus is None or queries is None:
        raise DatasetError(str(folder), ["a BEIR folder needs corpus.jsonl and queries.jsonl"])
    split = next(folder / "qrels" / name for name in _SPLITS if (folder / "qrels" / name).exists())
    qrels: dict[str, dict[str, int]] = {}
    for query_id, memory_id, grade in _read_qrels(split):
        qrels.setdefault(query_id, {}).update(read_ids({memory_id: grade}))
    return assemble(
        RawSet(
            name=folder.name,
            memories=[_with_title(row) for row in read_rows(corpus)],
            queries=[row for row in read_rows(queries) if row.text(("_id",)) in qrels],
            qrels=qrels,
            is_dialogue=False,
        )
    )


def _with_title(row: Row) -> Row:
    title, text = row.text(("title",)), row.text(("text",))
    joined = ". ".join(part for part in (title, text) if part)
    return Row(source=row.source, fields={**row.fields, "text": joined})


def _read_qrels(path: Path) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if number == 1 and not cells[-1].strip().lstrip("-").isdigit():
            continue
        if len(cells) != 3:
            raise DatasetError(str(path), [f"line {number} has {len(cells)} columns, not query-id, corpus-id, score"])
        yield cells[0], cells[1], int(cells[2])
