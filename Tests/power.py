#!/usr/bin/env python3
"""Cuts the power of runs at random moments, on a disk that keeps what was synchronized and any part of the rest.

power.py --lookahead PATH [--cuts N] [--seed N] [--sinks db,ndjson,…] traces the system calls of one run (strace), makes of them
what a disk may have after a cut, has a run go on there until it ends, and compares its output with that of an undisturbed run.
It prints a table, and ends with 1 if any output differs or a run fails."""

import argparse
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

SINKS = {"db": "out.db", "ndjson": "out.ndjson", "csv": "out.csv", "json": "out.json"}
SCRIPT = """
local things = lookahead.source { name = "things", keys = "page", pageSize = 20, maxInFlight = 4 }
function things.fetch(context)
  lookahead.sleep(0.02 + (context.key % 3) / 200)
  local items = {}
  for place = 1, 20 do
    local id = (context.key - 1) * 20 + place
    items[place] = { id = id, name = "item " .. id, late = context.key > 60 and id or nil }
  end
  return { items = items, isLast = context.key == 400 }
end
return things
"""
CALLS = "write,pwrite64,fsync,fdatasync,rename,unlink,ftruncate,lseek"


def command(given, output):
    return [given.lookahead, "run", "things.lua", "-o", output]


def traced(given, output, folder):
    """What a run did to the files of its folder, in order."""
    log = folder / "trace"
    strace = ["strace", "-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-o", log]
    subprocess.run(strace + command(given, output), cwd=folder, check=True, capture_output=True)
    operations, places, halves = [], {}, {}
    for line in log.read_text().splitlines():
        process, _, call = line.partition(" ")
        call = call.strip()
        if call.endswith("<unfinished ...>"):
            halves[process] = call.removesuffix("<unfinished ...>")
            continue
        if resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", call):
            call = halves.pop(process) + resumed[1]
        found = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", call)
        if not found or int(found[3]) < 0:
            continue
        name, texts = found[1], [bytes.fromhex(text.replace("\\x", "")) for text in re.findall(r"(?:\\x[0-9a-f]{2})+", found[2])]
        paths = [text.decode() for text in texts if text.startswith(os.fsencode(folder))]
        if not paths:
            continue
        path = os.path.relpath(paths[0], folder)
        numbers = [int(number) for number in re.findall(r", (\d+)(?=,|$)", found[2])]
        if name == "lseek":
            places[path] = int(found[3])
        elif name == "pwrite64":
            operations.append(("write", path, numbers[-1], texts[-1][: int(found[3])]))
        elif name == "write":
            data = texts[-1] if len(texts) > 1 else b""
            operations.append(("write", path, places.get(path, 0), data[: int(found[3])]))
            places[path] = places.get(path, 0) + int(found[3])
        elif name == "ftruncate":
            operations.append(("cut", path, numbers[-1], b""))
        elif name == "rename":
            operations.append(("rename", path, os.path.relpath(paths[1], folder), b""))
        elif name == "unlink":
            operations.append(("unlink", path, 0, b""))
        else:
            operations.append(("sync", path, 0, b""))
    log.unlink()
    return operations


def apply(contents, operation):
    kind, _, place, data = operation
    if kind == "cut":
        del contents[place:]
    contents.extend(bytes(max(0, place - len(contents))))
    if kind == "write":
        contents[place : place + len(data)] = data


class Disk:
    """Files as they are, and as they were when they were last synchronized, with what came since."""

    def __init__(self):
        self.files, self.names, self.lost = {}, [], {}

    def take(self, operation):
        kind, path, place, _ = operation
        if kind == "sync":
            if path == ".":
                self.names = []
            for file in [self.files[path]] if path in self.files else []:
                for waiting in file["waiting"]:
                    apply(file["durable"], waiting)
                file.update(waiting=[], isThere=True)
        elif kind == "rename":
            before = self.files.get(place)
            self.files[place] = self.files.pop(path, self.new())
            self.names.append((path, place, before))
        elif kind == "unlink":
            self.files.pop(path, None)
        else:
            self.files.setdefault(path, self.new())["waiting"].append(operation)

    @staticmethod
    def new():
        return {"durable": bytearray(), "waiting": [], "isThere": False}

    def cut(self, folder, dice):
        """Writes what may be left."""
        files = dict(self.files)
        if self.names and dice.random() < 0.5:
            for path, place, before in reversed(self.names):
                files[path] = files.pop(place)
                if before:
                    files[place] = before
        for path, file in files.items():
            way, waiting = dice.random(), file["waiting"]
            if way < 0.25:
                kept = waiting
            elif way < 0.5:
                kept = waiting[: dice.randint(0, len(waiting))]
            elif way < 0.75:
                kept = [operation for operation in waiting if dice.random() < 0.5]
            else:
                kept = []
            if not kept and not file["isThere"] and dice.random() < 0.5:
                continue
            contents = bytearray(file["durable"])
            for operation in kept:
                apply(contents, operation)
            (folder / path).write_bytes(contents)


def contents(path):
    if path.suffix != ".db":
        return path.read_bytes()
    with sqlite3.connect(path) as database:
        found = sorted(map(repr, database.execute("SELECT id, name, late FROM things")))
        found += database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    return found


def start_anew(state):
    """Has the state be that of an earlier start of the machine, if a run was under way."""
    try:
        with sqlite3.connect(state) as database:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("UPDATE _lookahead_state SET value = 'before' WHERE name = 'boot' AND value <> ''")
        database.close()
    except sqlite3.Error:
        pass


def trial(given, sink, dice):
    """How many outputs differ, and how many runs went on behind some page."""
    output, differ, went = SINKS[sink], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        first = Path(scratch) / "first"
        first.mkdir()
        (first / "things.lua").write_text(SCRIPT)
        operations = traced(given, output, first)
        wanted = contents(first / output)
        for cut in range(given.cuts):
            disk, here = Disk(), Path(scratch) / str(cut)
            for operation in operations[: dice.randint(1, len(operations))]:
                disk.take(operation)
            here.mkdir()
            (here / "things.lua").write_text(SCRIPT)
            disk.cut(here, dice)
            start_anew(here / f"{output}.state")
            left = shutil.copytree(here, Path(scratch) / "left", dirs_exist_ok=True)
            result = subprocess.run(command(given, output), cwd=here, capture_output=True, text=True)
            went += "going on at page" in result.stderr
            if result.returncode or contents(here / output) != wanted:
                differ += 1
                print(f"{sink}, cut {cut + 1}: exit {result.returncode} {result.stderr.strip()}", file=sys.stderr)
                if given.keep:
                    shutil.copytree(left, Path(given.keep) / f"{sink}{cut + 1}", dirs_exist_ok=True)
            shutil.rmtree(here)
            shutil.rmtree(left)
    return differ, went


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sinks", default=",".join(SINKS))
    parser.add_argument("--keep", help="a folder for what differs")
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    dice = random.Random(given.seed)
    print(f"seed {given.seed}\n\n| output | cuts | differ | went on behind a page |\n| --- | --: | --: | --: |")
    differ = 0
    for sink in given.sinks.split(","):
        wrong, went = trial(given, sink, dice)
        differ += wrong
        print(f"| {sink} | {given.cuts} | {wrong} | {went} |", flush=True)
    sys.exit(1 if differ else 0)


main()
