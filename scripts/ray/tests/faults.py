#!/usr/bin/env python3
"""Five kinds of fault in a Ray cluster, and what has to hold after each: faults.py --lookahead PATH [--accounts N] [--pages N] [--seed N]

A head and two nodes of one CPU, on this machine. `lookahead-ray run` reads accounts of a loopback server that logs each request
and answers some with 429. Once enough has happened, a `lookahead` child is killed, a Ray worker is killed, a child is stopped past
its lease and continued, the gate's actor is killed, and a node is removed. Then: the rows equal those of one undisturbed process,
none twice; no second held more requests than the rate; requests beyond the undisturbed run are at most faults times pages in flight; and what
the stopped child had claimed got nothing more. Prints what happened, and ends with 1 if anything does not hold.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import loopback

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Nodes have the address of the loopback interface.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

AT_ONCE, IN_FLIGHT = 2, 2
FEED = """
local p = lookahead.parameters { base = { required = true, partition = false }, accounts = { default = 1, partition = false } }
local rows = lookahead.source { name = "rows", keys = "page", pageSize = 5, maxInFlight = 2 }
function rows.fetch(context)
  local query = { account = context.parameters.account, page = context.key }
  local page = lookahead.http.get(p.base .. "/items", { query = query }):json()
  return { items = page.items, isLast = page.next == nil or page.next == lookahead.null }
