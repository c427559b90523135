"""SQLite as a source, and as a sink beside a text."""
from functools import partial
from measuring import rows
from measuring.case import Case, Goal
from measuring.commands import command
from measuring.places import PEERS, SCRIPTS, venv
from . import data

SHELL, UNTOUCHED, TOUCHED = "sqlite3 -json", "untouched, to NDJSON", "touched, to NDJSON"


def all_of(sizes):
    count = sizes(1_000_000)
    expected = rows.Expected(count, data.table_row)
    run = f"$LOOKAHEAD run {SCRIPTS}/sqlite_rows.lua -q -e file=$ROWS --allow-read -o $OUT"
    given = lambda world: {"ROWS": data.table(count)}
    check = lambda records, change=None: partial(expected.check, records=records, change=change)
    contender = partial(command, environment=given)
    text = partial(contender, output="o.ndjson")
    shell = "sqlite3 -json $ROWS 'select id, name, city, score, count from items order by id' > $OUT"
    orjson = f"{venv('plain')} {PEERS}/sqlite_orjson.py $ROWS $OUT"
    shown = f"{count:,} rows of SQLite to NDJSON"
    reading = Case("sqlite-read", f"SQLite as a source: {count:,} rows of five columns", [
        text(UNTOUCHED, run, check=check(rows.ndjson), goals=(Goal("wall", 1.0, SHELL),)),
        contender(SHELL, shell, "o.json", check(rows.array), needs=("sqlite3",)),
        text(TOUCHED, run + " -e touch=true", check=check(rows.ndjson, rows.halved)),
        text("Python's sqlite3 + orjson", orjson, check=check(rows.ndjson), needs=(venv("plain"),)),
    ], against=SHELL, readme=((f"{shown}: untouched", UNTOUCHED, SHELL, "wall", "s"),))
    alone = (
        "sqlite3 $OUT \"attach '$ROWS' as source; create table items(id integer primary key, name, city, score, count);"
        " insert into items select * from source.items where true on conflict(id) do update set name = excluded.name\"")
    writing = Case("sqlite-sink", f"SQLite as a sink: {count:,} rows of SQLite, untouched", [
        contender("untouched, upsert into SQLite", run, "o.db", check(rows.database), goals=(Goal("wall", 1.5, UNTOUCHED),)),
        text(UNTOUCHED, run, check=check(rows.ndjson)),
        contender("SQLite itself: insert … select … on conflict", alone, "o.db", check(rows.database), needs=("sqlite3",)),
    ], against=UNTOUCHED)
    return [reading, writing]
