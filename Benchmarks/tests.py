#!/usr/bin/env python3
"""What the measuring itself promises; needs no peer and no network: python3 Benchmarks/tests.py"""
import io, json, os, sys, tempfile, time, unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True
from cases import all_cases
from cases.sizes import Sizes
from functools import partial
from measuring import goals, marks, meter, programs, report, rounds, rows, tables
from measuring.case import Case, Contender, Goal, Sample
from measuring.commands import command


def taking(name, *times, **more):
    """A contender whose runs take so long, one after the other."""
    left = list(times)
    return Contender(name, lambda work: Sample({"wall": left.pop(0), "cpu": 1.0, "rss": 2.0}), **more)


def writing(name, text, **more):
    """A contender that writes a text where three items are expected."""
    expected = rows.Expected(3, lambda number: {"id": number, "score": number * 1.0})
    return command(name, f"printf '{text}' > $OUT", "o.ndjson", partial(expected.check, records=rows.ndjson), **more)


def lines(*items): return "".join(json.dumps(item) + "\\n" for item in items)


RIGHT = lines(*({"id": number, "score": number * 1.0} for number in (1, 2, 3)))


def played(*contenders, binaries=(("", "/bin/true"),), count=3, against=None):
    """A case of these contenders, what they gave, its table and what was said meanwhile."""
    case, log = Case("case", "The case", list(contenders), against=against), io.StringIO()
    with tempfile.TemporaryDirectory() as folder: results = rounds.play(case, list(binaries), folder, count, log)
    return results, tables.case_table(case, results), log.getvalue()


def setUpModule(): programs.build([programs.METER])


def is_running(process):
    """Whether it is there, and no zombie."""
    try:
        with open(f"/proc/{process}/stat") as file: return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Figures(unittest.TestCase):
    def test_a_row_has_the_median_the_range_and_the_ratio_to_a_named_peer(self):
        _, table, _ = played(taking("ours", 3.0, 1.0, 2.0, ours=True), taking("peer", 4.0, 4.0, 5.0), against="peer")

        self.assertIn("| **Lookahead**: ours | 2.00 (1.00..3.00) | 1.00 | 2.00 | 0.500 × peer |", table)

    def test_contenders_take_turns(self):
        _, _, log = played(taking("a", 1, 1, 1), taking("b", 1, 1, 1), taking("slow", 1, slow=True))

        self.assertEqual([line.split(",")[0].split(": ")[1] for line in log.splitlines()], ["a", "b", "slow", "a", "b", "a", "b"])

    def test_another_build_of_ours_is_measured_in_the_same_rounds(self):
        names = []
        ours = Contender("ours", lambda work: names.append(work.lookahead) or Sample({"wall": float(len(names))}), ours=True)

        results, table, _ = played(ours, taking("peer", 1, 1), binaries=(("", "/new"), ("before", "/old")), count=2)

        self.assertEqual(names, ["/new", "/old", "/new", "/old"])
        self.assertIn("| **Lookahead**: ours [before] | 3.00 (2.00..4.00) |", table)
        self.assertEqual(goals.ratio(results[1], results, "wall"), 1.5)

    def test_who_is_not_installed_is_said_and_left_out(self):
        _, table, _ = played(taking("a", 1, 1, 1), taking("b", needs=("/nowhere/program",)))

        self.assertIn("| b | not installed: /nowhere/program |", table)
        self.assertIn("| a | 1.00 (1.00..1.00) |", table)

    def test_the_memory_of_a_run_is_not_that_of_its_parent(self):
        held = bytearray(os.urandom(1)) * 200_000_000
        with tempfile.TemporaryDirectory() as folder: usage = meter.run("exec true", folder)

        self.assertLess(usage.rss, 5)
        self.assertEqual(len(held), 200_000_000)

    def test_a_run_that_takes_too_long_is_stopped_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            usage = meter.run("sleep 1000 & echo $! > child; wait", folder, timeout=1)
            with open(os.path.join(folder, "child")) as file: child = file.read().strip()

        self.assertEqual((usage.code, usage.said), (-1, "stopped after 1 s"))
        # The signal is sent; on a busy machine it dies a moment later.
        end = time.monotonic() + 60
        while is_running(child): self.assertLess(time.monotonic(), end, f"{child} goes on")

    def test_what_children_take_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            child, nothing = meter.run("python3 -c 'sum(range(9000000))'; true", folder), meter.run("true", folder)

        self.assertGreater(child.wall, nothing.wall)
        self.assertGreater(child.cpu, nothing.cpu)
        self.assertGreater(child.rss, nothing.rss)


