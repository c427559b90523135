#!/usr/bin/env python3
"""What handing out costs, a piece at a time, and what comes of it for a million partitions: costs.py --lookahead PATH [--partitions N]

Measures on this machine: listing, reading, and collecting partitions that hold nothing; the same through `lookahead-ray`; what a Ray
task costs; how many grants go through the coordinator. Prints a table for the chapter "Beyond one machine" of the manual. Figures hold for
this machine and what else runs on it.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lookahead_ray.cluster import Cluster
from lookahead_ray.messages import Ask, News, Settled, Totals

FEED = """
local p = lookahead.parameters { accounts = { default = 1, partition = false } }
local rows = lookahead.source { name = "rows", keys = "page" }
function rows.fetch(context) return { items = {}, isLast = true } end
local accounts = {}
for number = 0, p.accounts - 1 do accounts[number + 1] = number end
return rows:partitions(accounts, function(account) return { account = account } end)
"""


def timed(command, **more):
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    return time.monotonic() - began


async def grants(desk, workers, seconds):
    """How many grants go to so many workers that always want more, each reported before the next is asked for."""
    counts = [0]
    end = time.monotonic() + seconds

    async def worker(name):
        incarnation = await desk.tell(name, News(asks=[Ask("host", 10)], totals=Totals()))
        while time.monotonic() < end:
            orders = await desk.listen(name, incarnation)
            for grant in orders.grants:
                counts[0] += 1
                settled = [Settled("host", grant.number, grant.permits, 0)]
                await desk.tell(name, News(asks=[Ask("host", 10)], settled=settled, totals=Totals()))
        await desk.tell(name, News(is_gone=True))

    began = time.monotonic()
    await asyncio.gather(*[worker(f"w{number}") for number in range(workers)])
    return counts[0] / (time.monotonic() - began)


def tasks(count):
    """Seconds of one empty task among so many that are handed out two at a time."""
    import ray

    empty = ray.remote(lambda: None).options(num_cpus=1)
    ray.get([empty.remote() for _ in range(20)])
    began, out = time.monotonic(), [empty.remote() for _ in range(2)]
    for _ in range(count):
        done, out = ray.wait(out, num_returns=1)
        ray.get(done)
        out.append(empty.remote())
    return (time.monotonic() - began) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", required=True)
    parser.add_argument("--partitions", type=int, default=10_000)
    given = parser.parse_args()
    program, count = str(Path(given.lookahead).resolve()), given.partitions
    cost = {}
    with tempfile.TemporaryDirectory(prefix="lr-") as scratch:
        os.chdir(scratch)
        Path("feed.json").write_text(json.dumps({"accounts": count}))
        Path("feed.lua").write_text(FEED)
        script, passed = ("feed.json", []) if program.endswith(".py") else ("feed.lua", ["-e", f"accounts={count}"])
        cost["list one"] = timed([program, "partitions", script, *passed]) / count
        Path("list").write_bytes(subprocess.run([program, "partitions", script, *passed], check=True, stdout=subprocess.PIPE).stdout)
        empty = timed([program, "work", script, "-o", "none/", "--parts", "--at-once", "8", *passed], stdin=subprocess.DEVNULL)
        cost["start a process"] = empty
        with open("list") as lines:
            cost["claim, read and end one"] = (timed([program, "work", script, "-o", "one/", "--parts", "--at-once", "8", *passed], stdin=lines) - empty) / count
        Path("one/partitions.ndjson").write_bytes(Path("list").read_bytes())
        cost["a row of the manifest"] = timed([program, "collect", "one/"]) / count
        ours = [sys.executable, "-m", "lookahead_ray", "run", script, "--workers", "2", "--lookahead", program, *passed]
        Path("none.json").write_text("{}")
        nothing = [word.replace(f"accounts={count}", "accounts=1").replace("feed.json", "none.json") for word in ours]
        cost["start lookahead-ray"] = timed([*nothing, "-o", "nothing/"])
        cost["all of lookahead-ray for one"] = (timed([*ours, "-o", "all/"]) - cost["start lookahead-ray"]) / count
        cluster = Cluster(None, 2, None)
        try:
            cost["a Ray task"] = tasks(300)
            rates = {workers: asyncio.run(grants(cluster.desk, workers, 5)) for workers in (1, 4, 100)}
        finally:
            cluster.close()
    for name, seconds in cost.items():
        print(f"{name:32} {seconds * 1000:9.3f} ms")
    for workers, rate in rates.items():
        print(f"grants a second, {workers:4} workers     {rate:9.0f}")


if __name__ == "__main__":
    main()
