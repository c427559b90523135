"""How long it takes to start: the version, the first row, the size of the program."""
import os, subprocess, time
from measuring.case import Case, Contender, Goal, Sample
from measuring.commands import command
from measuring.places import HERE
from . import paging

VERSION = "--version"
LATENCY = 20


def first_row(line):
    """Measures from the start of a command to its first byte on standard output, without the server's latency."""
    def measure(work):
        environment = {**os.environ, **work.world.environment(), "LOOKAHEAD": work.lookahead}
        if "curl" in line: environment["URL"] = f"{work.world.server.base}/items?page=1&per_page=100"
        began = time.monotonic()
        process = subprocess.Popen(["sh", "-c", line], cwd=work.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        row = process.stdout.readline()
        took = time.monotonic() - began
        said = process.communicate()[1]
        if process.returncode: return Sample(wrong=f"exit code {process.returncode}: {said.decode(errors='replace')[-400:]}")
        if not row.startswith((b'{"id":1,', b'{"items":[{"id":1,')): return Sample(wrong=f"the first row is {row[:80]!r}")
        return Sample({"first": took - LATENCY / 1000})
    return measure


def size(work):
    return Sample({"size": os.path.getsize(work.lookahead) / 1e6})


def all_of(sizes):
    run = f"exec $LOOKAHEAD run {HERE}/http/items.lua -q -e base=$BASE_URL --allow-net=127.0.0.1 --limit 100"
    return [
        Case("start", "The start of the process", [
            command(VERSION, ["$LOOKAHEAD", "--version"], goals=(Goal("wall", 0.010, text="time ≤ 0.010 s"),)),
            command("curl --version", ["curl", "--version"], needs=("curl",)), command("jq --version", ["jq", "--version"], needs=("jq",)),
            command("python3 -c pass", ["python3", "-c", "pass"]),
        ], rounds=21, against="curl --version", readme=(("`--version`", VERSION, "curl --version", "wall", "s"),)),
        Case("first-row", f"The first row out: from the start to the first line, of a server that takes {LATENCY} ms for a page (taken off)", [
            Contender("run, to standard output", first_row(run), ours=True, goals=(Goal("first", 0.030, text="≤ latency + 0.030 s"),)),
            Contender("curl", first_row("exec curl -s $URL"), needs=("curl",)),
        ], ("first",), rounds=11, enter=lambda: paging.serving(1000, LATENCY), against="curl",
             readme=(("the first row out, without the latency", "run, to standard output", "curl", "first", "s"),)),
        Case("size", "The size of the program", [
            Contender("the program", size, ours=True, goals=(Goal("size", 46, text="< 46 MB"),))], ("size",), rounds=1),
    ]
