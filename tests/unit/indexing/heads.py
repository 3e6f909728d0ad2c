"""Heads and points to compare."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np

from ltm.embed.hashing import HashEmbedder
from ltm.lexical import encode_document
from ltm.models import Kind, Owner, Status
from ltm.ports import Head, OwnedHead, StoredPoint, Vector

ANN = Owner(namespace="test", user_id="ann")


def memory_id(number: int) -> str:
    """Return an id that sorts as the number does."""
    return str(UUID(int=number))


def owned(number: int = 1, **changes: Any) -> OwnedHead:
    """Return an active head of two versions."""
    head = Head(
        memory_id=memory_id(number),
        status=Status.ACTIVE,
        version=2,
        last_version=2,
        kind=Kind.FACT,
        key=None,
        pack=None,
        text="likes tea",
        value=None,
        context=None,
        confidence=1.0,
        valid_from=datetime(2026, 10, 1, tzinfo=UTC),
        fingerprint="",
    )
    return OwnedHead(owner=ANN, head=head._replace(**changes))


def dense_of(text: str) -> Vector:
    """Embed a text."""
    return HashEmbedder().embed_query(text)


def point_like(one: OwnedHead, **changes: Any) -> StoredPoint:
    """Return the stored point of a head, with its vectors."""
    head = one.head
    point = StoredPoint(
        memory_id=head.memory_id,
        owner_key=one.owner.key,
        status=head.status,
        kind=head.kind,
        version=head.last_version,
        valid_from=head.valid_from,
        dense=np.array(dense_of(head.text)),
        sparse=encode_document(head.text),
    )
    return replace(point, **changes)
