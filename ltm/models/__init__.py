"""Frozen values that every floor shares; no I/O, no rules."""

from ltm.models.decision import Candidate, Decision, PendingCandidate, WriteReceipt
from ltm.models.fingerprint import canonical, fingerprint
from ltm.models.memory import Json, MemoryInput, MemoryVersion
from ltm.models.owner import Owner
from ltm.models.recall import Recall, RecallItem, Suppressed, Terms
from ltm.models.reports import ErasureReport, Reverted, RevertReport, TransitionReport
from ltm.models.terms import (
    Action,
    Channel,
    Kind,
    Lang,
    Op,
    Outcome,
    Reason,
    Role,
    SpeechAct,
    Status,
)
from ltm.models.turn import Evidence, Turn

__all__ = [
    "Action",
    "Candidate",
    "Channel",
    "Decision",
    "ErasureReport",
    "Evidence",
    "Json",
    "Kind",
    "Lang",
    "MemoryInput",
    "MemoryVersion",
    "Op",
    "Outcome",
    "Owner",
    "PendingCandidate",
    "Reason",
    "Recall",
    "RecallItem",
    "RevertReport",
    "Reverted",
    "Role",
    "SpeechAct",
    "Status",
    "Suppressed",
    "Terms",
    "TransitionReport",
    "Turn",
    "WriteReceipt",
    "canonical",
    "fingerprint",
]