end
local accounts = {}
for number = 0, p.accounts - 1 do accounts[number + 1] = number end
return rows:partitions(accounts, function(account) return { account = account } end)
"""


class Processes:
    """The processes of one run, as /proc shows them."""

    def __init__(self, folder):
        self.mark = str(folder).encode()

    def all(self):
        for place in Path("/proc").iterdir():
            if place.name.isdigit():
                try:
                    status = (place / "stat").read_text()
                    yield int(place.name), (place / "cmdline").read_bytes(), int(status.rpartition(")")[2].split()[1])
                except OSError:
                    continue

    def workers(self):
        """`lookahead work` children, with their parents."""
        return [(pid, parent) for pid, words, parent in self.all() if b"\0work\0" in words and self.mark in words and b"lookahead_ray" not in words]

    def below(self, ancestor):
        parents = {pid: (parent, words) for pid, words, parent in self.all()}
        found = []
        for pid in parents:
            at = pid
            while at in parents and at != ancestor:
                at = parents[at][0]
            if at == ancestor and pid != ancestor:
                found.append((pid, parents[pid][1]))
        return found


class Trial:
    def __init__(self, given, scratch):
        self.given, self.scratch, self.dice = given, scratch, random.Random(given.seed)
        self.server = loopback.Server(given.seed, given.pages)
        self.wrong = []
        is_double = given.lookahead.endswith(".py")
        self.script = scratch / ("feed.json" if is_double else "feed.lua")
        base = f"http://127.0.0.1:{self.server.port}"
        self.script.write_text(json.dumps({"base": base, "accounts": given.accounts}) if is_double else FEED)
        self.passed = [] if is_double else ["-e", f"base={base}", "-e", f"accounts={given.accounts}", "--allow-net", "--retries", "100"]
        self.whole = given.accounts * given.pages

    def check(self, claim, holds, shown=""):
        print(f"{'ok  ' if holds else 'WRONG'} {claim}{f': {shown}' if shown != '' else ''}", flush=True)
        if not holds:
            self.wrong.append(claim)

    def undisturbed(self):
        """The rows that one process brings, and what it asks for them."""
        self.server.reset(share_of_429=0)
        out = self.scratch / "quiet"
        if self.given.lookahead.endswith(".py"):
            rows = [item for account in range(self.given.accounts) for page in range(1, self.given.pages + 1) for item in loopback.items(account, page)]
            return sorted(json.dumps(row) for row in rows), self.whole
        command = [self.given.lookahead, "run", str(self.script), "-o", f"{out}.ndjson", *self.passed, "-q"]
        subprocess.run(command, check=True, cwd=self.scratch)
        return sorted(Path(f"{out}.ndjson").read_text().splitlines()), self.server.answered

    def begin(self, address):
        """Starts the command, as a person would."""
        command = [
            sys.executable, "-m", "lookahead_ray", "run", str(self.script), "-o", f"{self.out}/", "--address", address, "--rate", f"{self.given.rate}/s",
            "--workers", "2", "--at-once", str(AT_ONCE), "--silence", "3s", "--lookahead", self.given.lookahead, "--summary", str(self.scratch / "summary"), *self.passed]
        if not self.given.lookahead.endswith(".py"):
            command += ["--listen", "127.0.0.1:0", "--report", str(self.scratch / "page.html")]
        return subprocess.Popen(command, cwd=self.scratch, stderr=open(self.scratch / "said", "w"))

    @property
    def done(self):
        return len(list((self.out / "parts").glob("*.done")))

    def until(self, happens, what, patience=120):
        """Waits for something to have happened; the run must not end before."""
        end = time.monotonic() + patience
        while not (found := happens()):
            if time.monotonic() > end or self.run.poll() is not None:
                raise SystemExit(f"waited in vain for {what} (seed {self.given.seed})\n{(self.scratch / 'said').read_text()}")
            time.sleep(0.02)
        return found

    def progress(self, requests):
        target = self.server.answered + requests
        self.until(lambda: self.server.answered >= target, f"{requests} more requests")

    def child(self):
        return self.dice.choice(self.until(self.processes.workers, "a child"))

    def disturb(self, cluster, nodes):
        step = max(3, self.whole // 12)
        self.until(lambda: self.server.answered >= step, f"{step} requests")

        pid, _ = self.child()
        os.kill(pid, signal.SIGKILL)
        print(f"     killed a child at {self.server.answered} requests, {self.done} done", flush=True)
        self.progress(step)

        _, parent = self.child()
        os.kill(parent, signal.SIGKILL)
        print(f"     killed a Ray worker at {self.server.answered} requests, {self.done} done", flush=True)
        self.progress(step)

        [gate] = [pid for pid, words, _ in self.processes.all() if b"ray::Coordinator" in words and pid in {pid for pid, _ in self.processes.below(self.head)}]
        os.kill(gate, signal.SIGKILL)
        print(f"     killed the gate at {self.server.answered} requests, {self.done} done", flush=True)
        self.progress(step)

        zombie = self.stopped_child()
        before = self.parts(self.claims(zombie))
        # Its partitions are read by others now: their epochs are higher.
        self.until(lambda: all(self.is_superseded(part) for part in before), "its partitions to go to others")
        os.kill(zombie, signal.SIGCONT)
        print(f"     continued it at {self.server.answered} requests, {self.done} done", flush=True)
        self.progress(max(3, step // 2))
        after = self.parts(before)
        self.check("the zombie has committed nothing", before and after == before, f"{len(before)} parts")

        cluster.remove_node(self.dice.choice(nodes), allow_graceful=False)
        print(f"     removed a node at {self.server.answered} requests, {self.done} done", flush=True)

    def stopped_child(self):
        """Stops a child that is in the midst of partitions."""

        def found():
            for pid, _ in self.processes.workers():
                os.kill(pid, signal.SIGSTOP)
                if self.claims(pid):
                    print(f"     stopped a child at {self.server.answered} requests, {self.done} done", flush=True)
                    return pid
                os.kill(pid, signal.SIGCONT)
            return None

        return self.until(found, "a child that has begun")

    def claims(self, pid):
        """The parts that a process has open and has not ended."""
        open_files = {os.path.realpath(link) for link in Path(f"/proc/{pid}/fd").iterdir()}
        parts = [path for path in (self.out / "parts").glob("*.ndjson") if str(path.resolve()) in open_files]
        return [path for path in parts if not path.with_suffix(".done").exists()]

    def parts(self, paths):
        return {path: path.stat().st_size for path in paths if path.exists()}

    def is_superseded(self, part):
        id, epoch, _ = part.name.rsplit(".", 2)
        return any(int(other.name.rsplit(".", 2)[1]) > int(epoch) for other in (self.out / "parts").glob(f"{id}.*.ndjson"))

    def trial(self):
        wanted, asked = self.undisturbed()
        self.server.reset(share_of_429=0.02)
        self.out = self.scratch / "all"
        self.processes = Processes(self.out)
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **SMALL})
        self.head = os.getpid()
        try:
            nodes = [cluster.add_node(num_cpus=1, **SMALL) for _ in range(2)]
            self.run = self.begin(cluster.address)
            try:
                self.disturb(cluster, nodes)
                code = self.run.wait(timeout=300)
            finally:
                self.run.kill()
                self.run.wait()
        finally:
            if ray.is_initialized():
                ray.shutdown()
            cluster.shutdown()
        self.judge(wanted, asked, code)

    def judge(self, wanted, asked, code):
        self.check("it ends with 0", code == 0, code)
        manifest = [json.loads(line) for line in self.collected()]
        rows = sorted(json.dumps(row) for row in manifest)
        wanted = sorted(json.dumps(json.loads(row)) for row in wanted)
        self.check("the rows are those of one undisturbed process", rows == wanted, f"{len(rows)} of {len(wanted)}")
        self.check("none is there twice", len({row["id"] for row in manifest}) == len(manifest))
        self.check("no second holds more requests than the rate", self.server.fullest_second() <= self.given.rate, f"{self.server.fullest_second()} of {self.given.rate}")
        beyond, most = self.server.answered - asked, 4 * AT_ONCE * IN_FLIGHT
        self.check("requests beyond the undisturbed run are at most faults times pages in flight", beyond <= most, f"{beyond} of {most}")
        self.check("some were answered with 429", self.server.refused > 0, self.server.refused)
        if not self.given.lookahead.endswith(".py"):
            self.judge_page(len(rows))
        left = [pid for pid, words, _ in self.processes.all() if self.processes.mark in words and pid != os.getpid() and b"faults.py" not in words]
        self.check("no process is left", not left, left or "")

    def judge_page(self, rows):
        """What the page says in the end of partitions, items and workers."""
        page = re.search(r'<script type="application/json" id="data">(.*?)</script>', (self.scratch / "page.html").read_text())
        data = json.loads(page[1])
        self.check("the page has the end", data["run"].get("exitCode") == 0, data["run"])
        self.check("the page has every partition read", data["partitions"]["states"] == "d" * self.given.accounts, data["partitions"]["counts"])
        self.check("the page counts each row once", data["totals"]["items"] == rows, f"{data['totals']['items']} of {rows}")
        self.check("the page has lost workers, and nobody at work", data["workers"]["lost"] >= 1 and data["workers"]["count"] == 0, {name: value for name, value in data["workers"].items() if name not in ("list", "gates")})
        self.check("the page has the gate of the host", [gate["host"] for gate in data["workers"]["gates"]] == [f"127.0.0.1:{self.server.port}"], data["workers"]["gates"])

    def collected(self):
        if self.given.lookahead.endswith(".py"):
            parts = json.loads((self.out / "manifest.json").read_text())["parts"]
            return [line for part in parts for line in (self.out / "parts" / part["file"]).read_text().splitlines()]
        rows = self.scratch / "rows.ndjson"
        subprocess.run([self.given.lookahead, "collect", f"{self.out}/", "-o", str(rows)], check=True, stdout=subprocess.DEVNULL)
        # What the parts hold, not only what is left when ids are dropped that come twice.
        held = sum(len(path.read_text().splitlines()) for path in (self.out / "parts").glob("*.ndjson"))
        found = rows.read_text().splitlines()
        self.check("the parts that count hold each row once", held == len(found), f"{held} of {len(found)}")
        return found


SMALL = {"include_dashboard": False, "node_ip_address": "127.0.0.1", "object_store_memory": 80_000_000}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--accounts", type=int, default=200)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    print(f"seed {given.seed}: {given.accounts} accounts of {given.pages} pages, {given.rate} requests a second", flush=True)
    with tempfile.TemporaryDirectory(prefix="lr-") as scratch:
        trial = Trial(given, Path(scratch))
        try:
            trial.trial()
        finally:
            trial.server.close()
        if trial.wrong:
            print((Path(scratch) / "said").read_text(), file=sys.stderr)
    sys.exit(1 if trial.wrong else 0)


if __name__ == "__main__":
    main()
