"""Packages that come with an extra."""

from importlib.util import find_spec
from pathlib import Path

from ltm.errors import ConfigurationError


def require_package(package: str, *, extra: str, needed_by: str) -> Path:
    """Return the file that a package begins with, without importing it.

    Args:
        package: Its import name.
        extra: Installs it.
        needed_by: What cannot be had without it, for the message.

    Raises:
        ConfigurationError: It is not installed; the message names the command.
    """
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ConfigurationError(f"{needed_by} needs a package that is not installed: pip install 'ltm[{extra}]'")
    return Path(found.origin)
