"""The report of all cases: as data, and as pages."""
from . import machine, tables
from .goals import verdicts


def as_data(facts, played):
    """Everything that was measured, run by run, for programs to read."""
    return {**facts, "cases": [{
        "name": case.name, "title": case.title, "contenders": [{
            "name": result.contender.name, "ours": result.contender.ours, "missing": result.missing, "wrong": result.wrong,
            "runs": [sample.values for sample in result.samples],
            "median": {measure: result.median(measure) for measure in case.measures},
            "goals": [{"text": verdict.text, "figure": verdict.figure, "met": verdict.met} for verdict in verdicts(result, results)],
        } for result in results]} for case, results in played]}


def pages(facts, played, is_quick=False):
    """The whole report, and the few lines of it that a README shows."""
    where = machine.text(facts)
    if is_quick: where = "A quick run: these figures mean nothing. " + where
    goals = tables.goal_list(played)
    whole = "\n".join([where, ""] + [tables.case_table(case, results) for case, results in played] + (["### Goals", "", goals] if goals else []))
    short = f"{tables.short_table(played)}\nMeasured by `Benchmarks/run` on {where}"
    return whole, short
