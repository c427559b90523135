"""Which partitions go out next, and what to do with those that come back undone. Nothing here waits or knows of Ray."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from .messages import BatchResult, Outcome, Partition

LARGEST_BATCH = 64
"""Partitions for which one process is started: it costs some 20 ms, and so does a task."""

ATTEMPTS = 5
"""How often a partition may be under way when its process dies, until it counts as the reason."""


@dataclass
class Batch:
    """Partitions that one task reads."""

    number: int
    partitions: list[Partition]
    is_abandoned: bool = False
    """Its partitions are with another one too."""


@dataclass
class Standing:
    """A partition that has been handed out or is about to be."""

    partition: Partition
    attempts: int = 0
    batches: set[int] = field(default_factory=set)
    """In which it is under way: more than one if a process fell silent."""


class Waves:
    """Hands partitions out in batches, at most `workers` of them at a time.

    What is listed but not yet handed out is bounded: `has_room` says whether more may be offered. Batches are a share of that, so that
    they get smaller towards the end and all workers end together.
    """

    def __init__(self, workers: int, largest_batch: int = LARGEST_BATCH) -> None:
        self._workers, self._largest = workers, largest_batch
        self._waiting: deque[str] = deque()
        self._again: deque[list[str]] = deque()
        """Batches that go out before all others: what came back."""
        self._standing: dict[str, Standing] = {}
        self._batches: dict[int, Batch] = {}
        self._next = 0
        self.is_all_listed = False
        self.is_stopping = False
        self.listed = 0
        self.done = 0
        self.items = 0
        self.pages = 0
        self.known_before = 0
        """Of those that are done: were done before they were handed out."""
        self.failed: list[tuple[Partition, Outcome]] = []

    @property
    def has_room(self) -> bool:
        """Whether another partition may be offered."""
        return len(self._waiting) < 2 * self._workers * self._largest

    @property
    def is_over(self) -> bool:
        """Whether every partition is done or has failed, or all processes have stopped."""
        if self.is_stopping:
            return not self._batches
        return self.is_all_listed and not self._standing

    @property
    def at_work(self) -> int:
        """Batches that are out and that somebody waits for."""
        return sum(not batch.is_abandoned for batch in self._batches.values())

    def offer(self, partition: Partition) -> bool:
        """Takes a partition, unless the same one is listed or under way already."""
        if partition.id in self._standing:
            return False
        self._standing[partition.id] = Standing(partition)
        self._waiting.append(partition.id)
        self.listed += 1
        return True

    def batches(self) -> list[Batch]:
        """The batches to be handed out now."""
        made: list[Batch] = []
        while not self.is_stopping and self.at_work < self._workers and (ids := self._take()):
            batch = Batch(self._next, [self._standing[id].partition for id in ids])
            self._next += 1
            self._batches[batch.number] = batch
            for id in ids:
                self._standing[id].batches.add(batch.number)
            made.append(batch)
        return made

    def finish(self, number: int, result: BatchResult) -> list[tuple[Partition, Outcome]]:
        """Takes what came of a batch; answers the partitions that have failed for good."""
        batch = self._batches.pop(number)
        outcomes = {outcome.id: outcome for outcome in result.outcomes}
        failed: list[tuple[Partition, Outcome]] = []
        blamed: list[str] = []
        others: list[str] = []
        for partition in batch.partitions:
            standing = self._standing.get(partition.id)
            if standing is None:
                continue
            standing.batches.discard(number)
            outcome = outcomes.get(partition.id)
            if outcome is not None and outcome.is_done:
                self._count(outcome)
            elif outcome is not None and not outcome.is_superseded:
                if not standing.batches:
                    failed.append((partition, outcome))
                    del self._standing[partition.id]
            elif standing.batches:
                continue
            elif outcome is None and partition.id not in result.begun:
                others.append(partition.id)
            elif self._is_spent(standing):
                failed.append((partition, outcome or _died(partition, standing, result)))
                del self._standing[partition.id]
            else:
                blamed.append(partition.id)
        # One of those that were under way may be the reason: each goes by itself.
        self._again.extend([id] for id in blamed)
        if others:
            self._again.append(others)
        self.failed += failed
        return failed

    def abandon(self, number: int) -> bool:
        """A batch has given no sign of life: its partitions go out again, and whoever ends one first has read it.

        Answers whether there are any that others have to read.
        """
        batch = self._batches.get(number)
        if batch is None or batch.is_abandoned:
            return False
        batch.is_abandoned = True
        left = [partition.id for partition in batch.partitions if partition.id in self._standing]
        if left:
            self._again.append(left)
        return bool(left)

    def _take(self) -> list[str]:
        while self._again:
            ids = [id for id in self._again.popleft() if id in self._standing]
            if ids:
                return ids
        size = max(1, min(self._largest, -(-len(self._waiting) // (2 * self._workers))))
        return [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]

    def _count(self, outcome: Outcome) -> None:
        del self._standing[outcome.id]
        self.done += 1
        if outcome.is_new:
            self.items += outcome.items
            self.pages += outcome.pages
        else:
            self.known_before += 1

    @staticmethod
    def _is_spent(standing: Standing) -> bool:
        standing.attempts += 1
        return standing.attempts >= ATTEMPTS


def _died(partition: Partition, standing: Standing, result: BatchResult) -> Outcome:
    message = f"its process died {standing.attempts} times: {result.reason}"
    return Outcome(partition.id, False, code="died", message=f"{message}\n{result.said}".rstrip())
