"""The page of a run: one `lookahead watch` process, which is told what happens as fast as it takes it and no faster.

What it has not taken yet is held once for each partition, worker and host, the newest: the run never waits, and nothing is told
twice. A page that dies or takes nothing for long costs a warning.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence

from .gate import GateState
from .messages import BatchResult, Event, Outcome, Partition, Snapshot, Totals

PATIENCE = 30.0
"""Seconds after which a page that takes nothing is given up."""

BEGINNING = 15.0
"""Seconds in which it has to say where it is."""

ENDING = 10.0
"""Seconds in which it has to write its file and go."""

NAMED = 20_000
"""Partitions that are told with their parameters: the page draws no more."""


class PageFailed(Exception):
    """There is no page: with which code the process ended, and what it said."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Pending:
    """What the page was not told yet."""

    def __init__(self) -> None:
        self._partitions: list[str] = []
        self._listed = 0
        self._is_all_listed = False
        self._parts: dict[str, list[Event]] = {}
        """For each partition how it began, if that was not told, and the newest."""
        self._workers: dict[str, Event] = {}
        self._comings: list[Event] = []
        self._goings: list[Event] = []
        self._hosts: dict[str, Event] = {}
        self._pauses: dict[str, Event] = {}
        self._log: deque[Event] = deque(maxlen=200)

    def offer(self, partition: Partition) -> None:
        """There is a partition."""
        self._listed += 1
        if self._listed > NAMED:
            self._partitions.append(json.dumps({"id": partition.id, "source": json.loads(partition.line).get("source", "")}))
        else:
            self._partitions.append(partition.line)

    def end_list(self) -> None:
        """There are no others."""
        self._is_all_listed = True

    def tell(self, event: Event) -> None:
        """What a worker says of a partition, or that it is there."""
        if event["event"] == "ready":
            return self._comings.append(event)
        held = self._parts.setdefault(str(event["id"]), [])
        if held and not (len(held) == 1 and held[0]["event"] == "started"):
            held.pop()
        held.append(event)

    def count(self, worker: str, totals: Totals, silent: float) -> None:
        """What a worker has done so far."""
        self._workers[worker] = {
            "event": "progress", "worker": worker, "pages": totals.pages, "requests": totals.requests, "retries": totals.retries,
            "bytes": totals.bytes, "inFlight": totals.in_flight, "silent": round(max(0.0, silent), 3),
        }

    def leave(self, worker: str, reason: str) -> None:
        """A worker is gone."""
        self._goings.append({"event": "gone", "worker": worker, "reason": reason})

    def gate(self, state: GateState) -> None:
        """What is granted for a host."""
        event: Event = {"event": "gate", "host": state.host, "granted": state.granted, "waiting": state.waiting, "workers": state.workers}
        if state.rate:
            event |= {"width": state.rate.requests, "per": state.rate.per}
        self._hosts[state.host] = event

    def pause(self, host: str, seconds: float) -> None:
        """A host has asked everybody to wait."""
        self._pauses[host] = {"event": "limited", "host": host, "seconds": round(seconds, 3)}

    def log(self, line: str) -> None:
        """A line for people."""
        level, colon, _ = line.partition(": ")
        known = colon and level in ("debug", "info", "warn", "error")
        self._log.append({"event": "log", "level": level if known else "print", "message": line[len(level) + 2:] if known else line})

    def take(self) -> bytes:
        """All of it, as lines; nothing is pending any more."""
        lines = self._partitions
        events = self._comings + [event for held in self._parts.values() for event in held] + list(self._workers.values())
        events += self._goings + list(self._hosts.values()) + list(self._pauses.values()) + list(self._log)
        lines += [json.dumps(event) for event in events]
        if self._is_all_listed:
            lines.append('{"event": "listed"}')
        listed = self._listed
        self.__init__()  # type: ignore[misc]
        self._listed = listed
        return "".join(line + "\n" for line in lines).encode()


