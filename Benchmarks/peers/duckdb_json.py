#!/usr/bin/env python3
"""DuckDB by itself: duckdb_json.py load ROWS.ndjson OUT(.duckdb|.parquet), or duckdb_json.py show FILE (rows as NDJSON, by id, to OUT)."""
import sys
import duckdb

verb, source, target = sys.argv[1:]
if verb == "show":
    what = f"read_parquet('{source}')" if source.endswith(".parquet") else "items"
    database = duckdb.connect(":memory:" if source.endswith(".parquet") else source, read_only=not source.endswith(".parquet"))
    database.execute("set timezone = 'UTC'")
    database.execute(
        f"copy (select id, name, email, active, score, tags, strftime(updated_at, '%Y-%m-%dT%H:%M:%SZ') as updated_at, note, parent from {what} "
        f"order by id) to '{target}' (format json)")
elif target.endswith(".parquet"):
    duckdb.connect().execute(f"copy (select * from read_json('{source}', format = 'newline_delimited')) to '{target}' (format parquet, compression zstd)")
else:
    duckdb.connect(target).execute(f"create table items as select * from read_json('{source}', format = 'newline_delimited')")
