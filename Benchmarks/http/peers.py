"""Everybody who pages through the page server: how each is started, what it needs, and where its items end up.

`../run` measures them, `resume.py` kills them."""
import glob, json, os, subprocess, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "out")
C = os.path.join(HERE, "clients")
SLING = next(iter(glob.glob(f"{HERE}/.venv/sling/lib/python3*/site-packages/sling_linux_amd64/bin/sling-linux-amd64")), f"{HERE}/.venv/sling/missing")
TELEMETRY_OFF = {"DO_NOT_TRACK": "1", "RUNTIME__DLTHUB_TELEMETRY": "false", "SLING_DISABLE_TELEMETRY": "true",
                 "SEND_ANONYMOUS_USAGE_STATS": "false", "MELTANO_SEND_ANONYMOUS_USAGE_STATS": "false"}


BINARY = os.environ.get("LOOKAHEAD_BINARY", os.path.join(HERE, "../../.build/release/lookahead"))
LOOKAHEAD = f"${{LOOKAHEAD:-{BINARY}}} run {HERE}/items.lua -q -e base=$BASE_URL --allow-net=127.0.0.1"


def py(venv, script, **env):
    return {"cmd": [f"{HERE}/.venv/{venv}/bin/python", f"{C}/{script}"], "env": env, "need": f"{HERE}/.venv/{venv}/bin/python"}


def sh(line, need=None, **env):
    return {"cmd": ["sh", "-c", line], "env": env, "need": need}


