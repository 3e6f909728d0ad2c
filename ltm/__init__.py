"""Long-term memory for LLM agents: versioned, reversible, retrieved by intent."""

from ltm._version import __version__
from ltm.aio import AsyncMemory
from ltm.errors import (
    CacheError,
    ConfigurationError,
    FingerprintMismatchError,
    IllegalTransitionError,
    IndexLockedError,
    InvalidRequestError,
    LtmError,
    MemoryNotFoundError,
    ModelError,
    PackError,
    StoreUnavailableError,
    VectorIndexError,
    VersionConflictError,
)
from ltm.memory import Memory
from ltm.models import (
    Candidate,
    Decision,
    ErasureReport,
    Evidence,
    MemoryInput,
    MemoryVersion,
    PendingCandidate,
    Recall,
    RecallItem,
    RevertReport,
    TransitionReport,
    Turn,
    WriteReceipt,
)
from ltm.settings import Settings

__all__ = [
    "AsyncMemory",
    "CacheError",
    "Candidate",
    "ConfigurationError",
    "Decision",
    "ErasureReport",
    "Evidence",
    "FingerprintMismatchError",
    "IllegalTransitionError",
    "IndexLockedError",
    "InvalidRequestError",
    "LtmError",
    "Memory",
    "MemoryInput",
    "MemoryNotFoundError",
    "MemoryVersion",
    "ModelError",
    "PackError",
    "PendingCandidate",
    "Recall",
    "RecallItem",
    "RevertReport",
    "Settings",
    "StoreUnavailableError",
    "TransitionReport",
    "Turn",
    "VectorIndexError",
    "VersionConflictError",
    "WriteReceipt",
    "__version__",
]
