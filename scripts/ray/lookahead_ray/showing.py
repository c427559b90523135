"""What a run says about itself: one line that is redrawn, lines of processes, and the summary."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any, TextIO

from .amounts import count, counted, size, span
from .exits import Exit
from .messages import Snapshot, Totals
from .waves import Waves


@dataclass
class Tally:
    """What all workers have done so far: for each the last that it told, so nothing is lost with one that dies."""

    workers: dict[str, Totals] = field(default_factory=dict)
    pauses: dict[str, float] = field(default_factory=dict)

    def take(self, snapshot: Snapshot) -> None:
        self.workers |= snapshot.totals
        self.pauses = snapshot.pauses

    def end(self, worker: str, totals: Totals) -> None:
        """A worker has ended by itself."""
        totals.in_flight = 0
        self.workers[worker] = totals

    @property
    def total(self) -> Totals:
        whole = Totals()
        for totals in self.workers.values():
            whole.add(totals)
        return whole


class ProgressLine:
    """At the foot of a terminal, at most five times a second; elsewhere a line every five seconds."""

    def __init__(self, when: str, is_quiet: bool, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._is_shown = when == "always" or when == "auto" and not is_quiet
        self._is_quiet = is_quiet
        self._is_drawn = False
        self._began = self._shown = time.monotonic()

    def show(self, tally: Tally, waves: Waves) -> None:
        """Draws it, if it is time."""
        now = time.monotonic()
        if not self._is_shown or now - self._shown < (0.2 if self._is_terminal else 5):
            return
        self._shown = now
        text = progress(tally, waves, now - self._began)
        if self._is_terminal:
            text = text[: os.get_terminal_size(self._stream.fileno()).columns - 1]
            self._stream.write(f"\r\x1b[K{text}")
            self._is_drawn = True
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def clear(self) -> None:
        """Removes it."""
        if self._is_drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._is_drawn = False

    def say(self, text: str, is_error: bool = False) -> None:
        """A line for people, above it; --quiet leaves only errors."""
        if is_error or not self._is_quiet:
            self.clear()
            print(text, file=self._stream, flush=True)


def progress(tally: Tally, waves: Waves, seconds: float) -> str:
    """`41,200 items · 1,030/s · 16 in flight · 2 retries · 37 of 200 partitions · 4 workers`"""
    total = tally.total
    speed = int(total.items / seconds) if seconds > 0 else 0
    parts = [f"{count(total.items)} items", f"{count(speed)}/s", f"{total.in_flight} in flight"]
    if total.retries:
        parts.append(counted(total.retries, "retry", "retries"))
    listed = count(waves.listed) if waves.is_all_listed else f"{count(waves.listed)}+"
    parts.append(f"{count(waves.done)} of {listed} partitions")
    if waves.failed:
        parts.append(f"{count(len(waves.failed))} failed")
    parts.append(counted(waves.at_work, "worker"))
    for host, wait in sorted(tally.pauses.items()):
        parts.append(f"waiting {span(wait)}: {host} asked for it")
    return " · ".join(parts)


def summary(tally: Tally, waves: Waves, seconds: float) -> str:
    """`4,000 items, 200 pages, 200 partitions, 203 requests, … in 12 s (333 items/s)`"""
    total = tally.total
    parts = [counted(waves.items, "item"), counted(waves.pages, "page"), counted(waves.done, "partition")]
    if waves.known_before:
        parts.append(f"{count(waves.known_before)} of them read before")
    if waves.failed:
        parts.append(f"{count(len(waves.failed))} failed")
    if total.requests:
        parts.append(counted(total.requests, "request"))
    if total.retries:
        parts.append(counted(total.retries, "retry", "retries"))
    if total.bytes:
        parts.append(f"{size(total.bytes)} received")
    speed = int(waves.items / seconds) if seconds > 0 else 0
    return f"{', '.join(parts)} in {span(seconds)} ({count(speed)} items/s)"


def write_summary(path: str, tally: Tally, waves: Waves, seconds: float, code: Exit) -> None:
    """The totals as one JSON object."""
    total = tally.total
    value: dict[str, Any] = {
        "items": waves.items, "pages": waves.pages, "requests": total.requests, "retries": total.retries, "bytesReceived": total.bytes,
        "seconds": round(seconds, 6), "itemsPerSecond": waves.items / seconds if seconds > 0 else 0,
        "partitions": {"done": waves.done, "failed": len(waves.failed), "doneBefore": waves.known_before},
        "complete": code == Exit.DONE, "exitCode": int(code),
    }
    line = json.dumps(value) + "\n"
    if path == "-":
        sys.stdout.write(line)
    else:
        with open(path, "w") as file:
            file.write(line)
