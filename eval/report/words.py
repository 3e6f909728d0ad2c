"""Figures as words, the same on every page."""

from eval.metrics.intervals import Estimate
from eval.metrics.summary import Summary

RANKING = ("recall@5", "recall@10", "any@10", "all@10", "MRR", "nDCG@10")
INJECTION = ("within@100", "within@300", "within@1000", "tokens", "false_injection", "stale", "leak")
MEANING = {
    "recall@5": "share of an intent's relevant memories among the first 5",
    "recall@10": "share of an intent's relevant memories among the first 10",
    "any@10": "intents with at least one relevant memory among the first 10",
    "all@10": "intents with all their relevant memories among the first 10",
    "MRR": "mean of 1 / rank of the first relevant memory, within the first 50",
    "nDCG@10": "discounted gain of the first 10 against the best order",
    "within@100": "share of relevant memories in a block of at most 100 tokens, default floor",
    "within@300": "the same within 300 tokens",
    "within@1000": "the same within 1,000 tokens",
    "tokens": "mean length of the injected block, all intents",
    "false_injection": "intents that need nothing and got something, default floor",
    "stale": "intents for which a superseded memory was returned",
    "leak": "intents for which another user's memory was returned",
}


def figure(found: Estimate | None, metric: str) -> str:
    """Return a mean, or a dash where the metric does not apply."""
    if found is None:
        return "–"
    return f"{found.mean:.0f}" if metric == "tokens" else f"{found.mean:.3f}"


def interval(found: Estimate | None, metric: str) -> str:
    """Return the 95 % interval, or nothing where there is none to speak of."""
    if found is None or found.low == found.high:
        return ""
    return f"{found.low:.0f}–{found.high:.0f}" if metric == "tokens" else f"{found.low:.3f}–{found.high:.3f}"


def skips(summary: Summary) -> str:
    """Return the skipped queries with their reasons, and ties."""
    parts = [f"{count} skipped ({reason})" for reason, count in sorted(summary.skipped.items())]
    return "; ".join([*(parts or ["none skipped"]), f"{summary.ties} rankings tied across rank 10"])
