#!/usr/bin/env python3
"""What it costs to remember, beside the same runs with --no-state.

    ./state.py [--lookahead ../.build/release/lookahead] [--runs 9] [--items 10000000] [--partitions 1000000]
    ./state.py --what cost start partitions

`cost`: 10,000 pages of 100 items that Lua makes, into each output, with and without state, turn by turn.
`start`: a run that goes on behind so many items, until it asks for its next page, beside a fresh one.
`partitions`: so many partitions of one page of one item, begun and committed, with and without state."""
import argparse, os, shutil, statistics, subprocess, tempfile, time
from pathlib import Path

COST = """
local things = lookahead.source { name = "things", keys = "page", pageSize = 100 }
function things.fetch(context)
  local items = {}
  for place = 1, 100 do
    local id = (context.key - 1) * 100 + place
    items[place] = { id = id, name = "item " .. id, value = id * 0.5, text = ("x"):rep(40) }
  end
  return { items = items, isLast = context.key == 10000 }
end
return things
"""
START = """
local p = lookahead.parameters { last = { default = 0, partition = false } }
local things = lookahead.source { name = "things", keys = "page", pageSize = 1000, retries = 0, maxInFlight = 1 }
function things.fetch(context)
  if context.key > p.last then error("page " .. context.key) end
  local items = {}
  for place = 1, 1000 do items[place] = { id = (context.key - 1) * 1000 + place } end
  return { items = items }
end
return things
"""
PARTITIONS = """
local p = lookahead.parameters { count = { default = 1, partition = false } }
local rows = lookahead.source { name = "rows" }
function rows.fetch(context) return { items = { { id = context.parameters.part } } } end
local parts = {}
for part = 1, p.count do parts[part] = part end
return rows:partitions(parts, function(part) return { part = part } end)
"""


def run(given, folder, *options, fails=False):
    """Wall and CPU seconds, and the most memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(
        [given.lookahead, "run", "x.lua", "--quiet", *options], cwd=folder, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    if (status != 0) != fails: raise SystemExit(f"{options}: {said}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def clean(folder):
    for path in Path(folder).iterdir():
        if path.name != "x.lua": shutil.rmtree(path) if path.is_dir() else path.unlink()


def cost(given, folder):
    print("\n| output | wall, s | without | ratio | CPU, s | without | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for output in ["a.db", "a.ndjson", "a.csv", "a.json", "folder/"]:
        with_, without = [], []
        for _ in range(given.runs):
            for results, options in ((with_, []), (without, ["--no-state"])):
                clean(folder)
                results.append(run(given, folder, "-o", output, *options))
        values = [statistics.median(row[part] for row in results) for part in (0, 1) for results in (with_, without)]
        wall, bare, cpu, bare_cpu = values
        print(f"| {output} | {wall:.3f} | {bare:.3f} | {wall / bare:.2f} | {cpu:.3f} | {bare_cpu:.3f} | {cpu / bare_cpu:.2f} |", flush=True)


def start(given, folder):
    print(f"\n| output, {given.items:,} items there | first run, s | to go on, s | fresh, s | MB more |\n| --- | ---: | ---: | ---: | ---: |")
    pages = given.items // 1000
    for output in ["a.db", "a.ndjson"]:
        clean(folder)
        first, _, _ = run(given, folder, "-o", output, "-e", f"last={pages}", fails=True)
        again = min(run(given, folder, "-o", output, "-e", f"last={pages}", fails=True) for _ in range(3))
        fresh = min(run(given, folder, "-o", f"b{output[1:]}", "-e", "last=0", fails=True) for _ in range(3))
        print(f"| {output} | {first:.1f} | {again[0]:.2f} | {fresh[0]:.2f} | {again[2] - fresh[2]:.0f} |", flush=True)


def partitions(given, folder):
    print(f"\n| output, {given.partitions:,} partitions | wall, s | without state | µs for the state of each |\n| --- | ---: | ---: | ---: |")
    for output in ["a.db", "a.ndjson"]:
        clean(folder)
        wall = run(given, folder, "-o", output, "-e", f"count={given.partitions}")[0]
        clean(folder)
        bare = run(given, folder, "-o", output, "-e", f"count={given.partitions}", "--no-state")[0]
        print(f"| {output} | {wall:.1f} | {bare:.1f} | {(wall - bare) / given.partitions * 1e6:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default=str(Path(__file__).parent / "../.build/release/lookahead"))
    parser.add_argument("--what", nargs="+", default=["cost", "start", "partitions"])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--partitions", type=int, default=1_000_000)
    given = parser.parse_args()
    given.lookahead = str(Path(given.lookahead).resolve())
    works = {"cost": (COST, cost), "start": (START, start), "partitions": (PARTITIONS, partitions)}
    for what in given.what:
        script, work = works[what]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "x.lua").write_text(script)
            work(given, folder)


main()
