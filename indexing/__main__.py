"""`python -m indexing ...`."""

from indexing.cli import app

app(prog_name="python -m indexing")
