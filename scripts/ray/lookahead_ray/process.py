"""One `lookahead` process whose lines are read and written on an event loop."""

from __future__ import annotations

import asyncio
import json
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

LONGEST_LINE = 64 << 20
"""Bytes of one line: parameters may be long."""


async def started(command: Sequence[str], folder: str | None = None) -> Process:
    """Starts a process that can be interrupted: Ray's own have these signals blocked, and a mask is inherited.

    It is started by the thread that runs the event loop, with whose end the kernel kills it.
    """
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=folder, limit=LONGEST_LINE)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


async def lines(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """The lines of a stream, without a last one that was cut off."""
    while (line := await stream.readline()).endswith(b"\n"):
        yield line.decode(errors="replace").rstrip("\r\n")


async def follow(stream: asyncio.StreamReader, hear: Callable[[str], None]) -> str:
    """Passes on what a process writes for people, and answers with the end of it."""
    last: list[str] = []
    async for line in lines(stream):
        hear(line)
        last = [*last[-19:], line]
    return "\n".join(last)


async def ended(process: Process, patience: float) -> int:
    """Interrupts a process, kills it if it does not go, and answers how it ended."""
    if process.returncode is None:
        send(process, signal.SIGINT)
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            send(process, signal.SIGKILL)
    return await process.wait()


def send(process: Process, number: signal.Signals) -> None:
    """Sends a signal to a process that may have ended by itself."""
    try:
        process.send_signal(number)
    except ProcessLookupError:
        pass


def parsed(line: str) -> dict[str, Any]:
    """The object that a line of a process is; raises ValueError with what came instead."""
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"expected an object of JSON a line from lookahead, got: {line[:200]}")
    return value
