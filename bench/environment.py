"""What the systems' processes find in their environment."""

import os
from pathlib import Path


def environment(folder: Path) -> dict[str, str]:
    """Return this process's environment without the library's variables, and with mem0 told to report nothing home.

    mem0 reads both of its variables when it is imported; without MEM0_DIR it would write into the user's home.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LTM_")}
    return {**kept, "MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0")}
