"""Many partitions open at once, and several threads that read them."""
from functools import partial
from measuring import rows
from measuring.case import Case, Goal
from measuring.commands import command
from measuring.places import SCRIPTS


def apart(results):
    """How many times the fastest the slowest takes."""
    times = [result.median("wall") for result in results.values() if result.contender.ours and " [" not in result.contender.name]
    return max(times) / min(times) if all(times) else None


def all_of(sizes):
    count, steps = sizes(16_000), sizes(400_000)
    expected = rows.Expected(count * 3)
    widths = [100, 1000, 4000, 10_000] if not sizes.quick else [10, 100]
    run = f"$LOOKAHEAD run {SCRIPTS}/partitions.lua -q -e count={count} -o $OUT -e open="
    all_there = partial(expected.check, records=rows.ids(rows.ndjson))
    opened = [command(f"{open:,} open", f"{run}{open}", "o.ndjson", all_there) for open in widths]
    opened[-1].goals = (Goal("wall", 1.2, text="all within 1.2 ×", value=apart),)
    parts = sizes(400, 20)  # 400,000 steps each, about 4 s on one thread
    answer = rows.Expected(parts)
    sums = partial(answer.check, records=rows.ndjson)
    run = f"$LOOKAHEAD run {SCRIPTS}/computing.lua -q -e count={parts} -e steps={steps} -o $OUT --jobs"
    one, two = (command(f"--jobs {jobs}", f"{run} {jobs}", "o.ndjson", sums) for jobs in (1, 2))
    two.goals = (Goal("wall", 1.8, "--jobs 1", text="≥ 1.8 × as fast", at_least=True, inverse=True),)
    return [
        Case("partitions", f"{count:,} partitions of 3 pages whose handlers wait for 1 ms", opened, rounds=3, against=opened[0].name,
             readme=((f"{count:,} partitions: {opened[-1].name}", opened[-1].name, opened[0].name, "wall", "s"),)),
        Case("jobs", f"{parts} partitions that compute, on one thread and on two", [one, two], rounds=5, against="--jobs 1",
             readme=(("a script that computes, `--jobs 2`", "--jobs 2", "--jobs 1", "wall", "s"),)),
    ]