class Checks(unittest.TestCase):
    def assertWrong(self, contender, why):
        results, table, _ = played(contender, taking("peer", 1, 1, 1), against="peer")
        self.assertIn(why, results[0].wrong)
        self.assertRegex(table, rf"\| {contender.name} \| WRONG: .*\|  \|  \|  \|  \|\n")
        self.assertIsNone(results[0].median("wall"))

    def test_all_items_each_once_and_as_they_should_be(self):
        results, _, _ = played(writing("right", RIGHT))

        self.assertIsNone(results[0].wrong)
        self.assertEqual(len(results[0].samples), 3)

    def test_a_lost_item_is_wrong(self):
        self.assertWrong(writing("lost", lines({"id": 1, "score": 1.0}, {"id": 3, "score": 3.0})), "2 items of 3")

    def test_an_item_that_came_twice_is_wrong(self):
        self.assertWrong(writing("twice", RIGHT + lines({"id": 2, "score": 2.0})), "id 2 came twice")

    def test_another_value_is_wrong(self):
        self.assertWrong(writing("changed", RIGHT.replace("2.0", "2.5")), "item 2 is {'id': 2, 'score': 2.5}")

    def test_an_unknown_id_is_wrong(self):
        self.assertWrong(writing("unknown", RIGHT.replace('"id": 3', '"id": 4')), "an unknown id, 4")

    def test_an_output_that_is_cut_off_is_wrong(self):
        self.assertWrong(writing("cut", RIGHT[:-8]), "JSONDecodeError")

    def test_an_exit_code_is_wrong_even_with_the_right_output(self):
        self.assertWrong(command("failed", "echo no luck >&2; exit 3"), "exit code 3: no luck")

    def test_a_run_that_is_wrong_once_has_no_time(self):
        once = iter([None, "not now", None])
        contender = Contender("sometimes", lambda work: Sample({"wall": 1.0}, next(once)))

        self.assertWrong(contender, "not now")

    def test_outputs_that_should_be_equal_are_compared(self):
        results, _, _ = played(writing("a", RIGHT, same="raw"), writing("b", RIGHT.replace(": ", ":"), same="raw"), writing("c", RIGHT.replace(": ", ":")))

        self.assertEqual([result.wrong for result in results], [None, "its output is not that of a", None])

    def test_a_case_that_can_not_begin_is_wrong(self):
        case = Case("case", "The case", [taking("a", 1)], enter=lambda: open("/nowhere/server"))

        results = rounds.play(case, [("", "/bin/true")], "/tmp", 1, io.StringIO())

        self.assertIn("the case could not begin: FileNotFoundError", results[0].wrong)

    def test_nothing_is_compared_with_who_was_wrong(self):
        results, table, _ = played(taking("ours", 1, 1, 1, ours=True, goals=(Goal("wall", 2, "peer"),)), writing("peer", lines({"id": 1})), against="peer")

        self.assertIsNone(goals.ratio(results[0], results, "wall", "peer"))
        self.assertIn("|  | time ≤ 2.00 × peer: not measured |", table)


