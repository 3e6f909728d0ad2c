"""The two jobs that are measured."""

from threading import Event

from indexing.progress import Watch
from indexing.reindex import Ending, Reindex, ReindexOptions
from indexing.relay import Relay, RelayOptions
from ltm.house import House


def relay_all(house: House) -> None:
    """Bring every waiting row to the index.

    Raises:
        RuntimeError: Some could not be brought there.
    """
    options = RelayOptions(lease_s=0.0)
    relay = Relay(house.store, house.spaces, clock=house.clock, jitter=lambda: 0.5, options=options)
    if (tally := relay.once(Event())).failed:
        raise RuntimeError(f"{tally.failed} rows failed")


def rebuild(house: House, watch: Watch | None = None) -> None:
    """Build the live generation anew, and switch.

    Raises:
        RuntimeError: It did not come to the switch.
    """
    options = ReindexOptions(is_forced=True)
    result = Reindex(house, house.embedder, jitter=lambda: 0.5, options=options, watch=watch).run()
    if result.ending is not Ending.SWITCHED:
        raise RuntimeError(f"the reindex was {result.ending}")
