"""Run a labelled set through the real recall path, and baselines beside it."""
