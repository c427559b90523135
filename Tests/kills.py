#!/usr/bin/env python3
"""Kills runs at random moments, has them go on until they end, and compares their outputs with those of undisturbed runs.

kills.py --lookahead PATH [--kills N] [--seed N] [--sinks db,ndjson,…] [--kinds cursor,…] prints a table, and ends with 1 if
any output differs or a run fails. The server answers slowly, and now and then not at all, with 429, 500, a reset, or half
a body. PostgreSQL is a server of its own, which is killed and started again as well, also while a run writes to it.
"""

import argparse
import gzip
import http.server
import json
import os
import random
import shutil
import signal
import socketserver
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from postgresql import PostgreSQL

ITEMS, SIZE = 400, 20
HEAD = """
local p = lookahead.parameters { base = { required = true, partition = false } }
local function get(path, query) return lookahead.http.get(p.base .. path, { query = query }):json() end
"""
PAGED = """
local things = lookahead.source { name = "things", keys = "page", pageSize = 20, maxInFlight = 8%s }
function things.fetch(context)
  local page = get("/%s", { page = context.key, size = context.size, account = context.parameters.account })
  return { items = page.items, total = page.total }
end
return %s
"""
CURSOR = """
local things = lookahead.source { name = "things", pageSize = 20%s }
function things.fetch(context)
  local page = get("/items", { cursor = context.key, size = context.size, since = context.bookmark })
  return { items = page.items, nextKey = page.next }
end
return things
"""
NEW = CURSOR.replace("context.bookmark }", "context.bookmark, account = context.parameters.account }")
NEW = NEW.replace("return things", "%s") % (', bookmark = "t", isRemoved = function(item) return item.deleted == true end', "%s")
ANEW = PAGED.replace("things", "anew").replace(" = size", " = 20") % ("", "items", "{ anew, things }")
TOLD = """
local things = lookahead.source { name = "things", pageSize = 20 }
function things.fetch(context)
  local page = get("/told", { cursor = context.key, size = context.size })
  return { items = page.items, nextKey = page.next, removed = page.removed }
end
return things
"""
# So large that rows are copied while others come, some transactions at a time.
LARGE = PAGED.replace("return %s", "function things.transform(item) item.pad = string.rep('x', 30000) return item end\nreturn %s")
STEPS = """
lookahead.each({ 1, 2, 3, 4, 5, 6 }, { key = function(n) return "account " .. n end, limit = 3 }, function(n)
  for number = 1, 8 do
    for _, item in ipairs(get("/items", { page = number, size = 20, account = n }).items) do lookahead.emit(item) end
  end
end)
"""
# What a kind of source is, whether an earlier reading is there, and what it is run with.
KINDS = {
    "counted keys, 8 in flight": (PAGED % ("", "items", "things"), False, []),
    "large items": (LARGE % ("", "items", "things"), False, []),
    "large items, second reading": (LARGE % ("", "items", "things"), True, []),
    "cursor": (CURSOR % "", False, []),
    "no ids": (PAGED % ("", "plain", "things"), False, []),
    "partitions": (PAGED % ("", "items", 'things:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { account = n } end, { limit = 3 })'), False, []),
    "partitions on two threads": (PAGED % ("", "items", 'things:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { account = n } end, { limit = 3 })'), False, ["--jobs", "2"]),
    "merge, second reading": (PAGED % ("", "items", "things"), True, []),
    "mirror, second reading": (PAGED % ("", "items", "things"), True, ["--write", "mirror"]),
    "append, second reading": (CURSOR % "", True, ["--write", "append"]),
    "only what is new": (CURSOR % ', bookmark = "t", isRemoved = function(item) return item.deleted == true end', True, []),
    "partitions of which only what is new": (NEW % "return things:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { account = n } end, { limit = 3 })", True, []),
    "partitions on two threads of which only what is new": (NEW % "return things:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { account = n } end, { limit = 3 })", True, ["--jobs", "2"]),
    "new beside anew": (NEW % ANEW, True, []),
    "edited while it is read": (CURSOR.replace("/items", "/edited") % ', bookmark = "t", isRemoved = function(item) return item.deleted == true end', True, []),
    "removals told": (TOLD, False, []),
    "handlers that go on": ((PAGED % ("", "items", "things")).replace("return { items = page.items, total = page.total }", "context:append(page.items) context:complete(#page.items == context.size) lookahead.sleep(context.key % 3 * 0.01)"), False, []),
    "steps": (STEPS, False, []),
    "refresh, second reading": (PAGED % ("", "items", "things"), True, ["--refresh", "5ms", "--refreshes", "2"]),
}
SINKS = {"db": "out.db", "ndjson": "out.ndjson", "csv": "out.csv", "json": "out.json", "folder": "out/",
         "ndjson.gz": "out.ndjson.gz", "csv.gz": "out.csv.gz", "json.zst": "out.json.zst", "csv.zst": "out.csv.zst"}