def cases(a):
    cfg1 = f"{OUT}/curl_seq.cfg"
    return {
        # name: case.  kind: how the rows are counted.
        "lookahead": dict(sh(f"{LOOKAHEAD} -j 8 -o $OUT"), kind="ndjson", out="o.ndjson", need=BINARY, note="Lua reads and changes every item, 8 in flight"),
        "lookahead-untouched": dict(sh(f"{LOOKAHEAD} -j 8 -e touch=false -o $OUT"), kind="ndjson", out="o.ndjson", need=BINARY, note="no item becomes a Lua table, 8 in flight"),
        "lookahead-copied": dict(sh(f"{LOOKAHEAD} -j 8 -e copy=true -o $OUT"), kind="ndjson", out="o.ndjson", need=BINARY, note="Lua copies every item into a table of its own, 8 in flight"),
        "lookahead-auto": dict(sh(f"{LOOKAHEAD} -j auto -o $OUT"), kind="ndjson", out="o.ndjson", need=BINARY, note="automatic width"),
        "lookahead-cursor": dict(sh(f"{LOOKAHEAD} -e keys=cursor -o $OUT"), kind="ndjson", out="o.ndjson", need=BINARY, note="the next key is in the page, 1 in flight"),
        "lookahead-sqlite": dict(sh(f"{LOOKAHEAD} -j 8 -o $OUT"), kind="sqlite", out="o.db", need=BINARY, note="upsert by id into SQLite"),
        "lookahead-sqlite-untouched": dict(sh(f"{LOOKAHEAD} -j 8 -e touch=false -o $OUT"), kind="sqlite", out="o.db", need=BINARY, note="upsert by id into SQLite, no item becomes a Lua table"),
        "curl-seq": dict(sh(f"curl -sf -K {cfg1} > $OUT"), kind="pages", prep="curl_seq", out="o.json", note="raw bytes, no parse, keep-alive"),
        "curl-par8": dict(sh(f"mkdir -p $OUT; cd $OUT; curl -sf -Z --parallel-max 8 --parallel-immediate -K {OUT}/curl_par.cfg"), kind="pagesdir", prep="curl_par", out="pages", note="raw bytes, no parse, one file a page"),
        "curl-seq+jq": dict(sh(f"curl -sf -K {cfg1} | jq -c '.items[]' > $OUT"), kind="ndjson", prep="curl_seq", out="o.ndjson", note="the shell way"),
        "floor-cpp8": dict(sh(f"{C}/floor_cpp"), kind="ndjson", out="o.ndjson", need=f"{C}/floor_cpp", note="libcurl multi + simdjson, raw copy, ordered"),
        "floor-cpp1": dict(sh(f"{C}/floor_cpp", CONC="1"), kind="ndjson", out="o.ndjson", need=f"{C}/floor_cpp", note="same, 1 page in flight"),
        "lua54-socket": dict(sh(f"lua5.4 {C}/lua_socket.lua"), kind="ndjson", out="o.ndjson", note="LuaSocket + cjson, no keep-alive"),
        "py-requests": dict(py("plain", "py_requests.py"), kind="ndjson", out="o.ndjson", note="sequential, keep-alive"),
        "py-httpx8": dict(py("plain", "py_async.py", LIB="httpx"), kind="ndjson", out="o.ndjson", note="8 in flight, ordered"),
        "py-aiohttp8": dict(py("plain", "py_async.py"), kind="ndjson", out="o.ndjson", note="8 in flight, ordered"),
        "py-aiohttp8-orjson": dict(py("plain", "py_async.py", JSON="orjson"), kind="ndjson", out="o.ndjson", note="8 in flight, orjson"),
        "scrapy-next": dict(py("scrapy", "scrapy_items.py", MODE="next"), kind="ndjson", out="o.jsonl", note="follows next_url"),
        "scrapy-fan8": dict(py("scrapy", "scrapy_items.py", MODE="fan"), kind="ndjson", out="o.jsonl", note="8 in flight, unordered"),
        "dlt-jsonl": dict(py("dlt", "dlt_items.py", DEST="filesystem"), kind="dltjsonl", out="dlt", note="rest_api, json_link paginator -> filesystem jsonl, nesting 0"),
        "dlt-jsonl-default": dict(py("dlt", "dlt_items.py", DEST="filesystem", NESTING=""), kind="dltjsonl", out="dlt", note="same, default nesting (tags become a child table)"),
        "dlt-jsonl-pagenum": dict(py("dlt", "dlt_items.py", DEST="filesystem", PAGINATOR="page_number"), kind="dltjsonl", out="dlt", note="same, page_number paginator"),
        "dlt-duckdb": dict(py("dlt", "dlt_items.py", DEST="duckdb"), kind="dltduck", out="dlt", note="append"),
        "dlt-duckdb-parquet": dict(py("dlt", "dlt_items.py", DEST="duckdb", FORMAT="parquet"), kind="dltduck", out="dlt", note="append, parquet load files (needs pyarrow)"),
        "dlt-duckdb-merge": dict(py("dlt", "dlt_items.py", DEST="duckdb", DISPOSITION="merge"), kind="dltduck", out="dlt", note="merge on primary key"),
        "singer-sdk": dict(sh(f"{HERE}/.venv/singer/bin/python {C}/singer_tap.py > $OUT 2> $OUT.log", need=f"{HERE}/.venv/singer/bin/python"), kind="singer", out="o.singer", note="tap only, Singer messages to a file"),
        "singer-sdk+target": dict(sh(f"{HERE}/.venv/singer/bin/python {C}/singer_tap.py 2> $OUT.log | (mkdir -p $OUT; cd $OUT; {HERE}/.venv/targetjsonl/bin/target-jsonl > state.json)", need=f"{HERE}/.venv/targetjsonl/bin/target-jsonl"), kind="glob", out="singer", note="tap | target-jsonl"),
        "airbyte-cdk": dict(sh(f"{HERE}/.venv/airbyte/bin/source-declarative-manifest read --config {OUT}/ab_config.json --catalog {OUT}/ab_catalog.json --manifest-path {C}/airbyte_manifest.yaml > $OUT 2> $OUT.log", need=f"{HERE}/.venv/airbyte/bin/source-declarative-manifest"), kind="airbyte", prep="airbyte", out="o.airbyte", note="low-code manifest, Airbyte messages to a file"),
        "sling": dict(sh(f"SLING_HOME_DIR={OUT}/sling HOME={OUT}/sling {SLING} run --src-conn BENCH --src-stream items --tgt-object file://$OUT"), kind="ndjson", prep="sling", out="o.jsonl", need=SLING, note="API spec, concurrency 8, page number -> jsonl"),
    }


