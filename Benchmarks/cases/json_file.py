"""JSON in and out: one process turns a file of one page into lines."""
from functools import partial
from measuring import rows
from measuring.case import Case, Goal
from measuring.commands import command
from measuring.places import PEERS, SCRIPTS, venv
from measuring.programs import JSON_FLOOR
from . import data

FLOOR, OURS = "simdjson alone, raw bytes written", "json.page, untouched"


def all_of(sizes):
    count = sizes(500_000)
    expected = rows.Expected(count, data.page_item)
    run = f"$LOOKAHEAD run {SCRIPTS}/json_file.lua -q -e file=$PAGE --allow-read -o $OUT"
    contender = partial(
        command, environment=lambda world: {"PAGE": data.page(count)}, output="o.ndjson", check=partial(expected.check, records=rows.ndjson))
    return [Case("json", f"JSON to NDJSON in one process: one file of {count:,} items", [
        contender(OURS, run, same="raw", goals=(Goal("wall", 2.0, FLOOR),)),
        contender(FLOOR, f"{JSON_FLOOR} $PAGE $OUT", needs=(JSON_FLOOR,), same="raw"),
        contender("orjson", f"{venv('plain')} {PEERS}/orjson_items.py $PAGE $OUT", needs=(venv("plain"),)),
        contender("jq -c .items[]", "jq -c '.items[]' $PAGE > $OUT", needs=("jq",), slow=True),
    ], against=FLOOR, readme=tuple(("a JSON file of 100 MB to NDJSON", OURS, peer, "wall", "s") for peer in (FLOOR, "orjson")))]
