"""The PostgreSQL of the tests ends with them, however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import started_processes
from tests.server.postgres import programs

ROOT = Path(__file__).resolve().parents[3]
CODE = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background is started with it ignored
from pathlib import Path
from tests.server.postgres import cluster
with cluster(Path(sys.argv[1])):
    print((Path(sys.argv[1]) / "data" / "postmaster.pid").read_text().splitlines()[0], flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has died")
@pytest.mark.skipif(programs() is None, reason="no PostgreSQL here (Debian: apt-get install postgresql)")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_cluster_ends_with_dying_worker(tmp_path_factory, how):
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a short name: that of a socket has a limit
    worker = subprocess.Popen(
        [sys.executable, "-c", CODE, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert worker.stdout is not None
        number = int(worker.stdout.readline())
        assert started_processes.began(number)
        worker.send_signal(how)
        worker.wait(60)
        for _ in range(300):
            if not started_processes.began(number):
                break
            time.sleep(0.1)
        assert not started_processes.began(number)
    finally:
        worker.kill()
        worker.wait()
        worker.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def test_leftover_process_is_killed(monkeypatch):
    monkeypatch.delenv(started_processes.VARIABLE, raising=False)
    started_processes.begin()
    ended, left = (subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({n})"]) for n in (0, 600))
    for each in (ended, left):
        started_processes.note(each.pid)
    ended.wait()
    assert started_processes.end() == [left.pid]
    assert left.wait(10) == -signal.SIGKILL
    assert started_processes.end() == []
