"""A real PostgreSQL for the tests: a cluster in a temporary folder that only this machine's sockets reach."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import started_processes

PATIENCE = 120  # seconds until it answers, and again until it has ended, on a machine that is busy
PARENT_DIES = 1  # PR_SET_PDEATHSIG


def programs() -> Path | None:
    """The folder of `initdb` and `postgres`: on the path, or where Debian keeps them."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists() and (place / "initdb").exists()), None)


def _end_with_parent() -> None:
    """Let the system stop this process at once when the one that started it has died, whatever killed that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DIES, signal.SIGQUIT)


@contextmanager
def cluster(folder: Path, *, fsync: bool = False) -> Iterator[str]:
    """A running cluster in an empty folder, as the address of its database. Root starts it as user `postgres`.

    Without `fsync` a commit survives the end of the cluster, but no loss of power: quicker, and enough for tests. It ends with
    the block, and with the process of the tests, however that ends.
    """
    bin_ = programs()
    assert bin_ is not None
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data, environment = folder / "data", {"LC_ALL": "C.UTF-8"}
    making = [str(bin_ / "initdb"), "-D", str(data), "-U", "trajekt", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(making, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, env=environment)
    running = [str(bin_ / "postgres"), "-D", str(data), "-k", str(folder), "-c", "listen_addresses="]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*running, "-c", f"fsync={'on' if fsync else 'off'}"],
            user=user,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=_end_with_parent,  # noqa: PLW1509  one call to the system, no lock is taken
        )
    started_processes.note(process.pid)
    try:
        _wait(process, data / "postmaster.pid", folder / "log")
        yield f"postgresql:///postgres?host={folder}&user=trajekt"
    finally:
        process.send_signal(signal.SIGQUIT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], told: Path, log: Path) -> None:
    """Wait until the cluster says in its file that it is ready."""
    for _ in range(PATIENCE * 10):
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        if told.exists() and "ready" in told.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    raise AssertionError("the cluster does not answer")
