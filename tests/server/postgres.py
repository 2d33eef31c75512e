"""A real PostgreSQL for the tests: a cluster in a temporary folder that only this machine's sockets reach."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`: on the path, or where Debian keeps them."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "pg_ctl").exists() and (place / "initdb").exists()), None)


@contextmanager
def cluster(folder: Path, *, fsync: bool = False) -> Iterator[str]:
    """A running cluster in an empty folder, as the address of its database. Root starts it as user `postgres`.

    Without `fsync` a commit survives the end of the cluster, but no loss of power: quicker, and enough for tests.
    """
    bin_ = programs()
    assert bin_ is not None
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        subprocess.run(command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, env={"LC_ALL": "C.UTF-8"})

    data = str(folder / "data")
    run(str(bin_ / "initdb"), "-D", data, "-U", "trajekt", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync={'on' if fsync else 'off'}"
    run(str(bin_ / "pg_ctl"), "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql:///postgres?host={folder}&user=trajekt"
    finally:
        run(str(bin_ / "pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")
