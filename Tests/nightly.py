#!/usr/bin/env python3
"""Copies real servers three times, changed in between, with a kill in the third run: nightly.py --lookahead PATH

Each copy is compared with its server after each run; prints a line for each server, and ends with 1 if a copy differs.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AUTH = {"Authorization": "Basic dGVzdDo=", "Content-Type": "application/json"}


def ask(url, method="GET", body=None):
    request = urllib.request.Request(url, method=method, headers=AUTH, data=body and json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
        return json.loads(text) if text else None, answer.headers


def started(*command):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)
    return process, int(process.stdout.readline())


class Kinto:
    """Records that are put, changed and deleted; the copy asks for what is new."""

    script, parameter, changed = "kinto_since", "collection", "update, insert, delete"

    def __init__(self, folder):
        self.process, port = started(sys.executable, "Tests/Servers/kinto_server.py", "--follow-stdin")
        self.port, self.base = port, f"http://127.0.0.1:{port}/v1/buckets/nightly/collections/copies"
        ask(f"http://127.0.0.1:{port}/v1/buckets/nightly", "PUT", {"permissions": {"read": ["system.Everyone"]}})
        ask(self.base, "PUT", {})
        self.url = self.base
        for number in range(450):
            ask(f"{self.base}/records/r-{number}", "PUT", {"data": {"number": number}})

    def change(self, dice):
        there = sorted(self.rows())
        for name, _ in dice.sample(there, 20):
            ask(f"{self.base}/records/{name}", "DELETE")
        for number in dice.sample(range(600), 250):
            ask(f"{self.base}/records/r-{number}", "PUT", {"data": {"number": number + dice.randrange(1000)}})

    def rows(self):
        found, url = [], f"{self.base}/records"
        while url:
            page, headers = ask(url)
            found += page["data"]
            url = headers.get("Next-Page")
        return {(record["id"], record["number"]) for record in found}

    query = "SELECT id, number FROM records"


class RestFramework:
    """Articles that come and go without a word; the copy mirrors the list."""

    script, parameter, changed = "rest_mirror", "list", "insert, delete"

    def __init__(self, folder):
        self.process, self.port = started(sys.executable, "Tests/Servers/rest_framework_server.py", "--follow-stdin")
        self.base = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.base}/numbered/"

    def change(self, dice):
        there = sorted(self.rows())
        for number, _, _ in dice.sample(there, 60):
            ask(f"{self.base}/articles/{number}/", "DELETE")
        for _ in range(40):
            ask(f"{self.base}/numbered/", "POST", {"author": dice.randrange(1, 50), "title": f"new {dice.random()}"})

    def rows(self):
        found, url = [], self.url
        while url:
            page, _ = ask(url)
            found += page["results"]
            url = page["next"]
        return {(article["id"], article["author"], article["title"]) for article in found}

    query = "SELECT id, author, title FROM rows"


class Datasette:
    """A table with a key of two columns."""

    script, parameter, changed = "datasette_keys", "table", "update, insert, delete"

    def __init__(self, folder):
        self.database = sqlite3.connect(folder / "days.db", isolation_level=None)
        self.database.execute("CREATE TABLE days (station TEXT, day INTEGER, degrees REAL, PRIMARY KEY (station, day))")
        rows = [(f"s{n % 15}", n // 15, n / 10) for n in range(1500)]
        self.database.executemany("INSERT INTO days VALUES (?, ?, ?)", rows)
        self.port = 20000 + os.getpid() % 20000
        self.process = subprocess.Popen(
            [sys.executable, "-m", "datasette", "serve", str(folder / "days.db"), "--port", str(self.port),
             "--setting", "suggest_facets", "off"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}/days/days"
        for _ in range(200):
            try:
                ask(f"http://127.0.0.1:{self.port}/-/versions.json")
                break
            except OSError:
                time.sleep(0.05)

    def change(self, dice):
        for station, day, _ in dice.sample(sorted(self.rows()), 90):
            self.database.execute("DELETE FROM days WHERE station = ? AND day = ?", (station, day))
        for _ in range(120):
            row = (f"s{dice.randrange(15)}", dice.randrange(140), dice.random())
            self.database.execute("INSERT OR REPLACE INTO days VALUES (?, ?, ?)", row)

    def rows(self):
        return set(self.database.execute("SELECT station, day, degrees FROM days"))

    query = "SELECT station, day, degrees FROM rows"


def copied(server, given, folder, kills, dice):
    """Runs the script, killed so many times before, until it ends; says how often it was killed."""
    command = [
        given.lookahead, "run", str(ROOT / "scripts/nightly" / f"{server.script}.lua"), "-e",
        f"{server.parameter}={server.url}", f"--allow-net=127.0.0.1:{server.port}", "-o", str(folder / "copy.db"), "--quiet"]
    killed = 0
    while True:
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        if killed < kills:
            try:
                run.wait(dice.random() * 0.4)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
                killed += 1
                continue
        errors = run.communicate()[1]
        if run.returncode:
            raise SystemExit(f"{server.script}: exit {run.returncode}: {errors}")
        return killed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"seed {given.seed}")
    differ = 0
    for kind in [Kinto, RestFramework, Datasette]:
        dice = random.Random(given.seed)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            server = kind(folder)
            try:
                for turn in range(3):
                    killed = copied(server, given, folder, 3 if turn == 2 else 0, dice)
                    with sqlite3.connect(folder / "copy.db") as copy:
                        rows = copy.execute(server.query).fetchall()
                    wanted = server.rows()
                    isEqual = len(rows) == len(wanted) and set(rows) == wanted
                    differ += not isEqual
                    print(f"{server.script}, run {turn + 1}: {len(rows)} rows, {killed} kills, {'equal' if isEqual else 'DIFFERENT'}")
                    server.change(dice)
            finally:
                server.process.kill()
    sys.exit(1 if differ else 0)


main()
