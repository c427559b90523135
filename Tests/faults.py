#!/usr/bin/env python3
"""Fills or breaks the disk at each write of runs, or sets the wall clock while they are under way, and compares their outputs
with those of undisturbed runs.

faults.py disk|clock --lookahead PATH [--faults N] [--seed N] [--sinks db,…] [--kinds cursor,…] prints a table, and ends with 1
if any output differs, or a run ends as none should. What fails is a library that is preloaded (faults.c; gcc makes it).

A run that the disk stops has to end by itself, with a failure that names a file and says what to do, and a list that was whole
before stays whole; the next run goes on. A clock that was set changes nothing."""

import argparse
import collections
import contextlib
import email.utils
import errno
import json
import mmap
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kills

DAY = 86_400
# How a disk fails: with what, whether it stays so, and how many bytes of the first write that fails are missing.
WAYS = {
    "full for a moment": (errno.ENOSPC, False, 0),
    "full": (errno.ENOSPC, True, 0),
    "full, half a write": (errno.ENOSPC, True, -1),
    "half a write": (errno.ENOSPC, False, -1),
    "all but a byte": (errno.ENOSPC, True, 1),
    "broken for a moment": (errno.EIO, False, 0),
    "broken": (errno.EIO, True, 0),
    "too large": (errno.EFBIG, True, 0),
}
LAST, NUMBERS = 2**62, 24
# Items so large that a page does not wait in memory for its end.
LARGE = """
local things = lookahead.source { name = "things", keys = "page", pageSize = 20, maxInFlight = 4 }
function things.fetch(context)
  local page = get("/items", { page = context.key, size = context.size })
  for _, item in ipairs(page.items) do item.text = ("x"):rep(20000) end
  return { items = page.items, total = page.total }
end
return things
"""
kills.KINDS |= {"large items": (LARGE, False, [])}


class Handler(kills.Handler):
    def send(self, status, body=b"", length=None, **headers):
        if "Retry_After" in headers:
            now = time.time()
            headers = {"Retry_After": email.utils.formatdate(now, usegmt=True), "Date": email.utils.formatdate(now, usegmt=True)}
        super().send(status, body, length, **headers)


class Trial(kills.Trial):
    """One kind of source into one sink; what went wrong is counted by how."""

    def __init__(self, given, sink, kind, seed):
        super().__init__(given, sink, kind, seed)
        self.server.RequestHandlerClass = Handler
        self.kind, self.tried, self.wrong = kind, 0, collections.Counter()

    def run(self):
        with tempfile.TemporaryDirectory() as scratch:
            self.before = self.prepared(scratch)
            self.old = self.contents(self.before) if self.hasBefore else None
            self.shared = Path(scratch) / "faults"
            for number in range(self.given.faults):
                self.number = number
                here = shutil.copytree(self.before, Path(scratch) / "here")
                self.server.requests = 0
                told, problems = self.trouble(here)
                for problem in problems:
                    self.wrong[problem.split(":")[0]] += 1
                    print(f"{self.kind}, {self.sink}, {told}: {problem}", file=sys.stderr, flush=True)
                if problems and self.given.keep:
                    shutil.copytree(here, Path(self.given.keep) / f"{self.kind}-{self.sink}-{number}", dirs_exist_ok=True)
                shutil.rmtree(here)
        self.server.shutdown()

    def start(self, folder, numbers, limit=None):
        """Starts a run for which those numbers stand in the shared file."""
        self.shared.write_bytes(struct.pack(f"{NUMBERS}q128x", *numbers, *[0] * (NUMBERS - len(numbers))))
        preloaded = {"LD_PRELOAD": self.given.library, "FAULTS": str(self.shared), "FAULTS_FOLDER": str(folder)}
        preloaded |= {"FAULTS_CALL": self.given.call} if self.given.call else {}
        limited = limit and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        # What is no error may be said as well.
        command = [word for word in self.command(folder, self.version) if word != "--quiet"]
        return subprocess.Popen(
            command, cwd=folder, env=os.environ | preloaded, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=limited)

    def told(self):
        """The numbers of the shared file, and what was struck first."""
        data = self.shared.read_bytes()
        return struct.unpack_from(f"{NUMBERS}q", data), data[8 * NUMBERS :].rstrip(b"\0").decode(errors="replace")

    def ended(self, run, seconds):
        """What a run said, once it has ended; nil if it does not."""
        try:
            return run.communicate(timeout=seconds)[1]
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return None

    @staticmethod
    def left(folder):
        """What is in a folder, but for a file whose name a broken disk did not take away."""
        return sorted(path.name for path in folder.iterdir() if not path.name.startswith(".lookahead-"))

    def goes_on(self, folder):
        """What is wrong with the output once a run that nothing disturbs has gone on to the end."""
        said = []
        while True:
            result = subprocess.run(self.command(folder, self.version), cwd=folder, capture_output=True, text=True)
            said.append(result.stderr.strip())
            if result.returncode != 75:
                break
        left = self.left(folder)
        if result.returncode:
            return [f"the next run fails: {result.returncode}: {said[-1]}"]
        problems = [] if self.contents(folder) == self.wanted else ["the output differs"]
        return problems + ([] if left == self.names else [f"left behind: {left}"])


