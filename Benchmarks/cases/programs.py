"""What the Swift programs of this package measure by themselves: a decision of a policy, differences, change sets."""
import functools, os, subprocess
from measuring.case import Case, Contender, Sample
from measuring.places import HERE

BUILD = os.path.join(HERE, ".build/release")


def said(name, *words):
    """What a program says, as rows of cells."""
    process = subprocess.run([f"{BUILD}/{name}", *words], capture_output=True, text=True, timeout=900)
    if process.returncode: raise RuntimeError(f"{name}: exit code {process.returncode}: {process.stderr[-300:]}")
    return [line.split("\t") for line in process.stdout.splitlines()]


@functools.cache
def differences(count):
    """The table of differences and of appending, made once for all cases."""
    return said("Differences", str(count))


def decision(row):
    def measure(work):
        found = [line for line in work.once("decision", lambda: said("PolicyDecision")) if line[0] == row]
        return Sample({"nanoseconds": float(found[0][1].split()[0])}) if found else Sample(wrong=f"no row {row!r}")
    return measure


def difference(change, who, count):
    def measure(work):
        found = [line for line in differences(count) if line[:4] == ["int", change, str(count), who]]
        if not found: return Sample(wrong=f"no row {change}, {who}")
        if len(found[0]) < 10: return Sample(wrong=found[0][-1])
        if found[0][9] != "yes" and found[0][9] != "–": return Sample(wrong="its edits do not give the new list")
        return Sample({"nanoseconds": float(found[0][4])})
    return measure


def appending(name, to, count):
    def measure(work):
        found = [line for line in differences(count) if line[:2] == [name, str(to)]]
        return Sample({"microseconds": float(found[0][2])}) if found else Sample(wrong=f"no row {name}, {to}")
    return measure


def all_of(sizes):
    count = sizes(10_000, 1000)
    needs = lambda name: (f"{BUILD}/{name}",)
    changes = ("insdel20", "move10", "shuffle", "append")
    raw = "raw C, six lua_setfield"
    cases = [Case("decision", "One decision of a policy in Lua", [
        Contender(row, decision(row), ours=row != raw, fixed=True, needs=needs("PolicyDecision")) for row in ("ours, instruction budget", "ours, no budget", raw)
    ], ("nanoseconds",), rounds=3, against=raw, readme=(("a decision of a policy in Lua", "ours, instruction budget", raw, "nanoseconds", "ns"),))]
    if sizes.quick: return cases
    contenders = [
        Contender(
            f"{who}, {change}", difference(change, who, count), ours=who == "ours", fixed=True, needs=needs("Differences"),
            against=None if who == "DifferenceKit" else f"DifferenceKit, {change}")
        for change in changes for who in ("ours", "DifferenceKit", "stdlib")]
    cases.append(Case(
        "differences", f"The difference of two lists of {count:,} integers: ns an old row", contenders, ("nanoseconds",), rounds=1,
        note="insdel20: 10 % go and 10 % come; move10: 10 % move; append: 50 come behind the last.",
        readme=(("the difference of two lists, 10 % gone and 10 % new: a row", "ours, insdel20", "DifferenceKit, insdel20", "nanoseconds", "ns"),)))
    sets = [Contender(
        f"{name}, to {to:,}", appending(name, to, count), ours=True, fixed=True, needs=needs("Differences"), against=f"{name}, to {1000:,}")
            for name in ("item set", "change set, applied to what is visible", "data controller, until visible") for to in (1000, 1_000_000)]
    cases.append(Case("change-sets", "A page of 100 appended", sets, ("microseconds",), rounds=1))
    return cases
