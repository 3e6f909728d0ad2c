"""Embedders behind one port; `make_embedder` picks one by name."""

from ltm.embed.queries import CachedQueries, QueryVector
from ltm.embed.registry import CHOICES, make_embedder

__all__ = ["CHOICES", "CachedQueries", "QueryVector", "make_embedder"]
