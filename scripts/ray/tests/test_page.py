"""The page's process as the command meets it: slow, dead, refused, and the real one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from lookahead_ray import page as pages
from lookahead_ray.coordinator import Coordinator
from lookahead_ray.gate import GateState
from lookahead_ray.messages import BatchResult, Event, Outcome, Partition, Snapshot, Totals
from lookahead_ray.options import parse
from lookahead_ray.page import Page, PageFailed, Pending
from lookahead_ray.rates import Rate
from lookahead_ray.worker import Worker

from test_worker import partitions, settings


def double(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def snapshot(*events: Event, totals: dict[str, Totals] | None = None, log: list[str] | None = None, gates: list[GateState] | None = None) -> Snapshot:
    return Snapshot("i", totals or {}, {}, {}, log or [], 0, 0, list(events), gates or [])


def told(pending: Pending) -> list[Any]:
    return [json.loads(line) for line in pending.take().splitlines()]


def test_what_is_not_told_yet_is_held_once_for_each_partition_with_its_beginning() -> None:
    pending = Pending()
    pending.tell({"event": "started", "id": "p", "items": 7, "worker": "0.a"})
    for items in range(8, 1000):
        pending.tell({"event": "position", "id": "p", "items": items, "worker": "0.a"})
    pending.tell({"event": "done", "id": "p", "items": 1000, "worker": "0.a"})

    lines = told(pending)

    assert [(line["event"], line["items"]) for line in lines] == [("started", 7), ("done", 1000)]
    assert told(pending) == []


def test_the_list_is_over_only_when_all_of_it_was_told() -> None:
    pending = Pending()
    pending.offer(Partition("a", '{"id":"a","source":"rows","parameters":{"n":1}}'))
    pending.end_list()
    pending.tell({"event": "done", "id": "a", "items": 1})

    assert [line.get("event", "partition") for line in told(pending)] == ["partition", "done", "listed"]


def test_lines_for_people_keep_their_level() -> None:
    pending = Pending()
    for line in ["warn: slow", "error: feed.lua:3: no", "my own: text"]:
        pending.log(line)

    assert [(line["level"], line["message"]) for line in told(pending)] == [
        ("warn", "slow"), ("error", "feed.lua:3: no"), ("print", "my own: text")]


def test_a_page_that_takes_nothing_never_makes_the_run_wait_and_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    page = Page(double("import time; time.sleep(100)"), said.append, is_served=False)
    monkeypatch.setattr(pages, "PATIENCE", 0.3)
    began = time.monotonic()
    longest = 0.0
    while not said and time.monotonic() - began < 10:
        start = time.monotonic()
        for number in range(2000):
            page.take(snapshot({"event": "position", "id": f"{number}", "items": 1, "worker": "0.a"}))
        page.pump()
        longest = max(longest, time.monotonic() - start)

    assert said == ["lookahead-ray: the page takes nothing for 0 s; the run goes on without it"]
    assert longest < 2
    assert page.end(0, "") == 0


def test_a_page_that_dies_costs_a_warning() -> None:
    said: list[str] = []
    page = Page(double("import sys; sys.stdin.readline()"), said.append, is_served=False)
    while not said:
        page.take(snapshot(log=["x" * 1000]))
        page.pump()
    page.take(snapshot(log=["more"]))
    page.pump()

    assert said == ["lookahead-ray: the page is gone; the run goes on without it"]
    assert page.end(0, "") == 0


def test_a_page_that_can_not_be_ends_the_run_before_it_begins() -> None:
    with pytest.raises(PageFailed, match="another program listens there") as failed:
        Page(double("import sys; sys.exit('error: --listen: another program listens there')"), print, is_served=True)

    assert failed.value.code == 1


def test_the_end_is_told_after_all_else_and_the_exit_code_is_the_pages(tmp_path: Path) -> None:
    page = Page(double(f"import sys; open({str(tmp_path / 'told')!r}, 'w').write(sys.stdin.read()); sys.exit(73)"), print, is_served=False)
    for number in range(5000):
        page.offer(Partition(f"{number}", json.dumps({"id": f"{number}", "source": "rows", "parameters": {"n": number}})))
    page.end_list()

    assert page.end(1, "no") == 73
    lines = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert len(lines) == 5002
    assert lines[-1] == {"event": "over", "exitCode": 1, "message": "no"}


def test_a_batch_that_is_begun_again_has_lost_its_worker(tmp_path: Path) -> None:
    page = Page(double(f"import sys; open({str(tmp_path / 'told')!r}, 'w').write(sys.stdin.read())"), print, is_served=False)
    page.take(snapshot({"event": "ready", "worker": "3.a"}, {"event": "ready", "worker": "4.b"}))
    page.take(snapshot({"event": "ready", "worker": "3.c"}))
    page.finish(4, BatchResult("4.b", [Outcome("p", True, 5, 1)]), [])
    page.end(0, "")

    lines = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [(line["worker"], line["reason"]) for line in lines if line["event"] == "gone"] == [
        ("3.a", "its Ray worker died"), ("4.b", ""), ("3.c", "")]


def test_a_coordinator_keeps_what_workers_say_until_it_is_fetched() -> None:
    async def run() -> tuple[Snapshot, Snapshot]:
        coordinator = Coordinator(Rate(10, 1), is_restarted=False)
        from lookahead_ray.messages import Ask, News

        await coordinator.tell("0.a", News(asks=[Ask("h", 3)], events=[{"event": "started", "id": "p"}]))
        return await coordinator.snapshot(), await coordinator.snapshot()

    first, second = asyncio.run(run())

    assert first.events == [{"event": "started", "id": "p"}] and second.events == []
    assert first.gates == [GateState("h", 0, Rate(10, 1), 3, 1)]


def test_the_page_is_asked_for_with_the_secrets_it_must_not_show() -> None:
    asked = parse(["run", "feed.lua", "-o", "all/", "--listen", ":0", "--report", "p.html", "--secret", "key=env:KEY", "--secret=b=c"])
    plain = parse(["run", "feed.lua", "-o", "all/"])

    assert plain.watch_command is None
    assert asked.watch_command is not None
    assert asked.watch_command[3:] == ["--listen", ":0", "--report", "p.html", "--secret", "key=env:KEY", "--secret=b=c"]


@pytest.mark.skipif("LOOKAHEAD" not in os.environ, reason="LOOKAHEAD names no program")
def test_the_real_page_shows_what_workers_do(tmp_path: Path) -> None:
    program = os.environ["LOOKAHEAD"]
    said: list[str] = []
    command = [program, "watch", "feed.lua", "--listen", "127.0.0.1:0", "--report", str(tmp_path / "page.html"), "--secret", "key=hunter22-sesame"]
    page = Page(command, said.append, is_served=True)
    url = re.search(r"http://\S+", said[0])
    assert url
    orders = partitions({}, {}, {"fail": "network"}, {})
    for order in orders:
        page.offer(order)
    page.end_list()
    (tmp_path / "s.json").write_text("{}")
    coordinator = Coordinator(None, is_restarted=False)

    async def read() -> tuple[BatchResult, Snapshot]:
        from dataclasses import replace

        result = await Worker(coordinator, "0.a", orders, replace(settings(tmp_path), is_watched=True)).run()
        return result, await coordinator.snapshot()

    result, last = asyncio.run(read())
    last.log.append("warn: the key is hunter22-sesame")
    page.take(last)
    page.finish(0, result, [(orders[2], next(outcome for outcome in result.outcomes if not outcome.is_done))])
    until, state = time.monotonic() + 20, {}
    while time.monotonic() < until:
        page.pump()
        text = urllib.request.urlopen(url[0] + "state.json").read().decode()
        state = json.loads(text)
        if state["totals"].get("partitions", {}).get("done") == 3 and state["partitions"]["counts"][2] == 1:
            break
    metrics = urllib.request.urlopen(url[0] + "metrics").read().decode()
    code = page.end(1, "1 partitions failed")

    assert state["totals"]["partitions"] == {"listed": 4, "done": 3, "isListed": True, "left": 0}
    assert state["partitions"]["states"] == "ddfd"
    assert state["workers"]["gone"] == 1 and state["workers"]["lost"] == 0
    assert "hunter22" not in text and "[secret]" in text and "hunter22" not in metrics
    assert 'lookahead_partitions{state="done"} 3' in metrics
    assert code == 0
    report = (tmp_path / "page.html").read_text()
    assert '"exitCode":1' in report and "hunter22" not in report


@pytest.mark.skipif("LOOKAHEAD" not in os.environ, reason="LOOKAHEAD names no program")
def test_a_taken_address_is_said_with_the_programs_own_words_and_code() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        with pytest.raises(PageFailed, match="another program listens there") as failed:
            Page([os.environ["LOOKAHEAD"], "watch", "--listen", f"127.0.0.1:{server.getsockname()[1]}"], print, is_served=True)

    assert failed.value.code == 73
    assert subprocess.run([os.environ["LOOKAHEAD"], "watch"], capture_output=True).returncode == 64
