"""The gate in virtual time."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable

import pytest

from lookahead_ray.gate import LEASE, MARGIN, SLACK, Gate, Grant
from lookahead_ray.rates import Rate

HOST = "127.0.0.1:8080"


class World:
    """Workers and a gate that hear of each other late, in virtual time; workers die and the gate is restarted at random."""

    def __init__(self, seed: int, rate: Rate, workers: int, deaths: float = 0, restarts: float = 0, way: float = 0.03) -> None:
        self.dice, self.rate, self.way, self.deaths = random.Random(seed), rate, way, deaths
        self.now, self.number = 0.0, 0
        self.coming: list[tuple[float, int, Callable[[], None]]] = []
        self.gate = Gate(rate)
        self.living = {f"worker {number}" for number in range(workers)}
        self.arrivals: list[float] = []
        self.served: Counter[str] = Counter()
        self.alarm = 0
        for worker in sorted(self.living):
            self.later(self.dice.random() * 0.1, lambda worker=worker: self.ask(worker))  # type: ignore[misc]
        if restarts:
            self.later(restarts * self.dice.random(), lambda: self.restart(restarts))

    def later(self, seconds: float, event: Callable[[], None]) -> None:
        self.number += 1
        heapq.heappush(self.coming, (self.now + seconds, self.number, event))

    def delay(self) -> float:
        return self.dice.random() * self.way

    def run(self, seconds: float) -> None:
        while self.coming and self.coming[0][0] < seconds:
            self.now, _, event = heapq.heappop(self.coming)
            event()

    def restart(self, every: float) -> None:
        self.gate = Gate(self.rate, known_since=self.now, first=self.dice.getrandbits(40))
        self.later(every * (0.5 + self.dice.random()), lambda: self.restart(every))

    def ask(self, worker: str) -> None:
        if worker in self.living:
            want = self.dice.randint(1, 5)
            self.later(self.delay(), lambda: self.hear(worker, want))
            self.later(0.05 + self.dice.random() * 0.1, lambda: self.ask(worker))

    def hear(self, worker: str, want: int) -> None:
        self.gate.ask(worker, HOST, want, self.now)
        self.pump()

    def pump(self) -> None:
        for grant in self.gate.grants(self.living, self.now):
            self.served[grant.worker] += grant.permits
            self.later(self.delay(), lambda grant=grant: self.take(grant))  # type: ignore[misc]
        moment = self.gate.next_moment(self.living, self.now)
        if moment is not None:
            self.alarm = number = self.number + 1
            self.later(max(0.005, moment - self.now), lambda: self.pump() if self.alarm == number else None)

    def take(self, grant: Grant) -> None:
        for _ in range(grant.permits):
            self.later(self.dice.random() ** 3 * LEASE * 1.2, lambda: self.send(grant))

    def send(self, grant: Grant) -> None:
        """Uses a permit, if it is still valid."""
        if grant.worker not in self.living:
            return
        is_used = self.now <= grant.at + LEASE
        if is_used:
            self.arrivals.append(self.now + self.dice.random() * SLACK)
        if self.dice.random() < self.deaths:
            # Sent, and never reported.
            self.living.remove(grant.worker)
            self.gate.leave(grant.worker)
            return
        self.later(self.delay(), lambda: self.settle(grant, is_used))

    def settle(self, grant: Grant, is_used: bool) -> None:
        self.gate.settle(grant.host, grant.number, int(is_used), int(not is_used), self.now)
        self.pump()

    @property
    def fullest_window(self) -> int:
        times, first, most = sorted(self.arrivals), 0, 0
        for last, time in enumerate(times):
            while times[first] <= time - self.rate.per:
                first += 1
            most = max(most, last - first + 1)
        return most


@pytest.mark.parametrize("seed", range(30))
def test_no_window_holds_more_than_the_rate_whoever_dies_and_whenever_the_gate_is_restarted(seed: int) -> None:
    dice = random.Random(seed)
    rate = dice.choice([Rate(1, 1), Rate(7, 1), Rate(10, 1), Rate(100, 1), Rate(600, 60), Rate(101, 60), Rate(5000, 3600), Rate(1, 4)])
    world = World(seed, rate, workers=dice.choice([1, 3, 20]), deaths=dice.choice([0, 0.01]), restarts=dice.choice([0, 4]), way=dice.choice([0.001, 0.05, 0.3]))

    world.run(20 + min(2 * rate.per, 200))

    assert 0 < world.fullest_window <= rate.requests


def test_the_rate_is_nearly_reached() -> None:
    world = World(1, Rate(50, 1), workers=8, way=0.005)

    world.run(60)

    assert len(world.arrivals) > 0.75 * 50 * 60


@pytest.mark.parametrize("seed", range(5))
def test_no_worker_starves(seed: int) -> None:
    world = World(seed, Rate(20, 1), workers=30)

    world.run(120)

    mean = sum(world.served.values()) / 30
    assert min(world.served[worker] for worker in world.living) > 0.8 * mean


def test_those_who_wait_are_served_in_turns() -> None:
    gate = Gate(Rate(4, 1))
    for worker in "abc":
        gate.ask(worker, HOST, 3, now=0)

    first = {grant.worker: grant.permits for grant in gate.grants("abc", now=0)}
    over = LEASE + MARGIN + 1 + SLACK
    second = {grant.worker: grant.permits for grant in gate.grants("abc", now=over)}

    assert first == {"a": 2, "b": 1, "c": 1}
    assert second == {"b": 2, "c": 1, "a": 1}


def test_only_those_who_listen_are_granted_anything() -> None:
    gate = Gate(Rate(4, 1))
    gate.ask("dead", HOST, 4, now=0)
    gate.ask("alive", HOST, 4, now=0)

    assert [(grant.worker, grant.permits) for grant in gate.grants({"alive"}, now=0)] == [("alive", 4)]


def test_permits_that_come_back_unused_are_free_at_once_and_used_ones_after_a_window() -> None:
    gate = Gate(Rate(4, 1))
    gate.ask("a", HOST, 4, now=0)
    [grant] = gate.grants("a", now=0)

    gate.settle(HOST, grant.number, used=1, unused=3, now=0.2)

    assert gate.counted(HOST, now=0.2) == 1
    assert gate.counted(HOST, now=0.2 + 1 + SLACK - 0.001) == 1
    assert gate.counted(HOST, now=0.2 + 1 + SLACK) == 0


def test_permits_of_the_dead_count_as_used_in_the_last_moment_of_their_lease() -> None:
    gate = Gate(Rate(4, 1))
    gate.ask("a", HOST, 4, now=0)
    gate.grants("a", now=0)
    gate.leave("a")

    over = LEASE + MARGIN + 1 + SLACK

    assert gate.counted(HOST, now=over - 0.001) == 4
    assert gate.counted(HOST, now=over) == 0


def test_a_restarted_gate_waits_until_nothing_unknown_can_count() -> None:
    gate = Gate(Rate(4, 1), known_since=100)
    gate.ask("a", HOST, 4, now=100)
    opens = 100 + LEASE + MARGIN + 1 + SLACK

    assert gate.grants("a", now=opens - 0.001) == []
    assert gate.next_moment("a", now=100) == opens
    assert gate.paused(now=100) == {}
    assert gate.grants("a", now=opens)[0].permits == 4


def test_a_late_report_to_a_restarted_gate_counts_and_frees_nothing() -> None:
    gate = Gate(Rate(4, 1), known_since=0, first=1000)
    gate.settle(HOST, 7, used=2, unused=2, now=3)
    gate.ask("a", HOST, 4, now=3)

    assert gate.grants("a", now=3)[0].permits == 2


def test_a_pause_holds_for_all_and_for_one_host() -> None:
    gate = Gate(Rate(4, 1))
    gate.ask("a", HOST, 1, now=0)
    gate.ask("a", "other", 1, now=0)
    gate.pause(HOST, 5, now=0)

    assert [grant.host for grant in gate.grants("a", now=1)] == ["other"]
    assert gate.paused(now=1) == {HOST: 4}
    assert [grant.host for grant in gate.grants("a", now=5)] == [HOST]


def test_a_host_without_a_rate_is_granted_what_it_wants() -> None:
    gate = Gate()
    gate.ask("a", HOST, 1000, now=0)
    gate.ask("b", HOST, 3, now=0)

    assert sorted(grant.permits for grant in gate.grants("ab", now=0)) == [3, 1000]


def test_the_lowest_rate_that_workers_name_holds_unless_the_command_line_says_another() -> None:
    named, given = Gate(), Gate(Rate(50, 1))
    for gate in (named, given):
        gate.ask("a", HOST, 100, now=0, rate=Rate(20, 1))
        gate.ask("b", HOST, 100, now=0, rate=Rate(10, 1))

    assert sum(grant.permits for grant in named.grants("ab", now=0)) == 10
    assert sum(grant.permits for grant in given.grants("ab", now=0)) == 50


@pytest.mark.parametrize(
    ("text", "short"),
    [("10/s", Rate(10, 1)), ("600/m", Rate(10, 1)), ("5000/h", Rate(2, 1.44)), ("101/m", Rate(101, 60)), ("0.5/s", Rate(1, 2)), ("15/m", Rate(1, 4))])
def test_a_rate_is_held_in_the_shortest_window_of_whole_requests(text: str, short: Rate) -> None:
    assert Rate.parse(text).in_short == short


@pytest.mark.parametrize("text", ["10", "10/x", "-1/s", "x/s", "0/s", "/s", "1e3/s"])
def test_what_is_no_rate_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="expected requests per time"):
        Rate.parse(text)
