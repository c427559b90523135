"""PostgreSQL as a source, beside what its own shell makes of the same rows."""
import contextlib, os, subprocess, sys
from functools import partial
from measuring import rows
from measuring.case import Case, Goal
from measuring.commands import command
from measuring.places import SCRIPTS
from . import data

SHELL, OURS = "psql, copy (select row_to_json …)", "keyset paging, to NDJSON"
SERVER = os.path.join(os.path.dirname(__file__), "..", "..", "Tests", "Servers", "postgresql_server.py")
DRIVER = os.path.join(os.path.dirname(__file__), "..", "..", "Tests", ".venv", "lib", f"python3.{sys.version_info.minor}", "site-packages")


@contextlib.contextmanager
def started():
    """An empty PostgreSQL; gives the variables that name it."""
    server = subprocess.Popen([sys.executable, SERVER, "--follow-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port, folder = server.stdout.readline().strip(), server.stdout.readline().strip()
        at = f"postgresql://postgres@127.0.0.1:{port}"
        yield {"SHELL_PLACE": f"-h {folder} -p {port} -U postgres", "SERVER": at, "URL": f"{at}/postgres"}
    finally:
        server.stdin.close()
        server.wait()


@contextlib.contextmanager
def serving(count):
    """A PostgreSQL whose table `items` has the rows of the other cases."""
    with started() as place:
        psql = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", *place["SHELL_PLACE"].split()]
        subprocess.run([*psql, "-c", "create table items(id bigint, name text, city text, score float8, count int)"], check=True)
        fill = subprocess.Popen([*psql, "-c", "copy items from stdin"], stdin=subprocess.PIPE, text=True)
        for number in range(1, count + 1):
            fill.stdin.write("\t".join(str(value) for value in data.table_row(number).values()) + "\n")
        fill.stdin.close()
        if fill.wait(): raise RuntimeError("the table can't be filled")
        subprocess.run([*psql, "-c", "alter table items add primary key (id)", "-c", "vacuum analyze items"], check=True)
        yield {**place, "LOOKAHEAD_DRIVERS": os.environ.get("LOOKAHEAD_DRIVERS", DRIVER)}


def all_of(sizes):
    count = sizes(1_000_000)
    check = partial(rows.Expected(count, data.table_row).check, records=rows.ndjson)
    contender = partial(command, output="o.ndjson", environment=lambda world: world, check=check)
    run = f"$LOOKAHEAD run {SCRIPTS}/postgresql_rows.lua -q -e url=$URL --allow-net=127.0.0.1 -o $OUT"
    shell = "psql $SHELL_PLACE -qAtXc \"copy (select row_to_json(items) from items order by id) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')\" > $OUT"
    return [Case("postgresql-read", f"PostgreSQL as a source: {count:,} rows of five columns", [
        contender(OURS, run, needs=(SERVER,), goals=(Goal("wall", 1.5, SHELL),)),
        contender(SHELL, shell, needs=("psql",)),
    ], enter=lambda: serving(count), against=SHELL,
        readme=((f"{count:,} rows of PostgreSQL to NDJSON", OURS, SHELL, "wall", "s"),))]
