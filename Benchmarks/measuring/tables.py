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


def short_table(played):
    """A few lines for the README: what ours takes at a work, beside the peers that the cases name, and its goals."""
    text = [row(["work", "Lookahead", "beside (how many times theirs ours is)", "goal"]), row(["---", "---:", "---", "---"])]
    for case, results in played:
        works = {}
        for work, ours, peer, measure, unit in case.readme: works.setdefault((work, ours, measure, unit), []).append(peer)
        for (work, ours, measure, unit), peers in works.items():
            own = named(results, ours)
            if own is None or not own.counts: continue
            beside = [pair(own, named(results, peer), results, measure, unit) for peer in peers if peer]
            aims = [verdict for goal, verdict in zip(own.contender.goals, verdicts(own, results)) if goal.measure == measure]
            text.append(row([
                work, f"{plain(own.median(measure))} {unit}", "; ".join(filter(None, beside)), "; ".join(aim(verdict) for verdict in aims)]))
    return "\n".join(text) + "\n"


def pair(own, other, results, measure, unit):
    """A peer with its figure and the ratio to it; nothing where it was not measured."""
    times = other and ratio(own, results, measure, other.contender.name)
    if not times: return None
    name = other.contender.name.replace("|", "\\|")
    return f"{name} {plain(other.median(measure))} {unit} ({number(times)})"


def aim(verdict):
    """A goal without the figure that stands beside it."""
    state = "not measured" if verdict.met is None else "met" if verdict.met else "missed"
    return f"{verdict.text.removeprefix('time ').replace('|', chr(92) + '|')}: {state}"


def goal_list(played):
    """All goals with what came, the missed ones first."""
    found = [(case.name, result, verdict) for case, results in played for result in results for verdict in verdicts(result, results)]
    order = sorted(found, key=lambda entry: (entry[2].met is not False, entry[2].met is not None))
    return "\n".join(f"- {name}, {result.contender.name}: {verdict}" for name, result, verdict in order) + "\n" if found else ""
