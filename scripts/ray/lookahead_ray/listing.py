"""Lists the partitions with `lookahead partitions`, as fast as they are handed out and no faster."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from .gate import SLACK
from .link import Desk, Link
from .messages import Partition
from .process import ended, follow, lines, parsed, started
from .rates import Rate

AHEAD = 1000
"""Partitions that are read ahead of those who take them."""


class Listing:
    """Runs on a thread of its own, whose end is the end of the process.

    Listing may send requests itself, and not through the gate: with a rate, the list is on the disk, and a window over, before
    the first partition is given away.
    """

    def __init__(self, desk: Desk, command: list[str], list_file: Path, hear: Callable[[str], None], rate: Rate | None = None) -> None:
        self._desk, self._command, self._file, self._say, self._rate = desk, command, list_file, hear, rate
        self._lines: queue.Queue[Partition] = queue.Queue()
        self._stopped = threading.Event()
        self.exit_code: int | None = None
        self.said = ""
        self.fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="partitions", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether the process has ended and everything that it listed was taken."""
        return not self._thread.is_alive() and self._lines.empty()

    def take(self) -> Partition | None:
        """The next one, if there is one now."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def stop(self) -> None:
        """Ends the process."""
        self._stopped.set()

    def join(self, patience: float) -> None:
        """Waits for its end."""
        self._thread.join(patience)

    def _run(self) -> None:
        try:
            asyncio.run(self._list())
        except Exception as error:
            self.fault = error

    async def _list(self) -> None:
        process = await started(self._command)
        assert process.stdin and process.stdout and process.stderr
        stdin = process.stdin
        link = Link(self._desk, f"partitions.{os.getpid()}", lambda line: stdin.write(line.encode() + b"\n"))
        errors = asyncio.create_task(follow(process.stderr, self._say))
        serving: asyncio.Task[None] | None = None
        stopping = asyncio.create_task(self._end_when_stopped(process))
        partial = self._file.with_suffix(".partial")
        try:
            with open(partial, "w") as kept:
                async for line in lines(process.stdout):
                    value = parsed(line)
                    if "event" in value:
                        serving = serving or asyncio.create_task(link.run())
                        link.hear(value)
                        continue
                    kept.write(line + "\n")
                    if not self._rate:
                        await self._give(str(value["id"]), line)
                kept.flush()
                os.fsync(kept.fileno())
            self.exit_code = await process.wait()
            self.said = await errors
            if self.exit_code == 0 and not self._stopped.is_set():
                os.replace(partial, self._file)
                if self._rate:
                    await self._give_kept(self._rate)
        finally:
            stopping.cancel()
            if serving:
                serving.cancel()
                await link.leave()
            await ended(process, 0)

    async def _give(self, id: str, line: str) -> None:
        while self._lines.qsize() >= AHEAD and not self._stopped.is_set():
            await asyncio.sleep(0.01)
        self._lines.put(Partition(id, line))

    async def _give_kept(self, rate: Rate) -> None:
        await asyncio.sleep(rate.in_short.per + SLACK)
        with open(self._file) as kept:
            for line in kept:
                await self._give(str(parsed(line)["id"]), line.rstrip("\n"))

    async def _end_when_stopped(self, process: asyncio.subprocess.Process) -> None:
        while not self._stopped.is_set():
            await asyncio.sleep(0.05)
        await ended(process, 2)
