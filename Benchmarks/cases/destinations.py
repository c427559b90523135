"""Where rows go: PostgreSQL, DuckDB, Parquet and packed texts, from a server of pages."""
import argparse, contextlib, functools, hashlib, json, os, subprocess, sys, urllib.request
from functools import partial
from measuring import meter, rows
from measuring.case import Case, Contender, Goal, Sample
from measuring.places import HERE, OUT, PEERS, SCRIPTS, venv
from . import postgresql

sys.path.insert(0, os.path.join(HERE, "http"))
import peers  # noqa: E402

LOAD, PIPE = "into PostgreSQL", "CSV through psql's \\copy"
MERGE, DLT_MERGE = "again, 1 % changed, --write merge", "dlt, merge of 1 % changed"
DLT, SLING = "dlt into PostgreSQL", "sling into PostgreSQL"
DUCKDB, DLT_DUCKDB, JSON_DUCKDB = "into DuckDB", "dlt into DuckDB", "DuckDB itself, read_json of the finished NDJSON"
PARQUET, DLT_PARQUET, JSON_PARQUET = "into Parquet", "dlt into Parquet", "DuckDB itself, read_json to Parquet"
TABLE = (
    "create table items(id bigint primary key, name text, email text, active boolean, score float8, tags jsonb, "
    "updated_at timestamptz, note text, parent bigint)")
ROWS = "select id, name, email, active, score, tags, updated_at, note, parent from items order by id"
# dlt takes minutes for all rows, and as long for each: it is given a part of them, and its time multiplied.
SHARE = 10
PER_PAGE = 1000
DRIVERS = {"LOOKAHEAD_DRIVERS": os.environ.get("LOOKAHEAD_DRIVERS", postgresql.DRIVER)}
RUN = f"$LOOKAHEAD run {SCRIPTS}/destination_rows.lua -q -j 8 -e base=$BASE_URL --allow-net=127.0.0.1"


