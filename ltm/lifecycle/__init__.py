"""The life of a memory after it was written: state machines, reverts, expiry, erasure."""
