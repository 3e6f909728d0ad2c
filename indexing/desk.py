"""What every command needs: the store, a signal to stop, a way to show progress."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import SystemRandom
from threading import Event

from rich.console import Console

from indexing.progress import Bars, Lines, Watch
from indexing.stopping import stop_on_signals
from ltm.apply.backoff import Jitter
from ltm.commands.store_options import StoreOptions
from ltm.house import House
from ltm.settings import Settings
from ltm.wiring import open_parts

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Desk:
    """A command's tools."""

    house: House
    stop: Event
    watch: Watch
    console: Console
    jitter: Jitter


@contextmanager
def open_desk(named: StoreOptions) -> Iterator[Desk]:
    """Open the store whatever its index was built with, and close it afterwards; SIGTERM and Ctrl-C set `stop`."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # Drivers tell every request.
    for name in ("httpx", "qdrant_client", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    settings = Settings(**named.values)
    console, errors = Console(soft_wrap=True, highlight=False, markup=False), Console(stderr=True)
    house = open_parts(named.path, settings)
    watch = Bars(errors) if errors.is_terminal else Lines(house.clock)
    try:
        with stop_on_signals() as stop:
            yield Desk(house=house, stop=stop, watch=watch, console=console, jitter=SystemRandom().random)
    finally:
        house.close()
