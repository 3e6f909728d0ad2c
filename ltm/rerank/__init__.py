"""Rerankers: models that read an intent and a memory together."""

from ltm.rerank.registry import CHOICES, make_reranker

__all__ = ["CHOICES", "make_reranker"]
