"""Outbox row to point: the one way into the index, used by `Memory` after its commit and by the relay."""

from ltm.apply.heads import BATCH, Applied, apply_heads, embed_heads, is_searchable, point_of

__all__ = ["BATCH", "Applied", "apply_heads", "embed_heads", "is_searchable", "point_of"]
