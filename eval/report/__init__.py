"""Figures for people: JSON, Markdown and one self-contained page."""