DATABASES = {"postgresql": "", "duckdb": "out.duckdb", "parquet": "out.parquet"}


def rows(version, account):
    """The list in the first or the second version, oldest change first."""
    first = 1000 * int(account or 0)
    items = [{"id": first + n, "t": n, "name": f"name {n}", "value": n / 4} for n in range(ITEMS)]
    if version == 2:
        items = [dict(item, t=ITEMS + item["t"], value=-1) if item["id"] % 7 == 0 else item for item in items if item["id"] % 10]
        items += [{"id": first + ITEMS + n, "t": 2 * ITEMS + n, "name": "new", "late": {"n": n}} for n in range(50)]
    return sorted(items, key=lambda item: item["t"])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments): pass

    def send(self, status, body=b"", length=None, **headers):
        head = [f"HTTP/1.1 {status} -", f"Content-Length: {len(body) if length is None else length}"]
        head += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.wfile.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)

    def do_GET(self):
        server, url = self.server, urlsplit(self.path)
        query = dict(parse_qsl(url.query))
        version, path = int(url.path[2]), url.path[4:]
        with server.lock:
            server.requests += 1
            luck, pause = server.dice.random(), server.dice.random()
        time.sleep(0.008 * pause)
        if luck < server.faults:
            self.close_connection = luck < server.faults / 2
            if luck < server.faults / 4:
                return
            if luck < server.faults / 2:
                return self.send(200, b'{"items":[', length=100)
            return self.send(500) if luck < server.faults * 0.75 else self.send(429, Retry_After=0)
        items = rows(version, query.get("account"))
        if "since" in query:
            items = [item for item in items if item["t"] >= int(query["since"])]
            first = 1000 * int(query.get("account", 0))
            items += [{"id": first + n, "t": 3 * ITEMS, "deleted": True} for n in range(0, ITEMS, 10)]
        if path == "plain":
            items = [{"name": item["name"], "value": n} for n, item in enumerate(items)]
        else:
            # Some come twice.
            items = items[: ITEMS // 2] + items[ITEMS // 2 - 5 :]
        if path == "edited":  # Some come again with a later change, and others as they were.
            items += [dict(item, t=3 * ITEMS + n, value=-2) for n, item in enumerate(items[:90:3])] + items[5:9]
        if path == "told":  # Some come again after they were removed.
            items += items[:40]
        size = int(query["size"])
        start = (int(query["page"]) - 1) * size if "page" in query else int(query.get("cursor") or 0)
        page = {"items": items[start : start + size], "total": len(items)}
        if path == "told":
            page["removed"] = [item["id"] for item in items[max(0, start - 60) : max(0, start - 50)]]
        if start + size < len(items):
            page["next"] = str(start + size)
        self.send(200, json.dumps(page).encode(), Content_Type="application/json")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, request_queue_size = True, 128

    def __init__(self, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock, self.dice, self.requests, self.faults = threading.Lock(), random.Random(seed), 0, 0.0

    def handle_error(self, *arguments):
        pass


def text(path):
    """The text of a file, which is packed if its name says so; all members of it have to be whole."""
    packed = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(packed)
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dcq"], input=packed, stdout=subprocess.PIPE, check=True).stdout
    return packed


def gone(group):
    """Waits until all of its processes are gone: one that is about to go still holds the database."""
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.001)


class Trial:
    """One kind of source into one sink."""

    postgresql = None

    def __init__(self, given, sink, kind, seed):
        self.given, self.sink, self.dice = given, sink, random.Random(seed)
        self.script, self.hasBefore, self.more = KINDS[kind]
        self.output, self.isMixed = (SINKS | DATABASES)[sink], kind == "steps" or kind.startswith("partitions")
        if sink == "postgresql" and not Trial.postgresql:
            Trial.postgresql = PostgreSQL()
        self.isDatabase = sink == "db" or sink in DATABASES
        self.count = 6 if self.isMixed else 2 if kind == "new beside anew" else 1
        self.isRefreshing = kind.startswith("refresh")
        self.server = Server(seed)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def place(self, folder):
        return Trial.postgresql.url(folder) if self.sink == "postgresql" else self.output

    def copied(self, old, new):
        shutil.copytree(old, new)
        if self.sink == "postgresql":
            Trial.postgresql.copy(old, new)
        return Path(new)

    def command(self, folder, version):
        base = f"http://127.0.0.1:{self.server.server_port}/v{version}"
        run = [self.given.lookahead, "run", "things.lua", "-o", self.place(folder), "-e", f"base={base}", "--allow-net"]
        return run + ["--retries", "30", "--quiet"] + self.more

    def finished(self, folder, version):
        result = subprocess.run(self.command(folder, version), cwd=folder, capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"{self.sink}, {self.script}: exit {result.returncode}: {result.stderr}")
        return self.contents(folder)

    def contents(self, folder):
        path = Path(folder) / self.output
        if self.sink in DATABASES:
            return self.rows(folder, path)
        if self.isMixed and not self.isDatabase:
            # Partitions that are read at the same time have no order among each other.
            files = sorted(path.iterdir()) if self.sink == "folder" else [path]
            return [sorted(line.rstrip(b",") for line in text(file).splitlines()) for file in files]
        if self.sink == "folder":
            return {file.name: file.read_bytes() for file in path.iterdir()}
        if self.sink != "db":
            return text(path)
        with sqlite3.connect(path) as database:
            tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
            found = {}
            for (table,) in tables.fetchall():
                columns = sorted(column[1] for column in database.execute(f'PRAGMA table_info("{table}")'))
                # Which number a partition has depends on which began first.
                partition = "(SELECT partition FROM _lookahead_readings WHERE id = _partition)"
                names = ", ".join(partition if column == "_partition" else f'"{column}"' for column in columns)
                found[table] = columns, sorted(map(repr, database.execute(f'SELECT {names} FROM "{table}"')))
        database.close()
        return found

    def rows(self, folder, path):
        """The tables of a database that has types: columns, types, and rows as text."""
        partition = "(select r.partition from _lookahead_readings r where r.id = _partition)"
        if self.sink == "postgresql":
            tables = Trial.postgresql.tables(folder)
        else:
            import duckdb

            database = duckdb.connect(str(path) if self.sink == "duckdb" else ":memory:")
            if self.sink == "parquet" and path.exists():
                database.execute(f"create view things as select * from read_parquet('{path}')")

            def lines(sql):
                return [repr(row) for row in database.execute(sql).fetchall()]

            tables = {}
            for (table,) in database.execute("select table_name from information_schema.tables").fetchall():
                if not table.startswith("_"):
                    types = f"select column_name || '|' || data_type from duckdb_columns() where table_name = '{table}' order by 1"
                    tables[table] = [row[0] for row in database.execute(types).fetchall()], lines
        found = {}
        for table, (columns, ask) in tables.items():
            names = [column.split("|")[0] for column in columns]
            chosen = ", ".join(partition if name == "_partition" else f'"{name}"' for name in names)
            found[table] = columns, sorted(ask(f'select {chosen} from "{table}"'))
        if self.sink != "postgresql":
            database.close()
        return found

    def prepared(self, scratch):
        """Makes a folder as it is before the run that is disturbed, and learns what an undisturbed one does."""
        before = Path(scratch) / "before"
        before.mkdir()
        (before / "things.lua").write_text(HEAD + self.script)
        if self.hasBefore:
            self.finished(before, 1)
        quiet = self.copied(before, Path(scratch) / "quiet")
        self.version = 2 if self.hasBefore else 1
        began, asked = time.monotonic(), self.server.requests
        self.wanted = self.finished(quiet, self.version)
        self.span, self.undisturbed = time.monotonic() - began, self.server.requests - asked
        self.names = sorted(path.name for path in quiet.iterdir())
        return before

    def run(self):
        with tempfile.TemporaryDirectory() as scratch:
            before = self.prepared(scratch)
            self.kills = self.runs = self.differ = self.extra = self.crashes = 0
            while self.kills < self.given.kills:
                here = self.copied(before, Path(scratch) / f"{self.runs}")
                self.server.requests, self.server.faults = 0, self.given.faults
                hasEnded = self.disturbed(here, self.version, self.span)
                self.server.faults = 0
                self.extra += self.server.requests - self.undisturbed
                self.runs += 1
                # A file that was to replace another one when the kill came stays under its own name.
                left = sorted(path.name for path in here.iterdir() if not path.name.startswith(".lookahead-"))
                # One that was killed behind its end could not tidy up.
                if self.contents(here) != self.wanted or hasEnded and left != self.names:
                    self.differ += 1
                    print(f"run {self.runs}: {'contents' if left == self.names else left}", file=sys.stderr)
                    if self.given.keep:
                        shutil.copytree(scratch, self.given.keep, dirs_exist_ok=True)
                shutil.rmtree(here)
        self.server.shutdown()

    def isAway(self, said):
        """Whether a run ended since its database was away."""
        words = ["the connection broke and did not come back", "connect to server", "connection to server", "no connection to the server", "starting up", "shutting down", "terminating connection", "server closed the connection"]
        return self.sink == "postgresql" and any(word in said for word in words)

    def isOver(self, folder):
        asked = [self.given.lookahead, "state", self.place(folder), "--format", "json"]
        told = subprocess.run(asked, cwd=folder, capture_output=True, text=True).stdout
        isLeft = any(Path(folder).glob("**/*.partial"))
        return told.startswith("[") and not isLeft and not self.isRefreshing and self.isDone(json.loads(told))

    def isDone(self, parts):
        """Whether all readings and steps have come to their end."""
        number = 2 if self.hasBefore else 1
        isOver = all(part["state"] in ("complete", "ended") and part.get("reading", number) == number for part in parts)
        return len(parts) == self.count and isOver

    def disturbed(self, folder, version, span):
        """Kills it up to twelve times, then has it end; says whether it ended by itself."""
        for _ in range(min(12, self.given.kills - self.kills)):
            run = subprocess.Popen(
                self.command(folder, version), cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True)
            try:
                if self.sink == "postgresql" and self.dice.random() < 0.5:
                    time.sleep(self.dice.random() * span / 2)
                    Trial.postgresql.crash()
                    self.crashes += 1
                _, said = run.communicate(timeout=self.dice.random() * span)
                if run.returncode not in (0, 75) and not self.isAway(said):
                    raise SystemExit(f"{self.sink}: exit {run.returncode}: {said}")
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
                gone(run.pid)
                self.kills += 1
            # A run that was killed behind its end is over: another one would be the next reading.
            if run.returncode == 0: return True
            if self.isOver(folder): return False
        while True:
            result = subprocess.run(self.command(folder, version), cwd=folder, capture_output=True, text=True)
            if result.returncode == 0:
                return True
            if result.returncode != 75 and not self.isAway(result.stderr):
                raise SystemExit(f"{self.sink}: exit {result.returncode}: {result.stderr}")


def fitting(kind, sinks):
    """The sinks of these that a kind can go to: one text can't keep what one source brought and replace what another did."""
    if kind.startswith(("append", "refresh", "new beside")):
        sinks = [sink for sink in sinks if sink != "parquet"]
    return [sink for sink in sinks if kind != "new beside anew" or sink in ("db", "folder", *DATABASES)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=float, default=0.03)
    parser.add_argument("--sinks", default=",".join(SINKS))
    parser.add_argument("--kinds", default=",".join(name.split(",")[0] for name in KINDS))
    parser.add_argument("--keep", help="a folder for what differs")
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    sinks = given.sinks.split(",")
    print(f"seed {given.seed}; how many outputs differ, of how many kills\n")
    print(f"| source | {' | '.join(sinks)} | requests undisturbed | more for each kill |")
    print(f"| --- |{' --: |' * (len(sinks) + 2)}")
    differ = 0
    for number, kind in enumerate(KINDS):
        if kind.split(",")[0] not in given.kinds.split(","): continue
        trials = {sink: Trial(given, sink, kind, given.seed * 100 + number) for sink in fitting(kind, sinks)}
        for trial in trials.values(): trial.run()
        differ += sum(trial.differ for trial in trials.values())
        if not trials: continue
        counts = " | ".join(f"{trials[sink].differ} of {trials[sink].kills}" if sink in trials else "" for sink in sinks)
        more = sorted(trial.extra / max(1, trial.kills) for trial in trials.values())
        print(f"| {kind} | {counts} | {next(iter(trials.values())).undisturbed} | {more[0]:.1f} to {more[-1]:.1f} |", flush=True)
    if Trial.postgresql:
        Trial.postgresql.process.stdin.close()
        Trial.postgresql.process.wait()
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
