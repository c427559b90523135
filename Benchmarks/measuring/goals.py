"""Says how far the goals of a case are met."""
from dataclasses import dataclass
from typing import Optional


@dataclass
class Verdict:
    """A goal with its figure; without a figure it was not measured."""
    text: str
    figure: Optional[float]
    met: Optional[bool]

    def __str__(self):
        if self.figure is None: return f"{self.text}: not measured"
        return f"{self.text}: {number(self.figure)} {'met' if self.met else 'MISSED'}"


def named(results, name):
    return next((result for result in results if result.contender.name == name), None)


def ratio(result, results, measure, against=None):
    """How many times another's figure that of `result` is, or nothing where one of them is not there."""
    other = named(results, against or result.contender.against or "")
    own, theirs = result.median(measure), other and other.median(measure)
    return own / theirs if own is not None and theirs else None


def figure(goal, result, results):
    if goal.value: return goal.value({other.contender.name: other for other in results})
    if not goal.against: return result.median(goal.measure)
    times = ratio(result, results, goal.measure, goal.against)
    return 1 / times if times and goal.inverse else times


def verdicts(result, results):
    """The verdict of each goal of a contender that was to be measured."""
    given = []
    for goal in result.contender.goals:
        value = figure(goal, result, results) if result.counts else None
        text = goal.text or f"{NAMES.get(goal.measure, goal.measure)} {'≥' if goal.at_least else '≤'} {number(goal.limit)}"
        if not goal.text and goal.against: text += f" × {goal.against}"
        given.append(Verdict(text, value, None if value is None else goal.holds(value)))
    return given


NAMES = {"wall": "time", "cpu": "CPU", "rss": "MB"}


def number(value):
    """A figure with as many digits as are worth reading."""
    if value == int(value) and abs(value) >= 10 or abs(value) >= 1000: return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 100 or abs(value) < 0.1 else f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}"
