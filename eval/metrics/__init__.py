"""Figures of an evaluation, and how sure they are."""
