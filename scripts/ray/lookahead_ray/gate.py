"""The gate: one rate for each host over all workers, as a sliding window that is never exceeded.

Time is an argument, and nothing here waits: `coordinator.py` calls it in real time, the tests in virtual time.

A permit counts from its grant until it is reported, or until its lease has lapsed; from then on, unless it came back unused,
for one window more. What a worker sent in any window is a part of what counts at its end, so no window holds more than the
rate, whoever dies when: a permit that nobody reports counts as used in the last moment of its lease.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Container
from dataclasses import dataclass, field

from .rates import Rate

LEASE = 0.5
"""Seconds in which a permit may be used."""

MARGIN = 0.1
"""Seconds by which a send may be later than the lease: a worker checks its clock directly before it sends."""

SLACK = 0.05
"""Seconds by which the way of one request to the server may be longer than that of another."""


@dataclass(frozen=True)
class Grant:
    """Permits for a worker, from the moment `at` on."""

    number: int
    worker: str
    host: str
    permits: int
    at: float


@dataclass(frozen=True)
class GateState:
    """How a host stands with the gate."""

    host: str
    granted: int
    """Permits that count now."""
    rate: Rate | None
    waiting: int
    """Requests that workers would send if they might."""
    workers: int
    """Workers that have such."""


@dataclass
class Held:
    """What is left of a grant that is neither reported nor over."""

    permits: int
    over: float


@dataclass
class HostGate:
    """What is granted for one host."""

    rate: Rate | None = None
    known: float = 0
    """Not before this moment: what was sent before is not known."""
    paused: float = 0
    """Not before this moment: the server asked for it."""
    wants: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """What workers ask for; the first is the next to be served."""
    held: dict[int, Held] = field(default_factory=dict)
    counted: int = 0
    used: list[tuple[float, int]] = field(default_factory=list)
    """When permits that were used stop to count, soonest first."""
    overs: list[tuple[float, int]] = field(default_factory=list)
    """When grants stop to count, soonest first."""

    @property
    def opens(self) -> float:
        return max(self.known, self.paused)

    def forget(self, now: float) -> None:
        """Drops what no longer counts."""
        while self.used and self.used[0][0] <= now:
            self.counted -= heapq.heappop(self.used)[1]
        while self.overs and self.overs[0][0] <= now:
            grant = self.held.pop(heapq.heappop(self.overs)[1], None)
            self.counted -= grant.permits if grant else 0

    def count_used(self, permits: int, window: float, now: float) -> None:
        if permits > 0:
            heapq.heappush(self.used, (now + window, permits))
            self.counted += permits


class Gate:
    """Grants permits to workers, in turns.

    `rate` is that of the command line, over those that workers name. `known_since` is the moment from which on this gate has seen all
    grants: one that has been restarted opens when all that it doesn't know of is over.
    """

    def __init__(self, rate: Rate | None = None, known_since: float | None = None, first: int = 0) -> None:
        self._rate = rate
        self._known_since = known_since
        self._hosts: dict[str, HostGate] = {}
        self._next = first

    def ask(self, worker: str, host: str, want: int, now: float, rate: Rate | None = None) -> None:
        """Sets what a worker could use now; zero takes it back."""
        gate = self._host(host, rate, now)
        if want > 0:
            gate.wants[worker] = want
        else:
            gate.wants.pop(worker, None)

    def settle(self, host: str, number: int, used: int, unused: int, now: float) -> None:
        """A worker reports what it did with permits of a grant; one that is not known counts as used now."""
        gate = self._host(host, None, now)
        gate.forget(now)
        window = self._window(gate)
        grant = gate.held.get(number)
        if grant is not None:
            back = min(used + unused, grant.permits)
            grant.permits -= back
            gate.counted -= back
            if grant.permits == 0:
                del gate.held[number]
        gate.count_used(used, window, now)

    def pause(self, host: str, seconds: float, now: float) -> None:
        """Nobody is granted anything for so long."""
        gate = self._host(host, None, now)
        gate.paused = max(gate.paused, now + seconds)

    def leave(self, worker: str) -> None:
        """A worker is gone: it asks for nothing; what it holds stays with it until its lease lapses."""
        for gate in self._hosts.values():
            gate.wants.pop(worker, None)

    def grants(self, listening: Container[str], now: float) -> list[Grant]:
        """What can be granted now to those who listen."""
        return [grant for name, gate in self._hosts.items() for grant in self._grants(name, gate, listening, now)]

    def next_moment(self, listening: Container[str], now: float) -> float | None:
        """When there may be something to grant again, if someone who listens wants it."""
        moments = [
            max(gate.opens, min([*(heap[0][0] for heap in (gate.used, gate.overs) if heap)], default=now))
            for gate in self._hosts.values()
            if any(worker in listening for worker in gate.wants)
        ]
        return min(moments, default=None)

    def paused(self, now: float) -> dict[str, float]:
        """How long hosts stay paused, in seconds."""
        return {name: gate.paused - now for name, gate in self._hosts.items() if gate.paused > now}

    def states(self, now: float) -> list[GateState]:
        """How all hosts stand."""
        for gate in self._hosts.values():
            gate.forget(now)
        return [
            GateState(name, gate.counted, gate.rate, sum(gate.wants.values()), len(gate.wants)) for name, gate in self._hosts.items()
        ]

    def counted(self, host: str, now: float) -> int:
        """How many permits count at this moment."""
        gate = self._host(host, None, now)
        gate.forget(now)
        return gate.counted

    def _host(self, name: str, rate: Rate | None, now: float) -> HostGate:
        gate = self._hosts.get(name)
        if gate is None:
            gate = self._hosts[name] = HostGate(self._rate and self._rate.in_short)
            self._wait_for_the_unknown(gate)
        if rate is not None and self._rate is None and (gate.rate is None or rate.a_second < gate.rate.a_second):
            gate.rate = rate.in_short
            self._wait_for_the_unknown(gate)
        return gate

    def _wait_for_the_unknown(self, gate: HostGate) -> None:
        if self._known_since is not None and gate.rate is not None:
            gate.known = max(gate.known, self._known_since + LEASE + MARGIN + self._window(gate))

    def _window(self, gate: HostGate) -> float:
        return gate.rate.per + SLACK if gate.rate else 0

    def _grants(self, host: str, gate: HostGate, listening: Container[str], now: float) -> list[Grant]:
        gate.forget(now)
        if now < gate.opens or not gate.wants:
            return []
        waiting = [worker for worker in gate.wants if worker in listening]
        free = gate.rate.requests - gate.counted if gate.rate else sum(gate.wants[worker] for worker in waiting)
        shares: dict[str, int] = {}
        while waiting and free > 0:
            share = max(1, free // len(waiting))
            for worker in waiting[:free]:
                permits = min(share, gate.wants[worker], free)
                shares[worker] = shares.get(worker, 0) + permits
                free -= permits
                gate.wants[worker] -= permits
                # To the end of the queue, also with nothing left to ask for.
                gate.wants.move_to_end(worker)
            waiting = [worker for worker in waiting if gate.wants[worker] > 0]
        for worker in shares:
            if gate.wants[worker] == 0:
                del gate.wants[worker]
        return [self._grant(host, gate, worker, permits, now) for worker, permits in shares.items()]

    def _grant(self, host: str, gate: HostGate, worker: str, permits: int, now: float) -> Grant:
        grant = Grant(self._next, worker, host, permits, now)
        self._next += 1
        over = now + LEASE + MARGIN + self._window(gate)
        gate.held[grant.number] = Held(permits, over)
        heapq.heappush(gate.overs, (over, grant.number))
        gate.counted += permits
        return grant
