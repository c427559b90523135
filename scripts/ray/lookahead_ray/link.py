"""Between one process and the coordinator: what it asks for goes up, what it may do comes down."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from .gate import LEASE
from .messages import Ask, Event, News, Orders, Settled, Totals
from .rates import Rate


WATCHED = ("ready", "started", "position", "done", "failed")
"""Events that whoever watches the run is told."""

WATCHED_MEMBERS = ("event", "id", "items", "isNew", "code", "message")

MOST_WATCHED = 1000
"""Events that are on their way to the coordinator, from which on positions are left out: the next one says more."""

MACHINE = socket.gethostname()


class Desk(Protocol):
    """The coordinator as a worker sees it: over Ray, or in tests without."""

    def listen(self, worker: str, incarnation: str) -> Awaitable[Orders]: ...

    def tell(self, worker: str, news: News) -> Awaitable[str]: ...


class Link:
    """Speaks for one process. `write` sends a line to its standard input."""

    def __init__(self, desk: Desk, worker: str, write: Callable[[str], None], is_watched: bool = False) -> None:
        self._desk, self._worker, self._write, self._is_watched = desk, worker, write, is_watched
        self._incarnation = ""
        self._grants: dict[str, deque[list[int]]] = {}
        """For each host the grants that the process has, oldest first: their number and how many permits are left."""
        self._asks: dict[str, Ask] = {}
        self._pauses: dict[str, float] = {}
        """Until when hosts asked to wait, by this machine's clock."""
        self._totals: Totals | None = None
        self._news = News()
        self._is_news = asyncio.Event()
        self.is_stopped = asyncio.Event()

    async def run(self) -> None:
        """Listens and tells until it is cancelled."""
        await asyncio.gather(self._listen(), self._tell())

    def hear(self, event: Event) -> None:
        """Takes an event of the process: any of them is a sign of life."""
        kind = event["event"]
        if self._is_watched and kind in WATCHED:
            self._watch(event)
        if kind == "permits":
            self._hear_permits(event)
        elif kind == "limited":
            host, seconds = str(event["host"]), float(event["seconds"])
            self._pauses[host] = max(self._pauses.get(host, 0), time.monotonic() + seconds)
            self._news.pauses[host] = seconds
        elif kind in ("progress", "end"):
            self._totals = Totals.of(event)
        elif kind in ("done", "failed"):
            self._news.ended += 1
        self._totals = self._news.totals = self._totals or Totals()
        self._is_news.set()

    def _watch(self, event: Event) -> None:
        if event["event"] == "position" and len(self._news.events) >= MOST_WATCHED:
            return
        told = {name: event[name] for name in WATCHED_MEMBERS if name in event}
        self._news.events.append({**told, "worker": self._worker} | ({"machine": MACHINE} if event["event"] == "ready" else {}))

    def log(self, line: str) -> None:
        """Passes on what the process wrote for people."""
        self._news.log.append(line)
        self._is_news.set()

    async def leave(self) -> None:
        """Says that the process is gone."""
        self._news.is_gone = True
        if self._totals is not None:
            self._totals.in_flight = 0
        self._news.totals = self._totals
        news, self._news = self._news, News()
        await self._desk.tell(self._worker, news)

    def _hear_permits(self, event: Event) -> None:
        host = str(event["host"])
        given = event.get("rate")
        rate = Rate.of(float(given["requests"]), float(given["per"])) if given else None
        self._asks[host] = Ask(host, int(event.get("want") or 0), rate)
        self._news.asks.append(self._asks[host])
        used, unused = int(event.get("used") or 0), int(event.get("unused") or 0)
        grants = self._grants.setdefault(host, deque())
        # Whatever it used first: what it still has are the newest, so what counts for it counts for longest.
        while grants and used + unused > 0:
            number, left = grants[0]
            taken, back = min(used, left), min(unused, max(0, left - used))
            self._news.settled.append(Settled(host, number, taken, back))
            used, unused = used - taken, unused - back
            grants[0][1] -= taken + back
            if grants[0][1] == 0:
                grants.popleft()
        if used > 0:
            # More than it was given: the gate counts them all the same.
            self._news.settled.append(Settled(host, -1, used, 0))

    async def _tell(self) -> None:
        while True:
            await self._is_news.wait()
            self._is_news.clear()
            news, self._news = self._news, News()
            self._meet(await self._desk.tell(self._worker, news))

    async def _listen(self) -> None:
        while True:
            asked = time.monotonic()
            orders = await self._desk.listen(self._worker, self._incarnation)
            self._meet(orders.incarnation)
            for host, seconds in orders.pauses.items():
                self._pauses[host] = max(self._pauses.get(host, 0), time.monotonic() + seconds)
                self._write(json.dumps({"pause": {"host": host, "seconds": seconds}}))
            for grant in orders.grants:
                # Its lease began at the coordinator so long after this call arrived there; the way there took no less than nothing.
                until = asked + (grant.at - orders.now) + LEASE
                self._grants.setdefault(grant.host, deque()).append([grant.number, grant.permits])
                lease = max(0.0, until - time.monotonic())
                order = {"host": grant.host, "permits": grant.permits, "lease": round(lease, 4), "until": round(until, 4)}
                self._write(json.dumps({"grant": order}))
            if orders.stop:
                self.is_stopped.set()
                return

    def _meet(self, incarnation: str) -> None:
        """Tells a coordinator that was restarted what the one before knew."""
        if self._incarnation not in ("", incarnation):
            now = time.monotonic()
            self._news.asks = list(self._asks.values()) + self._news.asks
            self._news.pauses |= {host: until - now for host, until in self._pauses.items() if until > now}
            self._news.totals = self._totals
            self._is_news.set()
        self._incarnation = incarnation
