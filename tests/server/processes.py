"""A real server process for the tests that kill it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2

from tests import started_processes

CODE = """
import json, sys
from pathlib import Path
from trajekt.server.http.serve import ServeOptions, serve
given = json.loads(sys.argv[3])
options = ServeOptions(**{key: Path(value) if key == "pages" else value for key, value in given.items()})
serve("127.0.0.1", int(sys.argv[1]), sys.argv[2], browser=False, options=options, say=lambda line: print(line, flush=True))
"""
SOURCE = Path(__file__).resolve().parents[2] / "src"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class ServerProcess:
    """`trajekt serve` on a database of its own; `kill` is SIGKILL, `start` takes the same port again.

    `options` are fields of `ServeOptions`.
    """

    def __init__(self, database: Path, **options: str | bool) -> None:
        self.options = json.dumps(options)
        self.url = f"sqlite:///{database}"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.said = database.with_name(database.name + ".log")  # in a file: a pipe that nobody empties would stop it

    def start(self) -> None:
        paths = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
        with self.said.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CODE, str(self.port), self.url, self.options],
                env={**os.environ, "PYTHONPATH": paths},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        started_processes.note(self.process.pid)
        for _ in range(400):
            try:
                if httpx2.get(self.address + "/static/icon.svg", timeout=2).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.05)
            assert self.process.poll() is None, self.said.read_text(encoding="utf-8", errors="replace")
        self.kill()
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(how)
        self.process.wait(timeout=20)
        code, self.process = self.process.returncode, None
        return code
