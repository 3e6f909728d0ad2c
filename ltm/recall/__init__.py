"""Stage 5: retrieve, fuse, rank, pack and render what bears on an intent."""

from ltm.recall.profile import DEFAULT, PROFILES, FloorWeights, Fusion, Profile, ablations, find_profile
from ltm.recall.recall import Recaller
from ltm.recall.request import RecallRequest, checked_request

__all__ = [
    "DEFAULT",
    "PROFILES",
    "FloorWeights",
    "Fusion",
    "Profile",
    "RecallRequest",
    "Recaller",
    "ablations",
    "checked_request",
    "find_profile",
]
