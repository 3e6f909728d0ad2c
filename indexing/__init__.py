"""Jobs in production: relay, reindex, verify, repair, sweep."""
