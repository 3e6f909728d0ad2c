"""The command line `ltm`: thin commands over `Memory`."""

from ltm.cli.app import app, main

__all__ = ["app", "main"]
