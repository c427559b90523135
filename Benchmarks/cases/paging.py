"""Paging over HTTP: a server of pages that answers at once or takes its time, and everybody who can read it."""
import argparse, contextlib, json, os, sys, urllib.request
from measuring import meter, rows
from measuring.case import Case, Contender, Goal, Sample
from measuring.places import HERE

sys.path.insert(0, os.path.join(HERE, "http"))
import peers  # noqa: E402

FLOOR, AIOHTTP, CURL, JQ = "C++ floor", "aiohttp + orjson", "curl", "curl | jq"
UNTOUCHED, TOUCHED, COPIED, AUTO, CURSOR = "untouched", "touched", "rebuilt", "touched, -j auto", "touched, cursor"
SQLITE, TOUCHED_SQLITE = "untouched, upsert into SQLite", "touched, upsert into SQLite"
NOTE = (
    "Untouched: no item becomes a table of Lua; touched: Lua reads every item and writes one field; rebuilt: Lua copies every item into a table of its own. "
    "The floor is libcurl and simdjson with the items' raw bytes written. Eight pages are in flight; one with a cursor, curl, requests, dlt, Singer and Airbyte. "
    "curl parses nothing; aiohttp + orjson and the floor write the items as they came.")

# name: the peer of http/peers.py, how its output is compared, whether one round is enough.
EVERYBODY = {
    FLOOR: ("floor-cpp8", "raw", False), UNTOUCHED: ("lookahead-untouched", "raw", False), TOUCHED: ("lookahead", "halved", False),
    COPIED: ("lookahead-copied", "halved", False), AUTO: ("lookahead-auto", "halved", False), AIOHTTP: ("py-aiohttp8-orjson", "items", False),
    CURSOR: ("lookahead-cursor", "halved", False), CURL: ("curl-seq", "ids", False), SQLITE: ("lookahead-sqlite-untouched", "columns", False),
    TOUCHED_SQLITE: ("lookahead-sqlite", "halved columns", False), JQ: ("curl-seq+jq", "items", True), "requests": ("py-requests", "items", True),
    "Scrapy": ("scrapy-fan8", "ids", True), "dlt": ("dlt-jsonl", "ids", True), "dlt, merge into DuckDB": ("dlt-duckdb-merge", "ids", True),
    "Singer SDK": ("singer-sdk", "ids", True), "Airbyte CDK": ("airbyte-cdk", "ids", True), "sling": ("sling", "ids", True),
}
ALONE = (CURSOR, CURL, "requests", "dlt", "Singer SDK", "Airbyte CDK")
CHANGES = {"halved": rows.halved, "columns": rows.columns, "halved columns": rows.halved_columns}


class World:
    """A server of pages, and the items it has."""

    def __init__(self, items, latency):
        self.given = argparse.Namespace(items=items, per_page=100, item_bytes=200, port=8801)
        self.server = peers.Server(self.given, latency)
        found = []
        for page in range(1, -(-items // 10_000) + 1):
            with urllib.request.urlopen(f"{self.server.base}/items?page={page}&per_page=10000&latency_ms=0") as answer:
                found += json.load(answer)["items"]
        if [item["id"] for item in found] != list(range(1, items + 1)): raise SystemExit("the page server does not have the items it should")
        self.expected = rows.Expected(items, lambda number: found[number - 1])

    def environment(self):
        return {"BASE_URL": self.server.base, "PER_PAGE": str(self.given.per_page), **peers.TELEMETRY_OFF}


@contextlib.contextmanager
def serving(items, latency):
    world = World(items, latency)
    try:
        yield world
    finally:
        world.server.stop()


def contender(name, **more):
    """One of `EVERYBODY`, run against the server of the case."""
    key, compared, slow = EVERYBODY[name]
    peer = peers.cases(None)[key]

    def records(path):
        if "columns" in compared: return rows.database(path)
        if compared != "ids": return rows.ndjson(path)
        return ((identifier, None) for identifier in peers.ids_of(peer["kind"], path))

    def measure(work):
        os.makedirs(peers.OUT, exist_ok=True)
        if peer.get("prep"): peers.prep(peer["prep"], work.world.given, work.world.server.base)
        path = os.path.join(work.folder, peer["out"])
        usage = meter.run(peer["cmd"], work.folder, {**work.world.environment(), **peer["env"], "OUT": path, "LOOKAHEAD": work.lookahead})
        if usage.code: return Sample(wrong=f"exit code {usage.code}: {usage.said[-600:]}")
        sum, fault = work.world.expected.check(path, records, CHANGES.get(compared))
        return Sample({"wall": usage.wall, "cpu": usage.cpu, "rss": usage.rss}, fault, sum)

    ours = key.startswith("lookahead")
    needs = ("jq", "curl") if "jq" in key else ("curl",) if key.startswith("curl") else (peer["need"],) if peer.get("need") and not ours else ()
    return Contender(name, measure, ours=ours, needs=needs, same="raw" if compared == "raw" else None, slow=slow, **more)


def case(name, latency, items, names, goals, rounds, readme):
    title = f"Paging over HTTP: {items:,} items in {items // 100:,} pages, {latency} ms each"
    # Who has one page in flight waits as long as curl does.
    contenders = [contender(each, goals=goals.get(each, ()), against=CURL if latency and each in ALONE else None) for each in names]
    return Case(name, title, contenders, rounds=rounds, enter=lambda: serving(items, latency), against=FLOOR, note=NOTE, readme=readme)


def all_of(sizes):
    many, few = sizes(100_000), sizes(20_000, 500)
    at_once = {
        UNTOUCHED: (Goal("wall", 2.0, FLOOR), Goal("cpu", 5.0, FLOOR)), TOUCHED: (Goal("wall", 0.6, AIOHTTP), Goal("cpu", 0.5 / 0.06, FLOOR)),
        COPIED: (Goal("wall", 0.9, AIOHTTP),), SQLITE: (Goal("wall", 1.5, UNTOUCHED),),
    }
    waiting = [name for name in EVERYBODY if "SQLite" not in name and "DuckDB" not in name and name != JQ]
    width = {name: (Goal("wall", 1.02, FLOOR),) for name in (UNTOUCHED, TOUCHED, COPIED)}

    frameworks = [(TOUCHED, name) for name in ("dlt", "Singer SDK", "Airbyte CDK", "Scrapy", "sling")]

    def shown(latency, *names):
        return tuple((f"{many:,} items over HTTP, {latency} ms: {ours}", ours, peer, "wall", "s") for ours, peer in names)
    return [
        case("paging-0", 0, many, [name for name in EVERYBODY if name != AUTO], at_once, 7, shown(
            0, (UNTOUCHED, FLOOR), (TOUCHED, AIOHTTP), (COPIED, AIOHTTP), (SQLITE, UNTOUCHED), (TOUCHED, JQ), *frameworks)),
        case("paging-20", 20, many, waiting, {**width, CURSOR: (Goal("wall", 1.01, CURL),)}, 3, shown(
            20, (TOUCHED, FLOOR), (TOUCHED, AIOHTTP), (CURSOR, CURL), *frameworks)),
        case("paging-50", 50, few, waiting, {}, 3, ()),
    ]
