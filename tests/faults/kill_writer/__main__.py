"""`python -m tests.faults.kill_writer`: kill a writer again and again, and look at what it leaves."""

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from indexing.relay import Relay, RelayOptions
from indexing.stopping import stop_on_signals
from ltm.commands.scratch import scratch_folder
from ltm.packs import load_packs
from ltm.wiring import open_house
from tests.faults.kill_writer.checks import LEASE_S, Found, check
from tests.faults.kill_writer.place import Place
from tests.faults.kill_writer.writer import write_for_ever
from tests.support.databases import own_database
from tests.support.forks import ask, kill, start, terminate
from tests.support.ledger import Ledger

ROUNDS_IN_ONE_STORE = 10
LONGEST_S = 0.8
_WHILE_OPENING = 0.2


@dataclass(slots=True, kw_only=True)
class Tally:
    """What all rounds came to."""

    kills: int = 0
    relay_kills: int = 0
    relay_failures: int = 0
    writes: int = 0
    found: list[Found] = field(default_factory=list)

    @property
    def faults(self) -> int:
        """Return the sum of all faults."""
        return self.relay_failures + sum(found.faults for found in self.found)

    def show(self, mode: str) -> None:
        """Print one line of figures, faults by kind."""
        sums = {name: sum(getattr(found, name) for found in self.found) for name in _FAULTS}
        typer.echo(
            f"{mode}: {self.kills} writers and {self.relay_kills} relays killed, {self.writes} writes acknowledged, "
            f"{sum(found.cut_off for found in self.found)} cut off, "
            f"{sum(found.memories for found in self.found)} memories looked at, "
            f"{sum(found.rows for found in self.found)} rows left to the relay; "
            + ", ".join(f"{name} {count}" for name, count in sums.items())
            + f", relays that did not end well {self.relay_failures}"
        )


_FAULTS = ("lost", "returned", "half", "broken", "different", "waiting")


def main(
    kills: Annotated[int, typer.Option(min=1, help="of a writer")] = 200,
    mode: Annotated[
        str, typer.Option(help="embedded, or server: MariaDB, with a relay that is killed too")
    ] = "embedded",
    seed: int = 1,
) -> None:
    """Kill, look, print the tally; exit status 1 where anything was lost, half written or different."""
    logging.getLogger("ltm").setLevel(logging.ERROR)
    load_packs(("job_search",))
    rng = np.random.default_rng(seed)
    tally = Tally()
    while tally.kills < kills:
        with _place(mode) as place:
            ledger = Ledger()
            for _ in range(min(ROUNDS_IN_ONE_STORE, kills - tally.kills)):
                _round(place, ledger, tally, rng, with_relay=mode == "server")
            tally.writes += ledger.writes
    tally.show(mode)
    raise typer.Exit(1 if tally.faults else 0)


def _round(place: Place, ledger: Ledger, tally: Tally, rng: np.random.Generator, *, with_relay: bool) -> None:
    said = place.folder.parent / "said"
    holds = place.folder.parent / "holds"
    for path in (said, holds):
        path.unlink(missing_ok=True)
    relay = start(lambda: _serve(place, holds)) if with_relay else None
    if with_relay:
        _wait_for(holds)
    number, seed = tally.kills, int(rng.integers(2**31))
    writer = start(lambda: write_for_ever(place, said, number=number, seed=seed))
    if rng.random() > _WHILE_OPENING:
        _wait_for(said)
    time.sleep(float(rng.uniform(0, LONGEST_S)))
    if relay is not None and rng.random() < 0.5:
        kill(relay)
        tally.relay_kills += 1
        relay = None
        time.sleep(float(rng.uniform(0, LONGEST_S / 5)))
    kill(writer)
    tally.kills += 1
    if relay is not None:
        tally.relay_failures += terminate(relay) != 0
    ledger.read(said)
    found = ask(lambda: check(place, ledger), place.folder.parent / "answer")
    tally.found.append(found)
    ledger.forget(found.erased)
    if found.faults:
        typer.echo(f"round {number}: {found}")


def _wait_for(path: Path) -> None:
    """Wait until a child has opened the store and says so."""
    deadline = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size):
        if time.monotonic() > deadline:
            raise RuntimeError(f"no child wrote {path.name}")
        time.sleep(0.002)


def _serve(place: Place, holds: Path) -> None:
    """Hold the index and serve the outbox; the writer beside it finds the index locked and leaves all to the relay."""
    options = RelayOptions(idle_s=0.02, lease_s=LEASE_S)
    with stop_on_signals() as stop:
        house = open_house(None, place.settings)
        house.spaces.live().index.count()
        holds.write_text("held")
        Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options).run(stop)
    house.close()


@contextmanager
def _place(mode: str) -> Iterator[Place]:
    with scratch_folder() as scratch:
        folder = scratch / "store"
        folder.mkdir()
        if mode == "server":
            with own_database() as url:
                yield Place(folder=folder, database_url=url)
        else:
            yield Place(folder=folder, database_url=None)
        shutil.rmtree(folder)


if __name__ == "__main__":
    typer.run(main)
