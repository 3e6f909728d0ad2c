"""The embedded index when processes die, fork, collide, or somebody damages its folder."""

import json
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from uuid import UUID

import numpy as np
import pytest

from ltm.errors import FingerprintMismatchError, IndexLockedError, VectorIndexError
from ltm.index.embedded_admin import EmbeddedIndexAdmin
from ltm.ports import PoolQuery, VectorIndex

PRELUDE = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID
import numpy as np
from ltm.errors import IndexLockedError, VectorIndexError
from ltm.index.embedded_admin import EmbeddedIndexAdmin
from ltm.models import Kind, Status
from ltm.ports import Point, PoolQuery, SparseVector

def point(number, version=1):
    return Point(memory_id=str(UUID(int=number)), owner_key="o", status=Status.ACTIVE, kind=Kind.FACT, version=version,
        valid_from=datetime(2026, 1, 1, tzinfo=UTC), dense=np.array([1, 0], dtype=np.float32),
        sparse=SparseVector(indices=(1,), values=(1.0,)))

QUERY = PoolQuery(owner_key="o", dense=np.array([1, 0], dtype=np.float32), sparse=None, limit=5)
admin = EmbeddedIndexAdmin(Path(sys.argv[1]))
"""
OPEN = 'index = admin.create("g1", dim=2, fingerprint="f")\n'


def start(path: Path, script: str) -> subprocess.Popen[str]:
    """Run a script in another process, with an admin over the folder."""
    source = PRELUDE + textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", source, str(path)], stdout=subprocess.PIPE, text=True)


def run(path: Path, script: str) -> str:
    """Return what a script prints; one that hangs is a failure."""
    with start(path, script) as process:
        try:
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0
    return output


def reopened(path: Path) -> VectorIndex:
    """Return the generation of these tests."""
    return EmbeddedIndexAdmin(path).open("g1", dim=2, fingerprint="f")


def first_line(process: subprocess.Popen[str]) -> str:
    """Return the next line the process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("after", [1, 3, 20, 150])
