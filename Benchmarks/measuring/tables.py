"""Writes what was measured as tables of Markdown."""
from .goals import named, number, ratio, verdicts

TITLES = {
    "wall": "s", "cpu": "CPU s", "rss": "MB", "instructions": "instructions", "each": "instructions an item", "first": "s to the first row, without the latency",
    "size": "MB", "nanoseconds": "ns", "microseconds": "µs", "rate": "million events/s",
}


def case_table(case, results):
    """The whole table of a case: everybody, the range of all runs, the ratio to a named peer and the goals."""
    first, *others = case.measures
    heads = ["who", f"{TITLES[first]} (min..max)", *(TITLES[measure] for measure in others), "ratio", "goal"]
    text = [f"### {case.title}", ""]
    if case.note: text += [case.note, ""]
    text += [row(heads), row(["---"] + ["---:"] * (len(others) + 1) + ["---", "---"])]
    for result in results:
        name = result.contender.name.replace("|", "\\|")
        if result.contender.ours: name = f"**Lookahead**: {name}"
        text.append(row([name] + cells(case, result, results, first, others)))
    return "\n".join(text) + "\n"


def cells(case, result, results, first, others):
    if result.missing: return [f"not installed: {short(result.missing[0])}"] + [""] * (len(others) + 2)
    if result.wrong: return [f"WRONG: {one_line(result.wrong)}"] + [""] * (len(others) + 2)
    if not result.samples: return ["not measured"] + [""] * (len(others) + 2)
    against = result.contender.against or case.against
    times = ratio(result, results, first, against) if against and against != result.contender.name else None
    return [
        spread(result, first), *(plain(result.median(measure)) for measure in others),
        f"{number(times)} × {against}" if times is not None else "", "; ".join(str(verdict) for verdict in verdicts(result, results)),
    ]


def spread(result, measure):
    """The median, and from where to where all runs went."""
    values = result.values(measure)
    if not values: return ""
    middle = number(result.median(measure))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))}..{number(max(values))})"


def plain(value): return "" if value is None else number(value)


def short(path): return path.split("/Benchmarks/")[-1]


def one_line(text): return " ".join(text.split()).replace("|", "\\|")[:200]


def row(cells): return "| " + " | ".join(cells) + " |"


READING = [
    row(["work", "Lookahead", "beside", "takes", "ratio", "goal"]), row(["---", "---:", "---", "---:", "---:", "---"])]


def short_table(played):
    """A few lines for the README: pairs of ours and a peer, as the cases name them."""
    lines = []
    for case, results in played:
        for work, ours, peer, measure, unit in case.readme:
            own, other = named(results, ours), named(results, peer)
            if own is None or not own.counts: continue
            times = ratio(own, results, measure, peer) if other else None
            goal = next((v for g, v in zip(own.contender.goals, verdicts(own, results)) if g.measure == measure and (g.against or "") == (peer or "")), None)
            takes = f"{plain(other.median(measure))} {unit}" if times is not None else "not measured" if peer else ""
            lines.append(row([
                work, f"{plain(own.median(measure))} {unit}", peer.replace("|", "\\|"), takes, plain(times),
                "" if goal is None else goal_cell(own, goal)]))
    return "\n".join(READING + lines) + "\n"


def goal_cell(result, verdict):
    limit = verdict.text[verdict.text.find("≤"):] if "≤" in verdict.text else verdict.text
    return f"{limit.split(' × ')[0]}, {'met' if verdict.met else 'missed'}"


def goal_list(played):
    """All goals with what came, the missed ones first."""
    found = [(case.name, result, verdict) for case, results in played for result in results for verdict in verdicts(result, results)]
    order = sorted(found, key=lambda entry: (entry[2].met is not False, entry[2].met is not None))
    return "\n".join(f"- {name}, {result.contender.name}: {verdict}" for name, result, verdict in order) + "\n" if found else ""
