"""The actor in the middle: it owns the gate, and knows how far the run is.

It may be restarted at any moment. Nothing that it knows is needed on disk: workers see that another incarnation answers, and tell it
again what they want, which pauses hold and how far they are; and the gate stays closed until nothing that the one before has
granted can count any more.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque

from .gate import Gate
from .messages import Event, News, Orders, Snapshot, Totals
from .rates import Rate

LONGEST_LISTEN = 10.0
"""Seconds after which a listener is answered though there is nothing to say."""

LONGEST_ABSENCE = 600.0
"""Seconds after which a worker that no longer listens is forgotten."""

LINES = 200
"""Lines for people that are kept until the command fetches them."""


EVENTS = 100_000
"""Events of workers that are kept until the command fetches them."""


class Coordinator:
    """Made a Ray actor by `cluster.py`; all its methods run on one event loop, one at a time between two awaits."""

    def __init__(self, rate: Rate | None, is_restarted: bool | None = None) -> None:
        if is_restarted is None:
            import ray

            is_restarted = ray.get_runtime_context().was_current_actor_reconstructed
        self._incarnation = f"{random.SystemRandom().getrandbits(64):016x}"
        first = random.SystemRandom().getrandbits(40) << 20
        self._gate = Gate(rate, time.monotonic() if is_restarted else None, first)
        self._listeners: dict[str, asyncio.Future[None]] = {}
        self._orders: dict[str, Orders] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._totals: dict[str, Totals] = {}
        self._changed: set[str] = set()
        self._heard: dict[str, float] = {}
        self._log: deque[str] = deque()
        self._left_out = 0
        self._events: list[Event] = []
        self._ended = 0
        self._stop = False

    async def listen(self, worker: str, incarnation: str) -> Orders:
        """Waits until there is something for a worker to do, and says it."""
        now = time.monotonic()
        orders = self._orders.setdefault(worker, Orders(self._incarnation, now, pauses=self._gate.paused(now)))
        orders.now = now
        if incarnation == self._incarnation and not self._is_news(orders):
            await self._news_for(worker)
        self._orders.pop(worker, None)
        orders.stop = self._stop
        return orders

    async def tell(self, worker: str, news: News) -> str:
        """Takes what a worker says; answers which incarnation heard it."""
        now = time.monotonic()
        for settled in news.settled:
            self._gate.settle(settled.host, settled.grant, settled.used, settled.unused, now)
        for ask in news.asks:
            self._gate.ask(worker, ask.host, ask.want, now, ask.rate)
        for host, seconds in news.pauses.items():
            self._pause(host, seconds, now)
        if news.totals is not None:
            self._totals[worker] = news.totals
            self._changed.add(worker)
            self._heard[worker] = now
        self._ended += news.ended
        self._keep(news.log)
        if len(self._events) < EVENTS:
            # What is left out, the command learns with the end of the batch.
            self._events += news.events
        if news.is_gone:
            self._forget(worker)
        self._pump()
        return self._incarnation

    async def snapshot(self) -> Snapshot:
        """What is new since the last one."""
        now = time.monotonic()
        told = Snapshot(
            self._incarnation, {worker: self._totals[worker] for worker in self._changed},
            {worker: now - heard for worker, heard in self._heard.items()}, self._gate.paused(now), list(self._log),
            self._left_out, self._ended, self._events, self._gate.states(now),
        )
        self._events = []
        self._changed.clear()
        self._log.clear()
        self._left_out = 0
        for worker in [worker for worker, orders in self._orders.items() if now - orders.now > LONGEST_ABSENCE]:
            self._forget(worker)
        # Those that have gone are told once, and then forgotten.
        self._totals = {worker: totals for worker, totals in self._totals.items() if worker in self._heard}
        return told

    async def stop(self) -> None:
        """All workers are to end what they have begun."""
        self._stop = True
        for worker in list(self._listeners):
            self._wake(worker)

    async def _news_for(self, worker: str) -> None:
        loop = asyncio.get_running_loop()
        earlier = self._listeners.pop(worker, None)
        if earlier is not None and not earlier.done():
            earlier.set_result(None)
        waiting = self._listeners[worker] = loop.create_future()
        self._pump()
        try:
            await asyncio.wait_for(asyncio.shield(waiting), LONGEST_LISTEN)
        except TimeoutError:
            pass
        finally:
            if self._listeners.get(worker) is waiting:
                del self._listeners[worker]

    def _forget(self, worker: str) -> None:
        self._gate.leave(worker)
        self._wake(worker)
        self._heard.pop(worker, None)
        self._orders.pop(worker, None)

    def _is_news(self, orders: Orders) -> bool:
        return bool(orders.grants or orders.pauses or self._stop)

    def _wake(self, worker: str) -> None:
        waiting = self._listeners.pop(worker, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def _pause(self, host: str, seconds: float, now: float) -> None:
        self._gate.pause(host, seconds, now)
        for worker, orders in self._orders.items():
            orders.pauses[host] = seconds
            self._wake(worker)

    def _pump(self) -> None:
        """Grants what can be granted to those who listen, and comes again when there may be more."""
        now = time.monotonic()
        for grant in self._gate.grants(self._listeners, now):
            self._orders[grant.worker].grants.append(grant)
        for worker in [worker for worker in self._listeners if self._is_news(self._orders[worker])]:
            self._wake(worker)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        moment = self._gate.next_moment(self._listeners, now)
        if moment is not None:
            # Permits that come free within a moment go out together.
            self._alarm = asyncio.get_running_loop().call_later(max(0.005, moment - now), self._pump)

    def _keep(self, lines: list[str]) -> None:
        room = max(0, LINES - len(self._log))
        self._log.extend(lines[:room])
        self._left_out += max(0, len(lines) - room)
