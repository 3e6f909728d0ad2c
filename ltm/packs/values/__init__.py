"""Value types: how a slot's value is read from words, accepted from an application, and shown."""

from ltm.packs.values.types import FRAGMENTS, VALUE_TYPES, Read, ValueType

__all__ = ["FRAGMENTS", "VALUE_TYPES", "Read", "ValueType"]
