"""What a run holds at most, at lengths that differ by far: items that only pass through."""
import os
from functools import partial
from measuring import meter, rows
from measuring.case import Case, Contender, Goal, Sample
from measuring.commands import SCRIPTS, command
from . import data, paging


def growth(short, long, millions):
    """MB for each million items more."""
    def value(results):
        less, more = (results[name].median("rss") if name in results else None for name in (short, long))
        return None if less is None or more is None else (more - less) / millions
    return value


def grown(short, long, millions):
    return Goal("rss", 10, text="≤ 10 MB more a million items", value=growth(short, long, millions))


def over_http(count):
    """A contender that reads so many items of a server of its own."""
    peer = paging.peers.cases(None)["lookahead-untouched"]

    def measure(work):
        with paging.serving(count, 0) as world:
            path = os.path.join(work.folder, "o.ndjson")
            usage = meter.run(peer["cmd"], work.folder, {**world.environment(), "OUT": path, "LOOKAHEAD": work.lookahead})
            if usage.code: return Sample(wrong=f"exit code {usage.code}: {usage.said[-400:]}")
            sum, fault = world.expected.check(path, rows.ndjson)
            return Sample({"rss": usage.rss, "wall": usage.wall}, fault, sum)
    return Contender(f"{count:,} items over HTTP", measure, ours=True)


def from_sqlite(count, **more):
    expected = rows.Expected(count, lambda number: {"id": number, "name": f"item number {number}"})
    return command(
        f"{count:,} items of SQLite", f"$LOOKAHEAD run {SCRIPTS}/numbers.lua -q -e count={count} -e file=$ROWS --allow-read -o $OUT", "o.ndjson",
        partial(expected.check, records=rows.ndjson), environment=lambda world: {"ROWS": data.table(100)}, **more)


def all_of(sizes):
    few, many, most = sizes(100_000), sizes(1_000_000), 10_000_000
    http = [over_http(few), over_http(many)]
    sqlite = [from_sqlite(few), from_sqlite(many)] + ([from_sqlite(most)] if sizes.long else [])
    for contenders in (http, sqlite):
        first, last = contenders[0], contenders[-1]
        millions = (most if last.name.startswith(f"{most:,}") else many) / 1e6 - few / 1e6
        first.goals = (Goal("rss", 32, text="< 32 MB"),)
        last.goals = (Goal("rss", 32, text="< 32 MB (ids on disk or 8 bytes each)"), grown(first.name, last.name, millions))
        for contender in contenders[1:]: contender.against = first.name
    pairs = tuple((f"memory: {each[-1].name}", each[-1].name, each[0].name, "rss", "MB") for each in (http, sqlite))
    return [Case("memory", "Memory of items that pass through, ids remembered", http + sqlite, ("rss", "wall"), rounds=3 if not sizes.long else 1, readme=pairs)]