class Disk(Trial):
    """A run on a disk that fails at one of its calls."""

    def prepared(self, scratch):
        before = super().prepared(scratch)
        self.shared = Path(scratch) / "faults"
        counted = shutil.copytree(before, Path(scratch) / "counted")
        device = os.stat(counted).st_dev
        self.ended(self.start(counted, [0, 0, 0, errno.EIO, 0, device]), 60)
        self.calls = max(1, self.told()[0][0])
        self.largest = max(path.stat().st_size for path in counted.rglob("*") if path.is_file())
        return before

    def trouble(self, here):
        way, number = self.dice.choice(list(WAYS)), self.dice.randint(1, self.calls)
        if self.dice.random() < 0.4:
            # How a run begins and ends is not done again and again.
            number = self.dice.choice([*range(1, 9), *range(self.calls - 14, self.calls + 1)])
        way = self.way = self.given.way or way
        if self.given.at:
            number = self.number + (self.given.at if self.given.at > 0 else self.calls + 1 + self.given.at)
        error, stays, cut = WAYS[way]
        limit = None
        if error == errno.EFBIG:
            # The system itself refuses what is larger, and says so by a signal that ends a program.
            limit, number = self.given.at or self.dice.randint(1, self.largest), 0
        numbers = [0, number, LAST if stays else number, error, cut, os.stat(here).st_dev]
        said = self.ended(run := self.start(here, numbers, limit), 60)
        found, what = self.told()
        hit = f"{way} at {what or limit} (call {number} of {self.calls})"
        if said is None:
            return hit, ["it hangs"]
        self.tried += limit is not None or found[6] > 0
        if run.returncode == 0:
            left = self.left(here)
            problems = []
            if self.sink == "db" and "out.db-wal" not in said and not self.isWholeAlone(here):
                problems.append("it ends well, and leaves rows beside the database")
            problems += [] if self.contents(here) == self.wanted else ["it ends well, and the output differs"]
            # What it could not tidy up is no harm to the next reading; one without ids, or one that is appended, is another,
            # and one of what is new adds to a text.
            isAdding = self.kind[:6] in ("append", "no ids") or self.sink != "db" and (self.kind == "new beside anew" or self.kind.startswith("partitions") and "of which" in self.kind)
            isLast = left == self.names or isAdding
            return hit, problems + ([] if isLast else self.goes_on(here))
        problems = [problem for problem in [self.ending(run.returncode, said), self.harm(here)] if problem]
        if self.isOver(here):
            return hit, problems + ([] if self.contents(here) == self.wanted else ["it is over, and the output differs"])
        return hit, problems + self.goes_on(here)

    def ending(self, code, said):
        if code < 0:
            return f"it dies: {signal.Signals(-code).name}: {said.strip()}"
        names = [self.output.rstrip("/"), f"{self.output.rstrip('/')}.state"]
        if not any(name in said for name in names):
            return f"no file is named: {code}: {said.strip()}"
        return None if "When it can be written again, " in said else f"it does not say what to do: {code}: {said.strip()}"

    def harm(self, here):
        """Whether a list that is replaced as a whole is neither the old one nor the new."""
        if not self.hasBefore or self.sink in ("db", "folder") or self.kind[:4] in ("appe", "only"):
            return None
        if self.isRefreshing:
            # A disk that takes a part and nothing more leaves that.
            return None if self.isWhole(here) or self.way == "full, half a write" else "half an item is in the list"
        return None if self.contents(here) in (self.old, self.wanted) else "the old list is gone"


    def isWholeAlone(self, here):
        """Whether a database has all rows without the files beside it."""
        with tempfile.TemporaryDirectory() as alone:
            shutil.copy(here / self.output, alone)
            return self.contents(alone) == self.wanted

    def isWhole(self, here):
        """Whether a text ends with an item, as others may read it at any time."""
        try:
            text = kills.text(here / self.output)
        except (EOFError, OSError, subprocess.CalledProcessError):
            return False
        if self.sink.startswith("json"):
            with contextlib.suppress(ValueError):
                json.loads(text)
                return True
            return False
        return text.endswith(b"\n")


