"""Instructions, counted by callgrind: they do not depend on what else the machine does."""
import os
from functools import partial
from measuring import callgrind, rows
from measuring.case import Case, Contender, Goal, Sample
from measuring.places import SCRIPTS
from . import data


def sqlite_items(count, touch):
    expected = rows.Expected(count, data.table_row)
    words = lambda work, path: [
        work.lookahead, "run", f"{SCRIPTS}/sqlite_rows.lua", "-q", "-e", f"file={data.table(count)}", "-e", f"touch={touch}", "--allow-read", "-o", path]
    return words, partial(expected.check, records=rows.ndjson, change=rows.halved if touch == "true" else None)


def each(make, less, more):
    """The instructions of one item: what a run of more items takes beyond one of less, so that the start does not count."""
    def measure(work):
        counts = []
        for count in (less, more):
            path = os.path.join(work.folder, f"{count}.ndjson")
            words, check = make(count)
            counts.append(callgrind.instructions(words(work, path), work.folder))
            fault = check(path)[1] if check else None
            if fault: return Sample(wrong=fault)
        return Sample({"each": (counts[1] - counts[0]) / (more - less)})
    return measure


def shell(count):
    def words(work, path):
        return ["sqlite3", "-json", "-cmd", f".output {path}", data.table(count), "select id, name, city, score, count from items order by id"]
    # Only ids: sqlite3 rounds reals with 80 bits, of which valgrind has 64.
    return words, partial(rows.Expected(count).check, records=rows.ids(rows.array))


def starting(*words):
    return lambda work: Sample({"instructions": callgrind.instructions([work.lookahead, *words], work.folder)})


def all_of(sizes):
    less, more = 2000, 12_000
    starts = [("run of a script with one item", ("run", f"{SCRIPTS}/one_item.lua", "-q")), ("--version", ("--version",))]
    read = lambda touch: each(lambda count: sqlite_items(count, touch), less, more)
    cases = [
        Case("instructions", f"Instructions an item: SQLite to NDJSON, the slope from {less:,} to {more:,} rows", [
            Contender("untouched", read("false"), ours=True, needs=("valgrind",), goals=(Goal("each", 4000, text="≤ 4,000"),)),
            Contender("touched", read("true"), ours=True, needs=("valgrind",), goals=(Goal("each", 9000, text="≤ 9,000"),)),
            Contender("sqlite3 -json", each(shell, less, more), needs=("valgrind", "sqlite3")),
        ], ("each",), rounds=1, against="sqlite3 -json", readme=(
            ("an item of SQLite to NDJSON, untouched", "untouched", "sqlite3 -json", "each", "instructions"),
            ("an item of SQLite to NDJSON, touched", "touched", "sqlite3 -json", "each", "instructions"))),
        Case("instructions-start", "Instructions of the start", [
            Contender(name, starting(*words), ours=True, needs=("valgrind",), goals=(Goal("instructions", 40e6, text="≤ 40 million"),)) for name, words in starts
        ], ("instructions",), rounds=1, readme=(("the start of a run", "run of a script with one item", "", "instructions", "instructions"),)),
    ]
    # Callgrind takes seconds for each: a quick run has one of them.
    return cases[1:] if sizes.quick else cases
