"""Offline evaluation of retrieval and of writing."""