class World:
    """Servers of pages: of all rows and of a part, as they are and with 1 % changed; and a PostgreSQL, if there is one."""

    def __init__(self, items, place):
        self.place, self.servers, self.fetched = place, {}, (None, None)
        for number, (name, count) in enumerate((("all", items), ("part", items // SHARE))):
            for changed in (False, True):
                given = argparse.Namespace(items=count, item_bytes=200, port=8811 + 2 * number + changed)
                extra = ["--parents", 1] + (["--changed-every", 100] if changed else [])
                self.servers[name, changed] = peers.Server(given, 0, extra)
        self.expected = {changed: rows.Expected(items, partial(self.item, changed)) for changed in (False, True)}

    def base(self, name, changed): return self.servers[name, changed].base

    def item(self, changed, number):
        """An item of the server, a page of which is kept."""
        page = (changed, (number - 1) // 10_000)
        if self.fetched[0] != page:
            with urllib.request.urlopen(f"{self.base('all', changed)}/items?page={page[1] + 1}&per_page=10000") as answer:
                self.fetched = page, json.load(answer)["items"]
        return self.fetched[1][(number - 1) % 10_000]

    def environment(self, name, changed):
        return {"BASE_URL": self.base(name, changed), "PER_PAGE": str(PER_PAGE), **DRIVERS, **peers.TELEMETRY_OFF, **self.place}

    def psql(self, database, *commands):
        words = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", *self.place["SHELL_PLACE"].split(), "-d", database]
        subprocess.run([*words, *(word for command in commands for word in ("-c", command))], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def stop(self):
        for server in self.servers.values(): server.stop()


@contextlib.contextmanager
def serving(items, database=False):
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(postgresql.started()) if database else {}
        world = World(items, place)
        stack.callback(world.stop)
        yield world


def moments(records):
    """Rows with times as the server of pages writes them."""
    def read(path):
        for identifier, item in records(path):
            item["updated_at"] = item["updated_at"].replace("+00:00", "Z")
            yield identifier, item
    return read


def database_of(work, kind): return f"{kind}_{hashlib.md5(work.lookahead.encode()).hexdigest()[:8]}"


def ran(work, line, environment):
    usage = meter.run(line, work.folder, {"OUT": os.path.join(work.folder, "out"), "LOOKAHEAD": work.lookahead, **environment})
    return usage, Sample(wrong=f"exit code {usage.code}: {usage.said[-600:]}") if usage.code else None


def sample(usage, fault, sum=None, scale=1):
    return Sample({"wall": usage.wall * scale, "cpu": usage.cpu * scale, "rss": usage.rss}, fault, sum)


def into_postgresql(name, line, kind, part="all", changed=False, first=None, table="items", setup=(), **more):
    """A contender whose database is new, or has what `first`, which is not measured, brings before everything changed by 1 %."""
    def measure(work):
        world, database = work.world, database_of(work, kind)
        place = {**world.place, "DATABASE": database, "URL": f"{world.place['SERVER']}/{database}"}
        if not first or work.kept.get("loaded") != kind:
            world.psql("postgres", "set client_min_messages = error", f"drop database if exists {database}", f"create database {database}")
            if setup: world.psql(database, *setup)
            if first:
                _, wrong = ran(work, first, {**world.environment(part, False), **place})
                if wrong: return wrong
        world.psql(database, "checkpoint")
        usage, wrong = ran(work, line, {**world.environment(part, changed), **place})
        if wrong: return wrong
        work.kept["loaded"] = kind
        path = os.path.join(work.folder, "rows.ndjson")
        if part != "all":
            count = f"select json_build_object('id', count(*), 'ids', count(distinct id)) from {table}"
            world.psql(database, f"\\copy ({count}) to '{path}'")
            with open(path) as file: found = json.load(file)
            wanted = world.expected[changed].count // SHARE
            return sample(usage, None if found == {"id": wanted, "ids": wanted} else f"{found} of {wanted} rows", scale=SHARE)
        world.psql(database, "set timezone = 'UTC'", f"\\copy (select row_to_json(t) from ({ROWS}) t) to '{path}' (format csv, quote e'\\x01', delimiter e'\\x02')")
        return sample(usage, *reversed(world.expected[changed].check(path, moments(rows.ndjson))))
    return Contender(name, measure, ours="$LOOKAHEAD" in line, **more)


def into_file(name, line, ending, part="all", **more):
    """A contender that makes a DuckDB or a Parquet file."""
    def measure(work):
        world = work.world
        path = os.path.join(work.folder, f"out.{ending}")
        usage, wrong = ran(work, line, {**world.environment(part, False), "OUT": path if part == "all" else work.folder, "NDJSON": finished(work)})
        if wrong: return wrong
        if part != "all":
            wanted = world.expected[False].count // SHARE
            script = "import duckdb, sys; print(duckdb.connect(sys.argv[1]).execute(f'select count(*), count(distinct id) from {sys.argv[2]}').fetchone())"
            where = [os.path.join(work.folder, "items.duckdb"), "bench.items"] if ending == "duckdb" else [
                ":memory:", f"read_parquet('{work.folder}/bench/items/*.parquet')"]
            found = subprocess.run([venv("dlt"), "-c", script, *where], check=True, capture_output=True, text=True).stdout.strip()
            return sample(usage, None if found == f"({wanted}, {wanted})" else f"{found} of {wanted} rows", scale=SHARE)
        shown = os.path.join(work.folder, "rows.ndjson")
        subprocess.run([venv("dlt"), f"{PEERS}/duckdb_json.py", "show", path, shown], check=True)
        return sample(usage, *reversed(world.expected[False].check(shown, moments(rows.ndjson))))
    return Contender(name, measure, ours="$LOOKAHEAD" in line, needs=(venv("dlt"),), **more)


def finished(work):
    """The NDJSON of all rows, made once."""
    path = os.path.join(OUT, f"destination-{work.world.expected[False].count}.ndjson")
    if not os.path.exists(path):
        usage = meter.run(f"{RUN} --no-state -o $OUT", work.folder, {**work.world.environment("all", False), "OUT": path, "LOOKAHEAD": work.lookahead})
        if usage.code: raise RuntimeError(usage.said)
    return path


def packed(name, line, unpack, **more):
    """A contender that packs the rows' NDJSON, which is unpacked and compared."""
    def measure(work):
        usage, wrong = ran(work, line, {**work.world.environment("all", False), "OUT": os.path.join(work.folder, f"out.ndjson.{name[-3:].strip('.')}")})
        if wrong: return wrong
        path = next(os.path.join(work.folder, file) for file in os.listdir(work.folder) if file.startswith("out."))
        sum = subprocess.run(f"{unpack} < {path} | sha256sum", shell=True, check=True, capture_output=True, text=True).stdout.split()[0]
        made = sample(usage, None if sum == plain_digest(finished(work)) else "it does not unpack to the NDJSON")
        made.values["size"] = os.path.getsize(path) / 1e6
        return made
    return Contender(name, measure, ours="-o $OUT" in line, needs=(unpack.split()[0],), **more)


plain_digest = functools.cache(rows.digest)


def dlt(kind, **environment):
    words = " ".join(f"{name}={value}" for name, value in {"DEST": kind, **environment}.items())
    return f"{words} {venv('dlt')} {HERE}/http/clients/dlt_destinations.py"


def all_of(sizes):
    count = sizes(1_000_000, 20_000)
    to_database, into = f"{RUN} -o $URL", f"{RUN} -o $OUT"
    pipe = f"psql $SHELL_PLACE -d $DATABASE -qXc \"\\copy items from stdin (format csv, header)\""
    sling_home = f"SLING_HOME_DIR=$OUT.sling HOME=$OUT.sling"
    sling = (
        f"mkdir -p $OUT.sling && printf 'connections:\\n  BENCH:\\n    type: api\\n    spec: \"file://{peers.C}/sling_items.yaml\"\\n    secrets: "
        f"{{base_url: \"%s\"}}\\n' $BASE_URL > $OUT.sling/env.yaml && {sling_home} TARGET=\"$URL?sslmode=disable\" {peers.SLING} run --src-conn BENCH "
        "--src-stream items --tgt-conn TARGET --tgt-object public.items --mode full-refresh")
    memory = Goal("rss", 150, text="< 150 MB")
    tenth = partial(Goal, "wall", 10, at_least=True, inverse=True)
    share = f"dlt and sling are given {count // SHARE:,} of the rows, and their times are multiplied by {SHARE}."
    nine = "Nine columns: two integers, a double, three texts, a boolean, a moment, a list; one is null in a third of the rows. "
    database = [
        into_postgresql(PIPE, f"{RUN} --format csv --no-state | {pipe}", "pipe", setup=(TABLE,), needs=("psql",)),
        into_postgresql(LOAD, to_database, "ours", goals=(
            Goal("wall", 1.0, PIPE), tenth(against=DLT, text="≥ 10 × as fast as dlt"), memory)),
        into_postgresql(MERGE, f"{to_database} --write merge", "ours", changed=True, first=to_database, against=DLT_MERGE, goals=(
            tenth(against=DLT_MERGE, text="≥ 10 × as fast as dlt's merge"), memory)),
        into_postgresql(DLT, dlt("postgres"), "dlt", part="part", table="bench.items", slow=True, needs=(venv("dlt"),)),
        into_postgresql(
            DLT_MERGE, dlt("postgres", DISPOSITION="merge"), "dltmerge", part="part", changed=True, first=dlt("postgres", DISPOSITION="merge"),
            table="bench.items", slow=True, needs=(venv("dlt"),)),
        into_postgresql(SLING, sling, "sling", part="part", slow=True, needs=(peers.SLING,)),
    ]
    files = []
    for ours, theirs, itself, ending, kind in (
            (DUCKDB, DLT_DUCKDB, JSON_DUCKDB, "duckdb", "duckdb"), (PARQUET, DLT_PARQUET, JSON_PARQUET, "parquet", "filesystem")):
        files += [
            into_file(ours, into, ending, against=itself, goals=(
                Goal("wall", 2.0, itself), tenth(against=theirs, text="≥ 10 × as fast as dlt"), memory)),
            into_file(itself, f"{venv('dlt')} {PEERS}/duckdb_json.py load $NDJSON $OUT", ending),
            into_file(theirs, dlt(kind), ending, part="part", slow=True, against=itself),
        ]
    text = []
    for ending, program, unpack in (("gz", "gzip -c", "gzip -dc"), ("zst", "zstd -qc", "zstd -qdc")):
        beside = f"NDJSON through {program}, .{ending}"
        text += [
            packed(f"-o items.ndjson.{ending}", f"{into}", unpack, against=beside, goals=(Goal("wall", 1.0, beside),)),
            packed(beside, f"{RUN} --format ndjson | {program} > $OUT", unpack),
        ]
    title = f"{count:,} rows of nine columns from a server of pages"
    return [
        Case("destinations-postgresql", f"PostgreSQL as a destination: {title}", database, rounds=3, enter=lambda: serving(count, True), against=PIPE,
            note=f"{nine}The table of the pipe has the same types and the same primary key; the server has two cores with all others. {share}",
            readme=tuple((f"{count:,} rows {ours}", ours, peer, "wall", "s") for ours, peer in (
                (LOAD, PIPE), (LOAD, DLT), (LOAD, SLING), (MERGE, DLT_MERGE)))),
        Case("destinations-files", f"DuckDB and Parquet as destinations: {title}", files, rounds=3, enter=lambda: serving(count),
            note=f"{nine}DuckDB itself only reads the finished file. {share}",
            readme=tuple((f"{count:,} rows {ours}", ours, peer, "wall", "s") for ours, peer in (
                (DUCKDB, JSON_DUCKDB), (DUCKDB, DLT_DUCKDB), (PARQUET, JSON_PARQUET), (PARQUET, DLT_PARQUET)))),
        Case("destinations-packed", f"Packed text as a destination: {title}", text, measures=("wall", "cpu", "rss", "size"), rounds=3,
            enter=lambda: serving(count)),
    ]