class Page:
    """Speaks to the process. `say` shows people a line."""

    def __init__(self, command: Sequence[str], say: Callable[[str], None], is_served: bool) -> None:
        self._say = say
        self._pending = Pending()
        self._rest = b""
        self._said = b""
        self._moved = time.monotonic()
        self._alive: dict[str, set[str]] = {}
        """For each batch the workers that are there."""
        self._done: set[str] = set()
        """Partitions that are read: what somebody says of them later, whom nobody waits for any more, does not count."""
        # Ctrl-C is for the run, and the page hears of it.
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0)
        assert self._process.stdin and self._process.stderr
        self._input, self._errors = self._process.stdin.fileno(), self._process.stderr.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._errors, False)
        self._is_open = True
        if is_served:
            self._wait_for_address()

    def offer(self, partition: Partition) -> None:
        """There is a partition."""
        if self._is_open:
            self._pending.offer(partition)

    def end_list(self) -> None:
        """There are no others, and whoever has listed them is gone."""
        self._pending.end_list()
        for worker in self._alive.pop("partitions", set()):
            self._pending.leave(worker, "")

    def take(self, snapshot: Snapshot) -> None:
        """Takes what the coordinator knows."""
        if not self._is_open:
            return
        for worker, totals in snapshot.totals.items():
            self._meet(worker)
            self._pending.count(worker, totals, snapshot.silent.get(worker, 0))
        for event in snapshot.events:
            if str(event.get("id")) in self._done:
                continue
            if event["event"] == "ready":
                self._replace(str(event["worker"]))
            self._pending.tell(event)
        for state in snapshot.gates:
            self._pending.gate(state)
        for host, seconds in snapshot.pauses.items():
            self._pending.pause(host, seconds)
        for line in snapshot.log:
            self._pending.log(line)

    def finish(self, batch: int, result: BatchResult, failed: Sequence[tuple[Partition, Outcome]]) -> None:
        """A batch has come back, whoever has read it."""
        if not self._is_open:
            return
        if result.worker:
            self._meet(result.worker)
            self._pending.count(result.worker, result.totals, 0)
        for outcome in result.outcomes:
            if outcome.is_done:
                self._done.add(outcome.id)
                self._pending.tell({"event": "done", "id": outcome.id, "items": outcome.items, "isNew": outcome.is_new})
        for partition, outcome in failed:
            self._pending.tell({"event": "failed", "id": partition.id, "code": outcome.code, "message": outcome.message or outcome.code})
        for worker in self._alive.pop(str(batch), set()):
            self._pending.leave(worker, result.reason)

    def pump(self) -> None:
        """Writes what the process takes now, and passes on what it says."""
        self._hear()
        while self._is_open:
            if not self._rest:
                self._rest = self._pending.take()
            if not self._rest:
                self._moved = time.monotonic()
                return
            try:
                written = os.write(self._input, self._rest)
            except BlockingIOError:
                if time.monotonic() - self._moved > PATIENCE:
                    self._process.kill()
                    self._give_up(f"takes nothing for {PATIENCE:.0f} s")
                return
            except OSError:
                self._give_up("is gone")
                return
            self._rest = self._rest[written:]
            self._moved = time.monotonic()

    def end(self, code: int, message: str) -> int:
        """The run is over: the page says how. Answers the exit code of its process; 0 if that was given up before."""
        if not self._is_open:
            return 0
        until = time.monotonic() + ENDING
        for workers in self._alive.values():
            for worker in workers:
                self._pending.leave(worker, "")
        self._rest += self._pending.take() + json.dumps({"event": "over", "exitCode": code, "message": message}).encode() + b"\n"
        while self._is_open and self._rest and time.monotonic() < until:
            select.select([], [self._input], [], 0.1)
            self.pump()
        self._close()
        try:
            self._process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.set_blocking(self._errors, True)
        self._hear()
        return max(0, self._process.returncode)

    def _meet(self, worker: str) -> None:
        self._alive.setdefault(worker.partition(".")[0], set()).add(worker)

    def _replace(self, worker: str) -> None:
        """Ray begins a batch again only when whoever had it is dead."""
        batch = worker.partition(".")[0]
        for earlier in self._alive.pop(batch, set()) - {worker}:
            self._pending.leave(earlier, "its Ray worker died")
        self._meet(worker)

    def _wait_for_address(self) -> None:
        until = time.monotonic() + BEGINNING
        said: list[str] = []
        while time.monotonic() < until:
            select.select([self._errors], [], [], 0.1)
            ended = self._process.poll() is not None
            said += self._lines()
            if any("http://" in line for line in said):
                for line in said:
                    self._say(line)
                return
            if ended:
                self._close()
                raise PageFailed(self._process.returncode, "\n".join(said) or "lookahead watch has ended")
        self._process.kill()
        self._close()
        raise PageFailed(1, "lookahead watch has said nothing")

    def _hear(self) -> None:
        for line in self._lines():
            self._say(line)

    def _lines(self) -> list[str]:
        """What the process has said since, in whole lines."""
        try:
            while got := os.read(self._errors, 1 << 16):
                self._said += got
        except BlockingIOError:
            pass
        *whole, self._said = self._said.split(b"\n")
        return [line.decode(errors="replace") for line in whole]

    def _give_up(self, what: str) -> None:
        self._close()
        self._say(f"lookahead-ray: the page {what}; the run goes on without it")

    def _close(self) -> None:
        self._is_open = False
        self._rest = b""
        self._pending = Pending()
        if self._process.stdin:
            try:
                self._process.stdin.close()
            except OSError:
                pass
