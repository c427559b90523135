"""Reads one batch of partitions with one `lookahead work` process: what a Ray task does."""

from __future__ import annotations

import asyncio
import signal
import time
from asyncio.subprocess import Process
from collections import deque
from dataclasses import dataclass

from .link import Desk, Link
from .messages import BatchResult, Event, Outcome, Partition, Totals
from .process import ended, follow, lines, parsed, send, started

GRACE = 30.0
"""Seconds for which a silent process may still wake: until then others may have nothing free to read its partitions."""

PATIENCE = 3.0
"""Seconds in which an interrupted process may commit what it has."""


@dataclass(frozen=True)
class WorkerSettings:
    """How workers run."""

    command: tuple[str, ...]
    """`lookahead work` with all its options."""
    folder: str
    """Where they run."""
    at_once: int
    """Partitions that one reads at the same time."""
    silence: float
    """Seconds without any sign of life after which its partitions go to another."""
    grace: float = GRACE
    """Seconds after that in which it may wake, until it is killed."""
    is_watched: bool = False
    """Whether somebody is told what becomes of each partition."""


class Worker:
    """Feeds one process, and hears it until it ends."""

    def __init__(self, desk: Desk, name: str, partitions: list[Partition], settings: WorkerSettings) -> None:
        self._desk, self._settings = desk, settings
        self._left = deque(partitions)
        self._under_way: set[str] = set()
        self._begun: set[str] = set()
        self._result = BatchResult(name)
        self._heard = time.monotonic()
        self._has_ended = False

    async def run(self) -> BatchResult:
        """Reads the batch; whatever happens, no process is left."""
        process = await started(self._settings.command, self._settings.folder)
        assert process.stdin and process.stdout and process.stderr
        self._link = Link(self._desk, self._result.worker, lambda line: self._write(process, line), self._settings.is_watched)
        link = asyncio.create_task(self._link.run())
        errors = asyncio.create_task(follow(process.stderr, self._link.log))
        watch = asyncio.create_task(self._watch(process, link))
        try:
            self._feed(process)
            async for line in lines(process.stdout):
                self._heard = time.monotonic()
                self._hear(parsed(line), process)
            self._result.exit_code = await process.wait()
            self._result.said = await errors
        finally:
            watch.cancel()
            link.cancel()
            if process.returncode is None:
                send(process, signal.SIGKILL)
                await process.wait()
        await self._link.leave()
        if not self._has_ended and not self._result.reason:
            self._result.reason = self._why(self._result.exit_code)
        self._result.begun = sorted(self._begun)
        return self._result

    def _feed(self, process: Process) -> None:
        """Keeps a little more in the process than it reads at once; without any left, closes its input."""
        while self._left and len(self._under_way) < 2 * self._settings.at_once:
            partition = self._left.popleft()
            self._under_way.add(partition.id)
            self._write(process, partition.line)
        if not self._left and not self._under_way and process.stdin:
            process.stdin.close()

    def _hear(self, event: Event, process: Process) -> None:
        kind = event.get("event")
        if kind is None:
            raise ValueError(f"expected an event from lookahead work, got: {event}")
        self._link.hear(event)
        if kind == "started":
            self._begun.add(str(event["id"]))
        elif kind in ("done", "failed"):
            outcome = Outcome.of(event)
            self._result.outcomes.append(outcome)
            self._under_way.discard(outcome.id)
            self._begun.discard(outcome.id)
            self._feed(process)
        elif kind in ("progress", "end"):
            self._result.totals = Totals.of(event)
            self._has_ended = kind == "end"

    async def _watch(self, process: Process, link: asyncio.Task[None]) -> None:
        """Ends a process that is to stop, that has shown no sign of life for too long, or to which nobody can grant anything."""
        stop = asyncio.create_task(self._link.is_stopped.wait())
        while not stop.done() and not link.done():
            await asyncio.wait([stop, link], timeout=self._settings.silence / 10, return_when=asyncio.FIRST_COMPLETED)
            silent = time.monotonic() - self._heard
            if silent > self._settings.silence + self._settings.grace:
                stop.cancel()
                self._result.reason = f"it gave no sign of life for {silent:.0f} s"
                return send(process, signal.SIGKILL)
        stop.cancel()
        self._result.reason = f"the coordinator can't be reached: {link.exception()}" if link.done() else "it was stopped"
        await ended(process, PATIENCE)

    @staticmethod
    def _write(process: Process, line: str) -> None:
        if process.stdin and not process.stdin.is_closing():
            process.stdin.write(line.encode() + b"\n")

    @staticmethod
    def _why(code: int | None) -> str:
        if code is not None and code < 0:
            return f"it was killed by {signal.Signals(-code).name}"
        return f"it ended with {code} before its time"
