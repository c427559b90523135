"""The report of all cases: as data, and as pages."""
from . import machine, tables
from .case import Sample
from .goals import verdicts
from .rounds import Result


def as_data(facts, played):
    """Everything that was measured, run by run, for programs to read."""
    return {**facts, "cases": [{
        "name": case.name, "title": case.title, "contenders": [{
            "name": result.contender.name, "ours": result.contender.ours, "missing": result.missing, "wrong": result.wrong,
            "runs": [sample.values for sample in result.samples],
            "median": {measure: result.median(measure) for measure in case.measures},
            "goals": [{"text": verdict.text, "figure": verdict.figure, "met": verdict.met} for verdict in verdicts(result, results)],
        } for result in results]} for case, results in played]}


def from_data(data, cases):
    """The cases that `as_data` wrote, with their results."""
    played = []
    for entry in data["cases"]:
        case = next(case for case in cases if case.name == entry["name"])
        results = []
        for given in entry["contenders"]:
            contender = next((each for each in case.contenders if each.name == given["name"]), None)
            if contender is None: continue
            samples = [Sample(values) for values in given["runs"]]
            if given["wrong"]: samples.append(Sample(wrong=given["wrong"]))
            results.append(Result(contender, samples, given["missing"]))
        played.append((case, results))
    return played


def pages(facts, played):
    """The whole report, and the few lines of it that a README shows."""
    where = machine.text(facts)
    if facts["quick"]: where = "A quick run: these figures mean nothing. " + where
    played = [(case, [result for result in results if result.samples or result.missing]) for case, results in played]
    goals = tables.goal_list(played)
    whole = "\n".join([where, ""] + [tables.case_table(case, results) for case, results in played] + (["### Goals", "", goals] if goals else []))
    short = f"{tables.short_table(played)}\nMeasured by `Benchmarks/run` on {where}"
    return whole, short
