"""Ray: a cluster to work on, the coordinator as an actor, batches as tasks. Nothing else here knows of it."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Awaitable
from typing import Any

from .coordinator import Coordinator
from .messages import BatchResult, News, Orders, Partition, Snapshot
from .rates import Rate
from .waves import Batch
from .worker import Worker, WorkerSettings

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Ray would say on a terminal what a later version does with processors of another kind.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray  # noqa: E402
import ray._private.worker  # noqa: E402
from ray.exceptions import RayError, RayTaskError  # noqa: E402
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: E402

# Ray prints on standard output, whatever log_to_driver says, that a worker died or a node is gone. Here that is no news: others read on.
ray._private.worker.print_to_stdstream = lambda *_, **__: None

STORE = 80_000_000
"""Bytes of the object store of a cluster of our own: results of batches are all that is in it."""

RETRIES = 20
"""How often Ray begins a batch again whose worker or node has died."""


class RayDesk:
    """The coordinator, over Ray."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def listen(self, worker: str, incarnation: str) -> Awaitable[Orders]:
        answer: Awaitable[Orders] = self._actor.listen.remote(worker, incarnation)
        return answer

    def tell(self, worker: str, news: News) -> Awaitable[str]:
        answer: Awaitable[str] = self._actor.tell.remote(worker, news)
        return answer


def read(actor: Any, batch: int, partitions: list[Partition], settings: WorkerSettings) -> BatchResult:
    """The task; each time that Ray begins it, it is another worker."""
    name = f"{batch}.{secrets.token_hex(4)}"
    return asyncio.run(Worker(RayDesk(actor), name, partitions, settings).run())


class Cluster:
    """A connection to Ray that has one coordinator; `close` ends all that was begun."""

    def __init__(self, address: str | None, workers: int | None, rate: Rate | None) -> None:
        self._scratch = tempfile.mkdtemp(prefix="lr-") if address is None else None
        common: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": True}
        if address is None:
            os.environ.pop("RAY_ADDRESS", None)
            ray.init(
                num_cpus=workers, include_dashboard=False, object_store_memory=STORE, _node_ip_address="127.0.0.1",
                _temp_dir=self._scratch, **common)
        else:
            ray.init(address=address, **common)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        self.workers = workers or max(1, int(resources.get("CPU", 1)))
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        self._actor: Any = ray.remote(Coordinator).options(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=here, max_concurrency=4 * self.workers + 100,
        ).remote(rate)
        self._task: Any = ray.remote(read).options(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD", name="lookahead work")
        self._batches: dict[Any, int] = {}
        self._snapshot: Any = None
        self.desk = RayDesk(self._actor)

    def begin(self, batch: Batch, settings: WorkerSettings) -> None:
        """Hands a batch to a worker."""
        self._batches[self._task.remote(self._actor, batch.number, batch.partitions, settings)] = batch.number

    def ended(self, patience: float) -> list[tuple[int, BatchResult]]:
        """The batches that have ended; waits for one at most so long."""
        if not self._batches:
            # There is nothing to wait for but the list of partitions.
            ray.wait([self._ask_snapshot()], timeout=patience)
            return []
        done, _ = ray.wait(list(self._batches), num_returns=1, timeout=patience)
        if done:
            done, _ = ray.wait(list(self._batches), num_returns=len(self._batches), timeout=0)
        return [(self._batches.pop(reference), self._result(reference)) for reference in done]

    def snapshot(self) -> Snapshot | None:
        """What is new at the coordinator, if it has answered; a restart of it only means that this takes longer."""
        done, _ = ray.wait([self._ask_snapshot()], timeout=0)
        if not done:
            return None
        told: Snapshot = ray.get(self._snapshot)
        self._snapshot = None
        return told

    def last_snapshot(self, patience: float) -> Snapshot | None:
        """What is new at the coordinator, waiting at most so long."""
        ray.wait([self._ask_snapshot()], timeout=patience)
        return self.snapshot()

    def stop(self) -> None:
        """All workers are to end what they have begun."""
        self._actor.stop.remote()

    def close(self) -> None:
        """Ends what still runs: with its worker, a process ends too."""
        for reference in self._batches:
            ray.cancel(reference, force=True)
        self._batches.clear()
        ray.kill(self._actor)
        ray.shutdown()
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _ask_snapshot(self) -> Any:
        if self._snapshot is None:
            self._snapshot = self._actor.snapshot.remote()
        return self._snapshot

    @staticmethod
    def _result(reference: Any) -> BatchResult:
        try:
            result: BatchResult = ray.get(reference)
            return result
        except RayTaskError:
            # Not of the worker's process or machine, but of this program.
            raise
        except RayError as error:
            return BatchResult("", reason=f"its Ray worker died: {str(error).splitlines()[0]}")
