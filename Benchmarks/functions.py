#!/usr/bin/env python3
"""Writes the list of the functions that runs go through, for the linker to put side by side (`Package.swift`): a page of the program
that is asked for brings its neighbours into memory.

swift build -c release --product lookahead --static-swift-stdlib && ./functions.py

The program has to have all its symbols. What is not in the list, as it is new, is where it would be without one.
"""
import collections, os, subprocess, sys, tempfile
from cases import data, paging
from measuring import callgrind
from measuring.places import HERE, SCRIPTS

PROGRAM = os.environ.get("LOOKAHEAD_BINARY", os.path.realpath(os.path.join(HERE, "../.build/release/lookahead")))
LIST = os.path.join(HERE, "../scripts/functions.txt")
ROWS, ITEMS = 3000, 3000


def runs(base):
    """What people run most, and what is measured."""
    yield ["--version"]
    yield ["run", f"{SCRIPTS}/one_item.lua", "-q"]
    for output in ("o.ndjson", "o.csv", "o.db", "o.ndjson.gz"):
        for touch in ("false", "true"):
            yield ["run", f"{SCRIPTS}/sqlite_rows.lua", "-q", "-e", f"file={data.table(ROWS)}", "-e", f"touch={touch}", "--allow-read", "-o", output]
            yield ["run", f"{HERE}/http/items.lua", "-q", "-e", f"base={base}", "-e", f"touch={touch}", "--allow-net", "-o", output]
    yield ["run", f"{HERE}/http/items.lua", "-q", "-e", f"base={base}", "-e", "keys=cursor", "--allow-net", "-o", "c.ndjson"]
    yield ["run", f"{SCRIPTS}/json_file.lua", "-q", "-e", f"file={data.page(ROWS)}", "--allow-read", "-o", "o.ndjson"]


def main():
    found = set()
    with paging.serving(ITEMS, 0) as world, tempfile.TemporaryDirectory() as folder:
        for words in runs(world.server.base):
            for name in os.listdir(folder): os.unlink(os.path.join(folder, name))
            found |= callgrind.functions([PROGRAM, *words], folder)
            print(f"{len(found):,} functions: {' '.join(map(os.path.basename, words))}", file=sys.stderr)
    symbols = subprocess.run(["nm", "--defined-only", PROGRAM], capture_output=True, text=True, check=True).stdout
    places, counts = {}, collections.Counter()
    for line in symbols.splitlines():
        place, kind, name = line.split(maxsplit=2)
        if kind in "tTwW":
            places[name] = int(place, 16)
            counts[name] += 1
    # Of several of one name, as each file has helpers, the linker would take all, with all that is in their sections.
    kept = sorted((name for name in found if counts[name] == 1), key=places.get)
    if len(kept) < 1000: raise SystemExit(f"{PROGRAM} has no symbols: build it without --discard-all")
    with open(LIST, "w") as file: file.write("\n".join(kept) + "\n")
    print(f"{len(kept):,} functions, of {len(counts):,}", file=sys.stderr)


if __name__ == "__main__": main()
