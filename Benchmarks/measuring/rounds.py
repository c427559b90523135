"""Plays a case: all contenders in turn, round by round, so that what else the machine does meets all of them."""
import contextlib, os, shutil, statistics, sys, tempfile
from dataclasses import dataclass, field
from .case import Sample


@dataclass
class Work:
    """What a contender is given: an empty folder, the program to measure, the world of the case, and what is kept for a round."""
    folder: str
    lookahead: str
    world: object = None
    kept: dict = field(default_factory=dict)

    def once(self, key, make):
        """The value of `make()`, made once a round for contenders that one process measures together."""
        if key not in self.kept: self.kept[key] = make()
        return self.kept[key]


@dataclass
class Result:
    """What a contender's runs gave."""
    contender: object
    samples: list = field(default_factory=list)
    missing: list = field(default_factory=list)

    @property
    def wrong(self):
        return next((sample.wrong for sample in self.samples if sample.wrong), None)

    @property
    def counts(self):
        return bool(self.samples) and not self.wrong

    def values(self, measure):
        return [sample.values[measure] for sample in self.samples if measure in sample.values]

    def median(self, measure):
        """The median, or nothing where a run was wrong or nobody measured it."""
        values = self.values(measure) if self.counts else []
        return statistics.median(values) if values else None


def play(case, binaries, folder, rounds=None, log=sys.stderr):
    """Measures all contenders of a case; `binaries` are names and paths of our program, the first without a name."""
    results = [Result(contender, missing=contender.missing()) for contender in case.contenders]
    players = [(result, binaries[0][1]) for result in results]
    for name, path in binaries[1:]:
        for result in [result for result in results if result.contender.ours and not result.contender.fixed]:
            twin = Result(renamed(result.contender, name))
            results.insert(results.index(result) + 1, twin)
            players.insert(next(i for i, (r, _) in enumerate(players) if r is result) + 1, (twin, path))
    with contextlib.ExitStack() as stack:
        try:
            world = stack.enter_context(case.enter()) if case.enter else None
        except (Exception, SystemExit) as error:
            for result, _ in players: result.samples.append(Sample(wrong=f"the case could not begin: {type(error).__name__}: {error}"))
            return results
        for number in range(rounds or case.rounds):
            kept = {}
            for result, binary in players:
                if result.missing or result.wrong or (number and result.contender.slow): continue
                sample = measured(result.contender, Work("", binary, world, kept.setdefault(binary, {})), folder)
                result.samples.append(sample)
                compare(results, result, sample)
                print(f"{case.name}: {result.contender.name}, run {number + 1}: {line(case, sample)}", file=log, flush=True)
    return results


def renamed(contender, name):
    copy = type(contender)(**contender.__dict__)
    copy.name, copy.against, copy.goals = f"{contender.name} [{name}]", contender.name, ()
    return copy


def measured(contender, work, folder):
    work.folder = tempfile.mkdtemp(dir=folder)
    try:
        return contender.measure(work)
    except Exception as error:
        return Sample(wrong=f"{type(error).__name__}: {error}")
    finally:
        shutil.rmtree(work.folder, ignore_errors=True)


def compare(results, result, sample):
    """A run whose output differs from that of others who should write the same is wrong."""
    same = result.contender.same
    if not same or sample.wrong: return
    for other in results:
        if other.contender.same == same and other.counts and other.samples[0].digest != sample.digest:
            sample.wrong = f"its output is not that of {other.contender.name}"
            return


def line(case, sample):
    if sample.wrong: return f"WRONG: {sample.wrong.strip()}"
    return ", ".join(f"{name} {value:.4g}" for name, value in sample.values.items()) + f" (load {os.getloadavg()[0]:.1f})"
