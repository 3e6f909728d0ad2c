"""A MariaDB process of the test's own, which may be stopped and started again on the same port."""

import shutil
import subprocess
import time
from pathlib import Path

import pymysql
import pytest

from tests.support.servers import free_port

_START_S = 60.0


class OwnMariadb:
    """Its data outlive a stop; the test is skipped where MariaDB is not installed."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._data = folder / "data"
        self._socket = folder / "s"
        self._process: subprocess.Popen[bytes] | None = None
        install = shutil.which("mariadb-install-db")
        if install is None or shutil.which("mariadbd") is None:
            pytest.skip("MariaDB's server is not installed")
        options = [f"--datadir={self._data}", "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run([install, "--no-defaults", *options, "--user=root"], check=True, capture_output=True)
        self.start()

    def create_database(self, name: str) -> None:
        """Make an empty database."""
        with self._connect() as connection:
            connection.cursor().execute(f"CREATE DATABASE {name}")

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [
            f"--datadir={self._data}",
            f"--socket={self._socket}",
            f"--port={self.port}",
            "--bind-address=127.0.0.1",
            "--skip-log-bin",
            "--innodb-buffer-pool-size=32M",
            "--user=root",
        ]
        self._process = subprocess.Popen(
            ["mariadbd", "--no-defaults", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + _START_S
        while True:
            try:
                self._connect().close()
            except pymysql.MySQLError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    pytest.fail("mariadbd did not start")
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Ask it to end, as an administrator would, and wait for that."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _connect(self) -> "pymysql.Connection[pymysql.cursors.Cursor]":
        return pymysql.connect(host="127.0.0.1", port=self.port, user="root", connect_timeout=2)