def prep(kind, a, base, mode="full_refresh"):
    pages = -(-a.items // a.per_page)
    if kind == "curl_seq":
        with open(f"{OUT}/curl_seq.cfg", "w") as f:
            for p in range(1, pages + 1):
                f.write(f'url="{base}/items?page={p}&per_page={a.per_page}"\n')
    elif kind == "curl_par":
        with open(f"{OUT}/curl_par.cfg", "w") as f:
            for p in range(1, pages + 1):
                f.write(f'url="{base}/items?page={p}&per_page={a.per_page}"\noutput="{p}.json"\n')
    elif kind == "sling":
        os.makedirs(f"{OUT}/sling", exist_ok=True)
        with open(f"{OUT}/sling/env.yaml", "w") as f:
            f.write(f'connections:\n  BENCH:\n    type: api\n    spec: "file://{C}/sling_items.yaml"\n    secrets: {{base_url: "{base}"}}\n')
    elif kind == "airbyte":
        json.dump({"base_url": base, "per_page": str(a.per_page)}, open(f"{OUT}/ab_config.json", "w"))
        json.dump({"streams": [{"stream": {"name": "items", "json_schema": {}, "supported_sync_modes": [mode]},
                                "sync_mode": mode, "destination_sync_mode": "append"}]}, open(f"{OUT}/ab_catalog.json", "w"))


def ids_of(kind, path):
    """Yield the ids a client put out."""
    def lines(files):
        for fn in files:
            op = __import__("gzip").open if fn.endswith(".gz") else open
            with op(fn, "rt") as f:
                yield from f
    if kind == "ndjson":
        for l in lines([path]):
            yield int(json.loads(l)["id"])
    elif kind in ("glob", "dltjsonl"):
        where = "/bench/items/*" if kind == "dltjsonl" else "/**/*"
        files = [f for f in glob.glob(path + where, recursive=True) if f.endswith((".jsonl", ".jsonl.gz"))]
        for l in lines(files):
            yield json.loads(l)["id"]
    elif kind in ("singer", "airbyte"):
        for l in lines([path]):
            m = json.loads(l)
            if m.get("type") == "RECORD":
                yield (m["record"] if isinstance(m["record"].get("id"), int) else m["record"]["data"])["id"]
    elif kind == "pages":
        dec, s, i = json.JSONDecoder(), open(path).read(), 0
        while i < len(s):
            d, i = dec.raw_decode(s, i)
            yield from (x["id"] for x in d["items"])
    elif kind == "pagesdir":
        for fn in glob.glob(path + "/*.json"):
            yield from (x["id"] for x in json.load(open(fn))["items"])
    elif kind == "sqlite":
        import sqlite3
        yield from (row[0] for row in sqlite3.connect(path).execute("select id from items"))
    elif kind == "dltduck":
        r = subprocess.run([f"{HERE}/.venv/dlt/bin/python", "-c", "import duckdb,sys;[print(r[0]) for r in duckdb.connect(sys.argv[1],read_only=True).execute('select id from bench.items').fetchall()]", path + "/items.duckdb"], capture_output=True, text=True, check=True)
        yield from (int(x) for x in r.stdout.split())


class Server:
    def __init__(self, a, latency, extra=()):
        self.base = f"http://127.0.0.1:{a.port}"
        self.p = subprocess.Popen([f"{HERE}/server/pageserver", "--port", str(a.port), "--items", str(a.items), "--item-bytes", str(a.item_bytes), "--latency-ms", str(latency), *map(str, extra)], stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.base + "/reset").read(); return
            except OSError:
                time.sleep(0.02)
        raise SystemExit("server did not start")

    def stats(self):
        return json.load(urllib.request.urlopen(self.base + "/stats"))

    def stop(self):
        self.p.terminate(); self.p.wait()
