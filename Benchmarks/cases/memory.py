"""What a run holds at most, at lengths that differ by far: items that only pass through."""
import os
from functools import partial
from measuring import meter, rows
from measuring.case import Case, Contender, Goal, Sample
from measuring.commands import command
from measuring.places import SCRIPTS
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


def numbered(path):
    """Items whose number is not their id."""
    return ((item["number"], item) for _, item in rows.ndjson(path))


def from_sqlite(count, text):
    def item(number):
        return {"id": f"id-{number * 2654435761 % 2 ** 32:08x}" if text == "true" else number, "number": number, "name": f"item number {number}"}
    run = f"$LOOKAHEAD run {SCRIPTS}/numbers.lua -q -e count={count} -e text={text} -e file=$ROWS --allow-read -o $OUT"
    return command(
        f"{count:,} items of SQLite{', ids are texts' if text == 'true' else ''}", run, "o.ndjson",
        partial(rows.Expected(count, item).check, records=numbered), environment=lambda world: {"ROWS": data.table(100)})


def all_of(sizes):
    few, many, most = sizes(100_000), sizes(1_000_000), 10_000_000
    lengths = [few, many] + ([most] if sizes.long else [])
    groups = [[over_http(few), over_http(many)]] + [[from_sqlite(count, text) for count in lengths] for text in ("false", "true")]
    for contenders in groups:
        first, last = contenders[0], contenders[-1]
        millions = (most if last.name.startswith(f"{most:,}") else many) / 1e6 - few / 1e6
        first.goals = (Goal("rss", 32, text="< 32 MB"),)
        last.goals = (Goal("rss", 32, text="< 32 MB (ids on disk or 8 bytes each)"), grown(first.name, last.name, millions))
        for contender in contenders[1:]: contender.against = first.name
    pairs = tuple((f"memory: {each[-1].name}", each[-1].name, each[0].name, "rss", "MB") for each in groups)
    return [Case(
        "memory", "Memory of items that pass through, ids remembered", sum(groups, []), ("rss", "wall"), rounds=3 if not sizes.long else 1, readme=pairs)]
