"""Labelled sets: corpus, queries and qrels from the shapes in which they are published."""

from eval.datasets.discover import OWN, find_sets, read_dataset
from eval.datasets.values import CorpusMemory, Dataset, Query, SkippedQuery

__all__ = ["OWN", "CorpusMemory", "Dataset", "Query", "SkippedQuery", "find_sets", "read_dataset"]