def test_acknowledged_points_survive_sigkill(tmp_path: Path, after: int) -> None:
    """A process that is killed while it writes loses nothing that a call had returned for."""
    script = OPEN + (
        "for number in range(1, 10**6):\n"
        "    index.upsert([point(2 * number), point(2 * number + 1)])\n"
        "    print(number, flush=True)\n"
    )
    with start(tmp_path, script) as process:
        acknowledged = [first_line(process) for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        assert process.stdout is not None
        acknowledged += process.stdout.read().split()
    index = reopened(tmp_path)
    numbers = [int(word) for word in acknowledged if word.isdigit()]
    wanted = {str(UUID(int=2 * number + offset)) for number in numbers for offset in (0, 1)}
    assert wanted <= {found.memory_id for found in index.scroll()}
    index.close()


def test_a_flushed_index_opens_quickly_after_sigkill(tmp_path: Path) -> None:
    """Deletions and status changes survive as well."""
    script = OPEN + (
        "index.upsert([point(number, version=2) for number in range(1, 3000)])\n"
        "index.delete([str(UUID(int=5))])\n"
        "index.upsert([point(7, version=3)])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    with start(tmp_path, script) as process:
        process.wait(timeout=30)
    index = reopened(tmp_path)
    assert index.count() == 2998
    assert [found.version for found in index.retrieve([str(UUID(int=5)), str(UUID(int=7))])] == [3]
    index.close()


def test_a_second_process_is_refused_at_first_use(tmp_path: Path) -> None:
    """Opening works beside the first process; only the points are locked, and the error says what to do."""
    first = EmbeddedIndexAdmin(tmp_path)
    first.create("g1", dim=2, fingerprint="f").count()
    output = run(
        tmp_path,
        """
        index = admin.open("g1", dim=2, fingerprint="f")
        print(admin.names())
        uses = (index.count, lambda: index.search(QUERY), lambda: index.upsert([point(1)]), lambda: admin.drop("g1"))
        for use in uses:
            try:
                use()
            except IndexLockedError as error:
                print("LTM_QDRANT_URL" in str(error), error.retryable)
        admin.close()
        """,
    )
    assert output.splitlines() == ["['g1']", *["True True"] * 4]
    first.close()
    assert run(tmp_path, OPEN + "print(index.count())") == "0\n"


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    """The lock dies with its holder."""
    with start(tmp_path, OPEN + "index.count(); print('open', flush=True); sys.stdin.read()") as process:
        assert first_line(process) == "open"
        index = reopened(tmp_path)
        with pytest.raises(IndexLockedError):
            index.count()
        process.kill()
        process.wait()
    assert index.count() == 0
    index.close()


def test_processes_that_create_at_once_share_the_generation(tmp_path: Path) -> None:
    """Of several that open an empty folder together one makes the generation and the others find it."""
    processes = [start(tmp_path / "new", OPEN + "print(index.dim, admin.names())") for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["2 ['g1']\n"] * 4


def test_two_admins_in_one_process_collide_with_an_error(tmp_path: Path) -> None:
    """The folder is for one admin, also within a process."""
    first, second = EmbeddedIndexAdmin(tmp_path), EmbeddedIndexAdmin(tmp_path)
    first.create("g1", dim=2, fingerprint="f").count()
    with pytest.raises(IndexLockedError, match="opened twice"):
        second.open("g1", dim=2, fingerprint="f").count()
    first.close()
    assert second.open("g1", dim=2, fingerprint="f").count() == 0
    second.close()


@pytest.mark.parametrize("used_before", [True, False])
def test_a_forked_child_gets_an_error_and_not_a_hang(tmp_path: Path, used_before: bool) -> None:
    """Every call in the child raises at once; closing and leaving it are harmless, and the parent goes on."""
    output = run(
        tmp_path,
        OPEN
        + f"index.upsert([point(1)]) if {used_before} else None\n"
        + textwrap.dedent(
            """
            calls = (
                lambda: index.search(QUERY), lambda: index.upsert([point(2)]),
                index.count, lambda: list(index.scroll()),
                lambda: index.delete(["x"]) or index.owner_mean("o"), lambda: index.retrieve([str(UUID(int=1))]),
                lambda: admin.open("g1", dim=2, fingerprint="f"), lambda: admin.drop("g1"),
            )
            pid = os.fork()
            if pid == 0:
                for call in calls:
                    try:
                        call()
                        print("no error")
                    except VectorIndexError as error:
                        print("worker" in str(error), error.retryable)
                index.close()
                admin.close()
                sys.exit(0)
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
            index.upsert([point(3)])
            print(index.count(), len(index.search(QUERY).dense))
            admin.close()
            """
        ),
    )
    points = 2 if used_before else 1
    assert output.splitlines() == [*["True False"] * 8, "0", f"{points} {points}"]
    index = reopened(tmp_path)
    assert index.count() == points
    index.close()


def test_a_child_that_drops_its_copy_harms_nothing(tmp_path: Path) -> None:
    """A child that forgets the index and ends leaves lock and points to the parent."""
    output = run(
        tmp_path,
        OPEN
        + textwrap.dedent(
            """
            index.upsert([point(1)])
            index.search(QUERY)
            if (pid := os.fork()) == 0:
                del index, admin
                sys.exit(0)
            os.waitpid(pid, 0)
            index.upsert([point(2)])
            other = EmbeddedIndexAdmin(Path(sys.argv[1])).open("g1", dim=2, fingerprint="f")
            try:
                other.count()
            except IndexLockedError:
                print("still locked")
            print(index.count())
            os.kill(os.getpid(), 9)
            """
        ).replace("os.kill(os.getpid(), 9)", "sys.stdout.flush(); os._exit(0)"),
    )
    assert output.splitlines() == ["still locked", "2"]
    index = reopened(tmp_path)
    assert index.count() == 2
    index.close()


def _zero(path: Path) -> int:
    return path.write_bytes(b"\0" * path.stat().st_size)


def _segment(root: Path) -> Path:
    return next((root / "g1/shard/segments").iterdir())


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no identity": lambda root: (root / "g1/generation.json").unlink(),
    "identity is no JSON": lambda root: (root / "g1/generation.json").write_text("{"),
    "identity is a list": lambda root: (root / "g1/generation.json").write_text("[]"),
    "identity has no fingerprint": lambda root: (root / "g1/generation.json").write_text('{"format": 1, "dim": 2}'),
    "no shard": lambda root: rmtree(root / "g1/shard"),
    "no segments": lambda root: rmtree(root / "g1/shard/segments"),
    "zeroed config": lambda root: _zero(root / "g1/shard/edge_config.json"),
    "zeroed log": lambda root: [_zero(path) for path in (root / "g1/shard/wal").glob("open-*")],
    "zeroed segment": lambda root: _zero(_segment(root) / "segment.json"),
    "no payloads": lambda root: (_segment(root) / "payload_storage/page_0.dat").unlink(),
    "cut flags": lambda root: (_segment(root) / "vector_storage-dense/deleted/status.dat").write_bytes(b"\1"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_folder_is_an_error_and_left_alone(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    """What cannot be opened is neither emptied nor made anew, and the error names the command that helps."""
    admin = EmbeddedIndexAdmin(tmp_path)
    index = admin.create("g1", dim=2, fingerprint="f")
    run(tmp_path, OPEN + "index.upsert([point(n) for n in range(1, 50)]); admin.close()")
    damage(tmp_path)
    for enter in (admin.open, admin.create):
        with pytest.raises(VectorIndexError, match="ltm index reindex") as caught:
            enter("g1", dim=2, fingerprint="f").search(
                PoolQuery(owner_key="o", dense=np.ones(2, dtype=np.float32), sparse=None, limit=1)
            )
        assert caught.value.retryable is False
        assert not isinstance(caught.value, IndexLockedError)
    index.close()
    assert (tmp_path / "g1").exists()
    admin.drop("g1")
    assert admin.create("g1", dim=2, fingerprint="f").count() == 0
    admin.close()


def test_another_format_is_refused(tmp_path: Path) -> None:
    """A folder of a later library is not read by guessing."""
    admin = EmbeddedIndexAdmin(tmp_path)
    admin.create("g1", dim=2, fingerprint="f")
    (tmp_path / "g1/generation.json").write_text(json.dumps({"format": 2, "fingerprint": "f", "dim": 2}))
    with pytest.raises(FingerprintMismatchError, match="format 2"):
        admin.open("g1", dim=2, fingerprint="f")


def test_half_made_generations_do_not_count(tmp_path: Path) -> None:
    """What a process left that died while it made or dropped a generation is not listed and not in the way."""
    for name in (".building-g1", ".dropped-g1"):
        (tmp_path / name / "shard").mkdir(parents=True)
        (tmp_path / name / "generation.json").write_text("{}")
    admin = EmbeddedIndexAdmin(tmp_path)
    assert admin.names() == []
    assert admin.create("g1", dim=2, fingerprint="f").count() == 0
    admin.drop("g1")
    assert admin.names() == []


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """A file in the way of the folder is told as what it is."""
    (tmp_path / "file").write_text("")
    with pytest.raises(VectorIndexError, match="cannot be read or written"):
        EmbeddedIndexAdmin(tmp_path / "file").create("g1", dim=2, fingerprint="f")


def test_a_full_disk_is_an_error_and_not_the_end_of_the_process(tmp_path: Path) -> None:
    """What the engine has mapped would end it: with too little room left nothing is made, opened or written."""
    full = EmbeddedIndexAdmin(tmp_path, reserve_bytes=2**60)
    with pytest.raises(VectorIndexError, match="Make room"):
        full.create("g1", dim=2, fingerprint="f")
    assert full.names() == []
    run(tmp_path, OPEN + "index.upsert([point(1)]); admin.close()")
    index = full.open("g1", dim=2, fingerprint="f")
    for call in (index.count, lambda: index.delete([str(UUID(int=1))])):
        with pytest.raises(VectorIndexError, match="Make room") as raised:
            call()
        assert raised.value.retryable
    full.close()
    assert run(tmp_path, OPEN + "print(index.count()); admin.close()") == "1\n"


def test_calls_after_closing_are_errors(tmp_path: Path) -> None:
    """A closed generation says so; opening it again gives one that works."""
    admin = EmbeddedIndexAdmin(tmp_path)
    index = admin.create("g1", dim=2, fingerprint="f")
    index.close()
    with pytest.raises(VectorIndexError, match="closed"):
        index.count()
    index.flush()
    assert admin.open("g1", dim=2, fingerprint="f").count() == 0
    admin.close()
