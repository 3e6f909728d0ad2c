"""Embedders behind one port; `make_embedder` picks one by name."""

from ltm.embed.registry import CHOICES, make_embedder

__all__ = ["CHOICES", "make_embedder"]
