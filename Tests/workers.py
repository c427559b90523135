#!/usr/bin/env python3
"""Has several workers write one table of a PostgreSQL, kills them and the server at random moments, and compares the rows with
those of one run.

workers.py --lookahead PATH [--workers N] [--kills N] [--rounds N] [--seed N] prints a line for each round, and ends with 1 if any
table differs or a worker fails otherwise. Each partition is given to workers again until one says that it is done.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from kills import HEAD, PAGED, Server
from postgresql import PostgreSQL

PARTS = 10
# Columns that some accounts bring later, ids of both kinds, and removals.
MORE = """
function things.transform(item)
  local account = math.floor(item.id / 1000)
  if account % 3 == 0 then item["only_" .. account] = item.value end
  if account % 4 == 1 and item.t % 50 == 0 then item.value = "v" .. item.t end
  return item
end
"""
PARTITIONS = "things:partitions({ %s }, function(n) return { account = n } end, { limit = 3 })"
SCRIPT = HEAD + (PAGED % ("", "items", "X")).replace("return X", MORE + "return " + PARTITIONS % ", ".join(map(str, range(1, PARTS + 1))))
AWAY = ["the connection broke", "connect to server", "connection to server", "starting up", "shutting down",
        "terminating connection", "server closed the connection", "in recovery mode", "no connection to the server"]


class Round:
    def __init__(self, given, server, database, number, scratch):
        self.given, self.server, self.database = given, server, database
        self.folder = Path(scratch) / f"{number}"
        self.folder.mkdir()
        (self.folder / "things.lua").write_text(SCRIPT)
        self.dice = random.Random(given.seed * 1000 + number)
        self.left, self.lock, self.kills, self.crashes, self.ends, self.lost = None, threading.Lock(), 0, 0, 0, 0

    def command(self, name):
        base = f"http://127.0.0.1:{self.server.server_port}/v1"
        return [self.given.lookahead, name, "things.lua", "-e", f"base={base}", "--allow-net"]

    def output(self):
        return ["-o", self.database.url(self.folder), "--quiet"]

    def listed(self):
        asked = subprocess.run(self.command("partitions"), cwd=self.folder, capture_output=True, text=True, check=True)
        return {json.loads(line)["id"]: line for line in asked.stdout.splitlines()}

    def run(self):
        """One undisturbed run."""
        subprocess.run(self.command("run") + self.output() + ["--retries", "30"], cwd=self.folder, check=True)
        return self.rows()

    def rows(self):
        found = {}
        for table, (columns, ask) in self.database.tables(self.folder).items():
            names = [column.split("|")[0] for column in columns]
            partition = "(select r.partition from _lookahead_readings r where r.id = _partition)"
            chosen = ", ".join(partition if name == "_partition" else f'"{name}"' for name in names)
            found[table] = columns, sorted(ask(f'select {chosen} from "{table}"'))
        return found

    def work(self, worker):
        """Gives a worker some of the partitions that are left, again and again."""
        dice = random.Random(self.dice.random() + worker)
        while True:
            with self.lock:
                if not self.left:
                    return
                # The same one may be read by two: it belongs to who has claimed it last.
                lines = dice.sample(sorted(self.left.values()), min(len(self.left), 3))
                mayKill = self.kills < self.given.kills
            run = subprocess.Popen(
                self.command("work") + self.output() + ["--retries", "30", "--at-once", "2"], cwd=self.folder, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            killer = None
            if mayKill and dice.random() < 0.7:
                killer = threading.Timer(dice.random() * 1.5, self.kill, [run])
                killer.start()
            said, errors = run.communicate("\n".join(lines) + "\n")
            if killer:
                killer.cancel()
            self.ends += run.returncode == 75
            events = [json.loads(line) for line in said.splitlines() if line.endswith("}")]
            # A partition that another one has claimed is lost to the first, which is no fault.
            lost = [event["code"] for event in events if event["event"] == "failed"]
            isRight = run.returncode in (0, 75, -signal.SIGKILL) or run.returncode == 1 and lost and set(lost) == {"superseded"}
            if not isRight and not any(word in errors for word in AWAY):
                self.problem = f"exit {run.returncode}: {errors}{said[-2000:]}"
                with self.lock:
                    self.left = {}
                return
            self.lost += len(lost)
            with self.lock:
                for event in events:
                    if event["event"] == "done":
                        self.left.pop(event["id"], None)

    def kill(self, run):
        try:
            os.killpg(run.pid, signal.SIGKILL)
            self.kills += 1
        except ProcessLookupError:
            pass

    def disturbed(self):
        self.problem, self.left = None, self.listed()
        threads = [threading.Thread(target=self.work, args=(number,)) for number in range(self.given.workers)]
        for thread in threads: thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.3 + self.dice.random() * 2)
            if self.crashes < self.given.crashes and self.left:
                self.database.crash()
                self.crashes += 1
        return self.rows()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--crashes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=float, default=0.02)
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    server, database, differ = Server(given.seed), PostgreSQL(), 0
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    with tempfile.TemporaryDirectory() as scratch:
        wanted = Round(given, server, database, 0, scratch).run()
        server.faults = given.faults
        for number in range(1, given.rounds + 1):
            trial = Round(given, server, database, number, scratch)
            found = trial.disturbed()
            isEqual = found == wanted and not trial.problem
            differ += not isEqual
            print(f"round {number}: {'equal' if isEqual else 'different'}, {trial.kills} kills, {trial.crashes} of the server, "
                  f"{trial.ends} ended with 75, {trial.lost} partitions lost to others", flush=True)
            if trial.problem:
                print(trial.problem, file=sys.stderr)
            elif not isEqual:
                for table in sorted(set(found) | set(wanted)):
                    (columns, rows), (old, before) = found.get(table, ([], [])), wanted.get(table, ([], []))
                    print(f"{table}: {columns} {old}\nmore: {sorted(set(rows) - set(before))[:5]}\n"
                          f"less: {sorted(set(before) - set(rows))[:5]}; {len(rows)} and {len(before)}", file=sys.stderr)
    database.process.stdin.close()
    database.process.wait()
    server.shutdown()
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