class Clock(Trial):
    """Runs that are killed, each under a clock that is set at any moment."""

    def trouble(self, here):
        hasEnded, told = False, []
        self.server.faults = self.given.server
        for attempt in range(6):
            now, jumps = time.monotonic_ns(), [1, self.dice.choice([-DAY, 0, DAY, 400 * DAY, -30_000 * DAY])]
            for at in sorted(self.dice.random() for _ in range(3)):
                jumps += [now + int(at * self.span * 1e9), self.dice.choice([-DAY, -1, DAY, 3600])]
            told.append(jumps[1::2])
            run = self.start(here, [0] * 8 + jumps)
            isKilled = attempt < 5 and self.dice.random() < 0.8
            said = self.ended(run, self.dice.random() * self.span if isKilled else 60)
            if said is None and not isKilled:
                return str(told), ["it hangs"]
            self.tried += 1
            if run.returncode not in (0, 75, -signal.SIGKILL):
                return str(told), [f"it fails: {run.returncode}: {said}"]
            for path in here.rglob("*"):
                # The broker of a run that was killed may be about to remove it.
                with contextlib.suppress(FileNotFoundError):
                    os.utime(path, (time.time() + self.dice.choice([-DAY, DAY]),) * 2)
            if hasEnded := run.returncode == 0:
                break
            if self.isOver(here):
                break
        self.server.faults = 0
        if not hasEnded and not self.isOver(here):
            return str(told), self.goes_on(here)
        return str(told), [] if self.contents(here) == self.wanted else ["the output differs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["disk", "clock"])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", type=float, default=0.03, help="how many answers of the server are faults, for the clock")
    parser.add_argument("--sinks", default=",".join(kills.SINKS))
    parser.add_argument("--kinds", default=",".join(name.split(",")[0] for name in kills.KINDS))
    parser.add_argument("--way", choices=list(WAYS), help="how the disk fails, always")
    parser.add_argument("--call", help="what fails, always: write, fsync, rename, …")
    parser.add_argument("--at", type=int, default=0, help="the first call that fails (the next fault is at the next one), or the size of a file that is too large")
    parser.add_argument("--keep", help="a folder for what differs")
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    wrong, sinks = collections.Counter(), given.sinks.split(",")
    with tempfile.TemporaryDirectory() as made:
        given.library = str(Path(made) / "faults.so")
        source = Path(__file__).with_name("faults.c")
        subprocess.run(["gcc", "-O1", "-Wall", "-shared", "-fPIC", "-o", given.library, source], check=True)
        print(f"seed {given.seed}; how many go wrong, of how many that were struck\n")
        print(f"| source | {' | '.join(sinks)} |\n| --- |{' --: |' * len(sinks)}")
        for number, kind in enumerate(kills.KINDS):
            if kind.split(",")[0] not in given.kinds.split(","):
                continue
            tried = {"disk": Disk, "clock": Clock}[given.what]
            trials = {sink: tried(given, sink, kind, given.seed * 100 + number) for sink in kills.fitting(kind, sinks)}
            for trial in trials.values():
                trial.run()
                wrong += trial.wrong
            counts = " | ".join(
                f"{sum(trials[sink].wrong.values())} of {trials[sink].tried}" if sink in trials else "" for sink in sinks)
            print(f"| {kind} | {counts} |", flush=True)
    for problem, count in wrong.most_common():
        print(f"{count}: {problem}")
    sys.exit(1 if wrong else 0)


main()
