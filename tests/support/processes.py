"""Processes that begin at the same moment."""

import subprocess
from collections.abc import Sequence


def waiting_process(command: Sequence[str]) -> "subprocess.Popen[str]":
    """Start a process that prints a line when it is ready and then waits for a line on its standard input."""
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start_together(processes: Sequence["subprocess.Popen[str]"]) -> None:
    """Wait until every process is ready, and only then let them go on."""
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