class Goals(unittest.TestCase):
    def said(self, *given, ours=(2.0,), peer=(4.0,)):
        results, _, _ = played(taking("ours", *ours, ours=True, goals=given), taking("peer", *peer), count=len(ours))
        return [str(verdict) for verdict in goals.verdicts(results[0], results)]

    def test_a_goal_is_a_figure_or_a_ratio(self):
        self.assertEqual(self.said(Goal("wall", 1.5), Goal("wall", 0.5, "peer"), Goal("wall", 0.49, "peer")), [
            "time ≤ 1.50: 2.00 MISSED", "time ≤ 0.500 × peer: 0.500 met", "time ≤ 0.490 × peer: 0.500 MISSED"])

    def test_a_speed_up_is_a_ratio_turned_round(self):
        self.assertEqual(self.said(Goal("wall", 1.8, "peer", text="≥ 1.8 × as fast", at_least=True, inverse=True)), ["≥ 1.8 × as fast: 2.00 met"])

    def test_a_goal_of_several_results(self):
        apart = Goal("wall", 1.2, text="apart", value=lambda found: found["peer"].median("wall") / found["ours"].median("wall"))

        self.assertEqual(self.said(apart), ["apart: 2.00 MISSED"])

    def test_missed_goals_come_first(self):
        case = Case("case", "The case", [])
        results, _, _ = played(taking("a", 1.0, goals=(Goal("wall", 2),)), taking("b", 3.0, goals=(Goal("wall", 2),)), count=1)

        self.assertEqual(tables.goal_list([(case, results)]).splitlines(), ["- case, b: time ≤ 2.00: 3.00 MISSED", "- case, a: time ≤ 2.00: 1.00 met"])

    def test_goals_and_columns_of_all_cases_are_there(self):
        for sizes in (Sizes(), Sizes(quick=True), Sizes(long=True)):
            cases = all_cases(sizes)
            self.assertEqual(len({case.name for case in cases}), len(cases))
            for case in cases:
                names = [each.name for each in case.contenders]
                self.assertEqual(len(set(names)), len(names), case.name)
                wanted = {goal.against for each in case.contenders for goal in each.goals} | {each.against for each in case.contenders} | {case.against}
                wanted |= {name for _, ours, peer, _, _ in case.readme for name in (ours, peer or None)}
                self.assertLessEqual(wanted - {None}, set(names), case.name)
                self.assertLessEqual(set(case.measures), set(tables.TITLES), case.name)


class Reports(unittest.TestCase):
    def test_what_was_saved_gives_the_same_page(self):
        contenders = [
            taking("ours", 2.0, 3.0, ours=True, goals=(Goal("wall", 1.0, "peer"),)), taking("peer", 4.0, 5.0),
            writing("wrong", lines({"id": 1, "score": 1.0})), taking("gone", needs=("/nowhere/x",))]
        case = Case("case", "The case", contenders, against="peer", readme=(("work", "ours", "peer", "wall", "s"),))
        facts = {"date": "2026-11-25", "machine": "here", "load": [0.5], "lookahead": "1", "commit": "abc", "binary": "today", "versions": {"jq": "1.6"}, "quick": False}
        results, _, _ = played(*contenders, count=2)

        page = report.pages(facts, [(case, results)])
        again = report.pages(facts, report.from_data(json.loads(json.dumps(report.as_data(facts, [(case, results)]))), [case]))

        self.assertEqual(again, page)
        self.assertIn("| **Lookahead**: ours | 2.50 (2.00..3.00) |", page[0])
        self.assertIn("| wrong | WRONG: 1 items of 3 |", page[0])


class Pages(unittest.TestCase):
    PAGE = f"# Title\n\n{marks.BEGIN}\nold\n{marks.END}\n\nrest\n"

    def test_only_what_is_between_the_marks_is_replaced(self):
        page = marks.between(self.PAGE, "new\n")

        self.assertEqual(page, self.PAGE.replace("old", "new"))
        self.assertEqual(marks.between(page, "new"), page)

    def test_a_page_without_the_marks_is_refused(self):
        for page in ("# Title\n", self.PAGE.replace(marks.END, ""), self.PAGE + self.PAGE):
            with self.assertRaises(ValueError): marks.between(page, "new")

    def test_the_pages_of_this_repository_have_them(self):
        here = os.path.dirname(os.path.realpath(__file__))
        for path in ("README.md", "../README.md"):
            with open(os.path.join(here, path)) as file: marks.between(file.read(), "new")

    def test_the_short_table_has_pairs_with_their_goals(self):
        case = Case("case", "The case", [], readme=(("work", "ours", "a | b", "wall", "s"), ("other work", "ours", "gone", "wall", "s")))
        results, _, _ = played(taking("ours", 1.0, ours=True, goals=(Goal("wall", 0.6, "a | b"),)), taking("a | b", 2.0), count=1)

        self.assertEqual(tables.short_table([(case, results)]).splitlines()[2:], [
            "| work | 1.00 s | a \\| b 2.00 s (0.500) | ≤ 0.600 × a \\| b: met |", "| other work | 1.00 s |  | ≤ 0.600 × a \\| b: met |"])


if __name__ == "__main__":
    unittest.main()
