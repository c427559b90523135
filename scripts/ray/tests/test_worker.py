"""One process and its link to the coordinator, without Ray: the coordinator is called directly."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable
from pathlib import Path

import loopback
import pytest

from lookahead_ray.coordinator import Coordinator
from lookahead_ray.link import Link
from lookahead_ray.messages import BatchResult, News, Orders, Partition
from lookahead_ray.rates import Rate
from lookahead_ray.worker import Worker, WorkerSettings

DOUBLE = str(Path(__file__).with_name("fake_lookahead.py"))


def settings(folder: Path, silence: float = 30) -> WorkerSettings:
    return WorkerSettings((sys.executable, DOUBLE, "work", str(folder / "s.json"), "-o", str(folder / "out"), "--at-once", "2"), str(folder), 2, silence)


def partitions(*parameters: dict[str, object]) -> list[Partition]:
    return [Partition(f"p-{n}", json.dumps({"id": f"p-{n}", "source": "rows", "parameters": given})) for n, given in enumerate(parameters)]


def read(folder: Path, orders: list[Partition], script: dict[str, object] | None = None, rate: Rate | None = None, silence: float = 30) -> BatchResult:
    (folder / "s.json").write_text(json.dumps(script or {}))

    async def run() -> BatchResult:
        return await Worker(Coordinator(rate, is_restarted=False), "0.a", orders, settings(folder, silence)).run()

    return asyncio.run(run())


def test_every_partition_has_its_outcome(tmp_path: Path) -> None:
    result = read(tmp_path, partitions({}, {"fail": "network"}, {"fail": "http"}, {}))

    found = {outcome.id: (outcome.is_done, outcome.code, outcome.is_passing) for outcome in result.outcomes}
    assert found == {"p-0": (True, "", False), "p-1": (False, "network", True), "p-2": (False, "http", False), "p-3": (True, "", False)}
    assert (result.exit_code, result.reason) == (1, "")


def test_what_is_done_is_not_read_again(tmp_path: Path) -> None:
    read(tmp_path, partitions({}))

    [outcome] = read(tmp_path, partitions({})).outcomes

    assert outcome.is_done and not outcome.is_new


def test_a_process_that_dies_leaves_what_it_had_begun(tmp_path: Path) -> None:
    result = read(tmp_path, partitions({"die": 1}, *[{}] * 20))

    assert result.exit_code == -signal.SIGKILL
    assert result.reason == "it was killed by SIGKILL"
    assert "p-0" in result.begun
    assert len(result.outcomes) < 20


def test_a_process_that_shows_no_sign_of_life_is_killed_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{}")
    silent = WorkerSettings((sys.executable, "-c", "import time; time.sleep(100)"), str(tmp_path), 2, 0.2, grace=0.2)

    result = asyncio.run(Worker(Coordinator(None, is_restarted=False), "0.a", partitions({}), silent).run())

    assert result.exit_code == -signal.SIGKILL
    assert "no sign of life" in result.reason


def test_a_run_that_stops_interrupts_its_processes(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps({"base": "http://127.0.0.1:9"}))

    async def run() -> BatchResult:
        coordinator = Coordinator(Rate(1, 1000), is_restarted=True)
        worker = asyncio.create_task(Worker(coordinator, "0.a", partitions({"account": 1}), settings(tmp_path)).run())
        while not (tmp_path / "out" / "parts" / "p-0.1.ndjson").exists():
            await asyncio.sleep(0.01)
        await coordinator.stop()
        return await worker

    result = asyncio.run(run())

    assert (result.exit_code, result.reason, result.outcomes) == (130, "it was stopped", [])


def test_requests_go_through_the_gate_and_every_row_comes(tmp_path: Path) -> None:
    server = loopback.Server(1, 5)
    try:
        server.reset(share_of_429=0.05)
        result = read(tmp_path, partitions(*[{"account": n} for n in range(8)]), {"base": f"http://127.0.0.1:{server.port}"}, Rate(20, 1))

        assert sum(outcome.items for outcome in result.outcomes) == 8 * 5 * loopback.ITEMS
        assert server.answered == 40
        assert server.fullest_second() <= 20
    finally:
        server.close()


class Deaf:
    """A desk that keeps what it is told."""

    def __init__(self, *orders: Orders) -> None:
        self.orders, self.told = list(orders), News()

    async def listen(self, worker: str, incarnation: str) -> Orders:
        if not self.orders:
            await asyncio.sleep(3600)
        return self.orders.pop(0)

    async def tell(self, worker: str, news: News) -> str:
        self.told.asks += news.asks
        self.told.settled += news.settled
        self.told.pauses |= news.pauses
        return "first"


def test_reports_are_of_the_oldest_grants_and_a_restarted_coordinator_is_told_anew() -> None:
    from lookahead_ray.gate import Grant

    written: list[str] = []
    desk = Deaf(Orders("first", 5.0, [Grant(7, "w", "h", 2, 5.0), Grant(8, "w", "h", 2, 5.1)]), Orders("second", 0.0))

    async def run() -> None:
        link = Link(desk, "w", written.append)
        link.hear({"event": "permits", "host": "h", "want": 4, "used": 0, "unused": 0, "rate": {"requests": 9, "per": 1}})
        link.hear({"event": "limited", "host": "h", "seconds": 60})
        serving = asyncio.create_task(link.run())
        await asyncio.sleep(0.05)
        desk.told.asks.clear()
        desk.told.pauses.clear()
        link.hear({"event": "permits", "host": "h", "want": 1, "used": 2, "unused": 1})
        await asyncio.sleep(0.05)
        serving.cancel()

    before = time.monotonic()
    asyncio.run(run())

    grants = [json.loads(line)["grant"] for line in written if "grant" in line]
    assert [grant["permits"] for grant in grants] == [2, 2]
    # A lease begins when the coordinator granted, not when the process reads the line.
    assert before + 0.49 <= grants[0]["until"] <= time.monotonic() + 0.5
    assert [(settled.grant, settled.used, settled.unused) for settled in desk.told.settled] == [(7, 2, 0), (8, 0, 1)]
    assert [ask.want for ask in desk.told.asks][-1] == 1


def test_a_pause_reaches_all_and_a_newcomer_too() -> None:
    async def run() -> tuple[Orders, Orders]:
        coordinator = Coordinator(None, is_restarted=False)
        first = await coordinator.listen("a", "")
        waiting = asyncio.create_task(coordinator.listen("a", first.incarnation))
        await asyncio.sleep(0)
        await coordinator.tell("b", News(pauses={"h": 5.0}))
        return await waiting, await coordinator.listen("c", "")

    heard, newcomer = asyncio.run(run())

    assert heard.pauses == {"h": 5.0}
    assert 4 < newcomer.pauses["h"] <= 5


@pytest.fixture(autouse=True)
def no_process_is_left() -> Awaitable[None] | None:
    yield  # type: ignore[misc]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
