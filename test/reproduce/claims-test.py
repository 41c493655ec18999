#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The arithmetic of utils/reproduce: verdicts, numbers, what is taken from files. No simulation.
#
#   claims-test.py <utils>
import csv
import os
import re
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, sys.argv.pop(1))
sys.dont_write_bytecode = True

# The path comes first.
from reproduction import (claims, document, drawing, figures, lock, main, report,  # noqa: E402
                          results, runs, samples, schemes)
from reproduction.errors import ReproduceError  # noqa: E402
from reproduction.papers import (deadlock_ring, icc_burst, icc_readings,  # noqa: E402
                                 icc_sensitivity, icc_workload, inof, machines)


def verdict(make, *samples):
    """The verdict of a claim, of what each of the samples measured."""
    return claims.judge([make(sample) for sample in samples]).verdict


def ratio(measured):
    return claims.ratio("c", "s", 2.3, measured)


class Verdicts(unittest.TestCase):
    def test_value_without_order(self):
        def make(measured):
            return claims.value("c", "s", 10, measured, "Gb/s")

        for measured, reached in ((10, claims.REPRODUCED), (13, claims.REPRODUCED),
                                  (7, claims.REPRODUCED), (13.01, claims.NOT_REPRODUCED),
                                  (6.99, claims.NOT_REPRODUCED), (None, claims.NOT_REPRODUCED),
                                  (float("nan"), claims.NOT_REPRODUCED)):
            self.assertEqual(verdict(make, measured), reached, measured)
        self.assertEqual(verdict(make, 12, 12.5, 13), claims.REPRODUCED)
        self.assertEqual(verdict(make, 12, 12.5, 13.1), claims.UNDECIDED)
        self.assertEqual(verdict(make, 6, 20), claims.UNDECIDED)  # the band is within
        self.assertEqual(verdict(make, 13.1, 15, 20), claims.NOT_REPRODUCED)
        self.assertEqual(make(1).tolerance, "30 %")
        self.assertEqual(verdict(lambda m: claims.value("c", "s", 10, m, "u", tolerance=0.1), 11.5),
                         claims.NOT_REPRODUCED)

    def test_the_strongest_statement_that_holds_for_all_of_the_interval(self):
        self.assertEqual(verdict(ratio, 2.0, 2.3, 2.9), claims.REPRODUCED)
        self.assertEqual(verdict(ratio, 1.5, 2.3, 2.9), claims.FACTOR)
        self.assertEqual(verdict(ratio, 1.15, 2.3, 4.6), claims.FACTOR)  # half and twice
        self.assertEqual(verdict(ratio, 1.14, 2.3, 2.9), claims.ORDER_ONLY)
        self.assertEqual(verdict(ratio, 2.3, 4.7), claims.ORDER_ONLY)
        self.assertEqual(verdict(ratio, 0.9, 2.3, 2.9), claims.UNDECIDED)  # straddles the order
        self.assertEqual(verdict(ratio, 1.0, 1.0), claims.NOT_REPRODUCED)  # a tie is no order
        self.assertEqual(verdict(ratio, 0.5, 0.9), claims.NOT_REPRODUCED)
        # Within the tolerance, but on the other side: published as better, measured as worse.
        self.assertEqual(verdict(lambda m: claims.ratio("c", "s", 1.2, m), 0.9),
                         claims.NOT_REPRODUCED)

    def test_the_interval_decides_and_not_a_sample_outside_of_it(self):
        # Of ten samples the interval is the second from below to the second from above.
        self.assertEqual(verdict(ratio, 0.5, *[2.3] * 9), claims.REPRODUCED)
        self.assertEqual(verdict(ratio, 0.5, 0.5, *[2.3] * 8), claims.UNDECIDED)

    def test_reductions_are_ordered_by_zero(self):
        def make(measured):
            return claims.reduction("c", "s", 51, measured)

        self.assertEqual(verdict(make, 40), claims.REPRODUCED)
        self.assertEqual(verdict(make, 30), claims.FACTOR)
        self.assertEqual(verdict(make, 1947), claims.ORDER_ONLY)
        self.assertEqual(verdict(make, -1, 60), claims.UNDECIDED)
        self.assertEqual(verdict(make, -50), claims.NOT_REPRODUCED)
        self.assertEqual(claims.relative_reduction(40, 100), 60)
        self.assertIsNone(claims.relative_reduction(40, 0))
        self.assertIsNone(claims.relative_reduction(None, 2))

    def test_bounds(self):
        def least(measured):
            return claims.at_least("c", "s", 56, measured, "%", measured, True)

        self.assertEqual(verdict(least, 56, 60), claims.REPRODUCED)
        self.assertEqual(verdict(least, 30, 60), claims.FACTOR)
        self.assertEqual(verdict(least, 20, 60), claims.ORDER_ONLY)
        self.assertEqual(verdict(least, -1, 60), claims.UNDECIDED)
        self.assertEqual(verdict(least, -2, -1), claims.NOT_REPRODUCED)

        def most(measured):
            return claims.at_most("c", "s", 0, measured, "frames")

        self.assertEqual(verdict(most, 0), claims.REPRODUCED)
        self.assertEqual(verdict(most, 0, 1), claims.UNDECIDED)
        self.assertEqual(verdict(most, 1, 1), claims.NOT_REPRODUCED)
        self.assertEqual({least(1).tolerance, most(1).tolerance}, {"bound"})

    def test_orders_without_numbers(self):
        def make(pair):
            return claims.best("c", "s", pair[0], [pair[1], None, 9], "ms", "why")

        self.assertEqual(verdict(make, (1, 2), (2, 3)), claims.REPRODUCED)
        self.assertEqual(verdict(make, (1, 2), (2, 1)), claims.UNDECIDED)
        self.assertEqual(verdict(make, (2, 2), (2, 2)), claims.NOT_REPRODUCED)  # a tie
        self.assertEqual(verdict(make, (3, 2)), claims.NOT_REPRODUCED)
        self.assertEqual(verdict(make, (None, 2)), claims.NOT_REPRODUCED)
        # Samples are compared pair by pair, though the values of all samples overlap.
        self.assertEqual(verdict(make, (1, 2), (3, 4)), claims.REPRODUCED)
        judged = claims.judge([make((1, 2)), make((2, 4))])
        self.assertEqual((judged.published, judged.tolerance), ("least (others: 3 and up)", "order"))
        # More than the order was published, such as "near zero".
        more = claims.judge([claims.best("c", "s", 1, [2], "ms", "why", more=True)])
        self.assertEqual((more.verdict, more.reason), (claims.ORDER_ONLY, "why"))
        self.assertEqual(verdict(lambda m: claims.greatest("c", "s", m, [2], "u"), 3),
                         claims.REPRODUCED)
        self.assertEqual(verdict(lambda m: claims.greatest("c", "s", m, [2], "u"), 1),
                         claims.NOT_REPRODUCED)
        self.assertEqual(claims.judge([claims.best("c", "s", 1, [None], "ms")]).verdict,
                         claims.NOT_REPRODUCED)

    def test_samples_without_a_number(self):
        self.assertEqual(verdict(ratio, None, 2.3, 2.3), claims.UNDECIDED)
        self.assertEqual(verdict(ratio, None, None), claims.NOT_REPRODUCED)
        judged = claims.judge([ratio(None), ratio(2.3)])
        self.assertIn("1 of 2 samples have no number", judged.reason)
        self.assertEqual(judged.row()[3:7], ["none", "", "", 2])

    def test_a_reason_only_where_it_is_needed(self):
        def reason(make, *measured):
            return claims.judge([make("c", "s", 50, m, "why") for m in measured]).reason

        self.assertEqual(reason(claims.ratio, 50), "")
        self.assertEqual(reason(claims.ratio, 30), "why")
        self.assertIn("40 times more than published", reason(claims.reduction, 2000))
        self.assertIn("10 times less than published; why", reason(claims.reduction, 5))
        # The reason is that of the sample nearest to the median.
        judged = claims.judge([claims.ratio("c", "s", 50, m, f"of {m}") for m in (20, 30, 90)])
        self.assertIn("of 30", judged.reason)
        self.assertEqual(claims.quotient(1, 0), None)
        self.assertEqual(claims.quotient(None, 1), None)

    def test_checks_hold_in_all_samples(self):
        merged = claims.merge_checks([[claims.no_drops("x", 0)], [claims.no_drops("x", 7)],
                                      [claims.no_drops("x", 9)]])
        self.assertEqual([(c.holds, c.measured) for c in merged], [(False, "7 (sample 2)")])
        self.assertTrue(claims.merge_checks([[claims.no_drops("x", 0)]] * 2)[0].holds)


class Intervals(unittest.TestCase):
    def test_ranks_cover_the_median_with_95_percent(self):
        # Tables of order statistics, such as Conover's: 6: 1, 9: 2, 10: 2, 12: 3, 20: 6.
        for count, rank in ((1, 1), (3, 1), (5, 1), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3),
                            (20, 6)):
            self.assertEqual(samples.rank_of(count), rank, count)
        self.assertAlmostEqual(samples.coverage(3), 0.75)
        self.assertAlmostEqual(samples.coverage(6), 1 - 2 / 64)
        self.assertAlmostEqual(samples.coverage(10), 1 - 2 * 11 / 1024)
        for count in range(6, 40):
            self.assertGreaterEqual(samples.coverage(count), 0.95)

    def test_median_and_ends(self):
        found = samples.interval([9, 1, 8, 2, 7, 3, 6, 4, 5, 10])
        self.assertEqual((found.median, found.low, found.high, found.count), (5.5, 2, 9, 10))
        self.assertEqual(samples.interval([3, 1, 2]), samples.Interval(2, 1, 3, 3))
        self.assertEqual(samples.interval([4]), samples.Interval(4, 4, 4, 1))
        self.assertIsNone(samples.interval([]))
        self.assertIsNone(samples.interval([1, None]))
        self.assertIsNone(samples.interval([1, float("inf")]))

    def test_a_single_sample_has_no_interval(self):
        judged = claims.judge([ratio(2.3)])
        self.assertEqual(judged.row()[3:7], ["2.3", "", "", 1])
        self.assertIn("deterministic", samples.describe(1, True))
        self.assertNotIn("deterministic", samples.describe(1))
        self.assertIn("75.0 %", samples.describe(3))
        self.assertEqual(claims.judge([ratio(2.3)] * 3).row()[4:7], ["2.3", "2.3", 3])

    def test_samples_are_spread_over_a_period(self):
        phases = [samples.Sample(number, 4).phase(30) for number in range(4)]
        self.assertTrue(all(0 <= phase < 30 for phase in phases), phases)
        self.assertEqual(phases, [samples.Sample(number, 9).phase(30) for number in range(4)])
        # At random: steps of a grid would all be the same.
        self.assertEqual(len({round(b - a, 6) for a, b in zip(phases, phases[1:])}), 3)
        self.assertEqual(samples.FIRST.option("run"), ())
        self.assertEqual(samples.Sample(2, 4).option("run"), ("--run=3",))
        self.assertEqual(samples.Sample(2, 4).option("ecmpDraw", 0), ("--ecmpDraw=2",))


class Tables(unittest.TestCase):
    def test_cells_are_medians_with_intervals(self):
        tables = [[report.Table("t", ["scheme", "x", "y"], [["a", x, 5], ["b", None, 1]])]
                  for x in (1.0, 2.0, 4.0)]
        merged = report.merge_tables(tables)
        self.assertEqual(merged[0].rows, [["a", "2 (1 to 4)", "5"], ["b", "none", "1"]])

    def test_rows_that_a_sample_has_not(self):
        tables = [[report.Table("t", ["load", "x"], rows)] for rows in (
            [["50 %", 1], ["60 %", 7]], [["50 %", 3]])]
        self.assertEqual(report.merge_tables(tables)[0].rows, [["50 %", "2 (1 to 3)"], ["60 %", "7"]])


@unittest.skipUnless(drawing.plt, "no matplotlib")
class Figures(unittest.TestCase):
    def tearDown(self):
        drawing.plt.close("all")

    def test_dots_are_medians_and_diamonds_are_published(self):
        figure = figures.Dots("n", "t", "c", {"F1 (ms)": ({"a": [1, 2, 9], "b": [None, 4]}, {"a": 2.5})})
        axes = figure.panels["F1 (ms)"]
        self.assertEqual(axes.get_xlabel(), "F1 (ms)")
        self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["a", "b"])
        diamonds = [line for line in axes.lines if line.get_marker() == "D"]
        self.assertEqual([list(line.get_xdata()) for line in diamonds], [[2.5]])
        dots = [list(line.get_xdata()) for line in axes.lines if line.get_marker() == "o"]
        self.assertEqual(dots, [[2], [4]])

    def test_every_axis_of_small_multiples_has_its_unit(self):
        figure = figures.Figure("n", "t", "c", list("abcde"))
        figure.labels("time (ms)", "Gb/s")
        # The outer ones, since axes are shared; below the third of the first row there is none.
        self.assertEqual([axes.get_xlabel() for axes in figure.each()],
                         ["", "", "time (ms)", "time (ms)", "time (ms)"])
        self.assertEqual([axes.get_ylabel() for axes in figure.each()], ["Gb/s", "", "", "Gb/s", ""])

    def test_two_values_are_no_line(self):
        figure = figures.Figure("n", "t", "c")
        figure.line([1, 2], [3, 4], marks=True)
        figure.line([1, 2, 3], [3, 4, 5], marks=True, index=1)
        self.assertEqual([line.get_linestyle() for line in figure.axes.lines], ["None", "--"])
        looks = {(line.get_color(), line.get_marker()) for line in figure.axes.lines}
        self.assertEqual(len(looks), 2)

    def test_claims_beyond_the_figure_stay_at_its_edge(self):
        shown = [claims.judge([ratio(measured)] * 2) for measured in (2.3, 230)]
        figure = figures.overview(shown)[0]
        points = {line.get_marker(): line.get_xdata()[0] for line in figure.axes.lines
                  if line.get_marker() in ("o", ">")}
        self.assertEqual(points, {"o": 1.0, ">": figures.EDGE})
        self.assertEqual(len(figures.overview(shown * figures.PAGE)), 2)

    def test_the_colours_are_those_of_the_package(self):
        path = os.path.join(sys.path[0], "..", "bindings", "lossless", "style.py")
        self.assertEqual(os.path.realpath(figures.style.__file__), os.path.realpath(path))


class Choices(unittest.TestCase):
    def test_the_set_nearest_to_the_published_number_by_ratio(self):
        choice = schemes.Choice("a", ("b",), "recovery", 2.5)
        self.assertEqual(choice.nearest({"a": 2.0, "b": 23.9}), "a")
        self.assertEqual(choice.nearest({"a": 0.5, "b": 5.5}), "b")  # 5 and 2.2 times
        self.assertIsNone(choice.nearest({"a": None}))

    def test_a_run_checks_the_choice(self):
        def conclude(taken, other):
            measured = icc_burst.measure({
                f"2sw-long-{choice.taken}": FakeBurst(taken),
                f"2sw-long-{choice.others[0]}": FakeBurst(other)}, main.Options())
            evaluation = report.merge([icc_burst.evaluate(measured, main.Options())])
            icc_burst.conclude(evaluation, [measured], main.Options())
            return [check.holds for check in evaluation.checks if "set of" in check.name]

        def recovers(after):
            return lambda t: 100 if t <= 0.8 or t > 0.7 + after else 0

        for choice in schemes.SETS_OF_ICC.values():
            near, far = recovers(choice.published * 0.8), recovers(choice.published * 2.4)
            self.assertEqual(conclude(near, far), [True], choice)
            self.assertEqual(conclude(far, near), [False], choice)

    def test_claims_under_other_sets_and_of_our_own_algorithm_are_not_counted(self):
        results = {f"2sw-long-{name}": FakeBurst(lambda t: 100) for name in icc_burst.SCHEMES}
        evaluation = icc_burst.evaluate(icc_burst.measure(results, main.Options()), main.Options())
        for name in (*icc_burst.ALTERNATIVES, "icc-derived"):
            label = schemes.BY_NAME[name].label
            self.assertFalse([c for c in evaluation.claims if f"{label}, " in c.claim
                              or f"{label} over" in c.claim], label)
            self.assertTrue([c for c in evaluation.others if f"{label}, " in c.claim], label)


    def test_numbers(self):
        for value, text in ((0, "0"), (0.12345, "0.123"), (2.0, "2"), (12.34, "12.3"), (1234, "1234"),
                            (0.00123, "0.00123"), (99.96, "100"), (None, "none"), (1.5e7, "1.5e+07"),
                            (float("inf"), "infinite"), (100, "100")):
            self.assertEqual(claims.number(value), text)

    def test_sizes(self):
        for size, text in ((323, "323 B"), (1000, "1 KB"), (9850, "9.8 KB"), (9850000, "9.8 MB"),
                           (9960000, "10 MB"), (65536, "66 KB"), (29995000, "30 MB")):
            self.assertEqual(drawing.size_name(size), text)

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            claims.write([claims.judge([claims.ratio("F1, a", "figure 10", 2.3, m)
                                        for m in (2.1, 2.2, 2.4)])], folder)
            with open(os.path.join(folder, "claims.csv"), newline="", encoding="ascii") as file:
                rows = list(csv.reader(file))
            self.assertEqual(",".join(rows[0]), "claim,source,published,measured,low,high,samples,unit,"
                             "tolerance,verdict")
            self.assertEqual(rows[1:], [["F1, a", "figure 10", "2.3", "2.2", "2.1", "2.4", "3",
                                         "times", "30 %", "reproduced"]])
            self.assertEqual(os.listdir(folder), ["claims.csv"])


class Checks(unittest.TestCase):
    def test_drops_are_no_claim(self):
        self.assertTrue(claims.no_drops("all runs", 0).holds)
        self.assertFalse(claims.no_drops("all runs", 1).holds)
        self.assertFalse(hasattr(claims.no_drops("all runs", 0), "verdict"))
        measured = icc_burst.measure({"2sw-long-icc": FakeBurst(lambda t: 100),
                                      "2sw-long-timely-simulator": FakeBurst(lambda t: 100)}, main.Options())
        evaluation = icc_burst.evaluate(measured, main.Options())
        self.assertTrue(evaluation.claims)
        self.assertFalse([claim for claim in evaluation.claims if "drops" in claim.claim])
        self.assertEqual([check.name for check in evaluation.checks],
                         ["lossless drops, ICC, 2sw", "lossless drops, TIMELY (simulator), 2sw"])

    def test_flows_that_did_not_complete(self):
        nothing = FakeBurst(lambda t: 0, None, 0)
        nothing.fct = lambda flow: None
        for others in ({}, {"2sw-long-timely-simulator": FakeBurst(lambda t: 100)}, {"2sw-long-timely-simulator": nothing}):
            measured = icc_burst.measure({"2sw-long-icc": nothing, **others}, main.Options())
            evaluation = report.merge([icc_burst.evaluate(measured, main.Options())])
            icc_burst.conclude(evaluation, [measured], main.Options())
            recovered = [c for c in evaluation.claims if c.claim.startswith("F1 recovers, ICC")]
            self.assertEqual({c.verdict for c in recovered} - {claims.NOT_REPRODUCED}, set())


class Readings(unittest.TestCase):
    def test_numbers_follow_from_the_paper(self):
        def ratio(size, recovery):
            return (icc_readings.alone(size) + recovery) / (icc_readings.alone(size) + 0.4)

        for size, numbers in ((icc_readings.LONG_BYTES, (1.23, 1.15, 1.11)),
                              (icc_readings.SHORT_BYTES, (2.42, 1.95, 1.68))):
            for recovery, number in zip((2.5, 1.8, 1.4), numbers):
                self.assertAlmostEqual(ratio(size, recovery), number, delta=0.02)
        self.assertEqual(icc_readings.ratios(icc_readings.SHORT_BYTES), "DCQCN 2.42, TIMELY 1.95, "
                         "PCN 1.68")

    def test_what_is_taken_is_run(self):
        listed = icc_burst.runs(main.Options(), samples.FIRST)
        self.assertEqual({a for run in listed for a in run.arguments if a.startswith("--longBytes")},
                         {"--longBytes=100000000", "--longBytes=12500000"})
        begin = next(float(a[8:-2]) for a in listed[0].arguments if a.startswith("--burst="))
        self.assertTrue(700 <= begin < 730, begin)
        self.assertEqual(icc_burst.TAKEN, "2sw")

    def test_each_sentence_has_a_reading_that_is_taken(self):
        for ambiguity in icc_readings.ambiguities():
            self.assertTrue([r for r in ambiguity.readings if r.taken != "no"], ambiguity.sentence)


    @unittest.skipUnless(figures.plt, "no matplotlib")
    def test_a_scheme_has_a_line_over_the_loads_at_which_it_runs(self):
        one = FakeBurst(None)
        one.mean = one.p99 = one.xoffs = 1
        measured = [{"fb-hadoop": {20: {"icc": one}, icc_workload.CLAIMED: {"icc": one, "dcqcn": one}}}]
        panels = icc_workload.draw(measured, main.Options())[0].panels
        self.assertEqual([[list(line.get_xdata()) for line in panels[label].lines]
                          for label in ("ICC", "DCQCN")], [[[20, 50]], [[50], [20, 50]]])

    def test_the_mix_of_the_paper_is_the_public_one_with_other_shares(self):
        def points(path):
            with open(path, newline="", encoding="ascii") as file:
                return [(int(row["flow_bytes"]), float(row["cumulative_percent"]))
                        for row in csv.DictReader(file)]

        public = points(os.path.join(Documentation.root, "data", "flow-sizes", "fb-hadoop.csv"))
        for (size, share), (same, other) in zip(public, points(icc_workload.sizes(icc_workload.OF_PAPER))):
            self.assertEqual(size, same)
            expected = share * 90 / 97.5 if size <= 1e6 else 100 - (100 - share) * 10 / 2.5
            self.assertAlmostEqual(other, expected, places=3)


class Sensitivity(unittest.TestCase):
    def test_refused_values_are_reported_and_flips_found(self):
        listed = icc_sensitivity.runs(main.Options(), samples.FIRST)
        measured = {run.name: icc_burst.Burst(FakeBurst(
            lambda t: 100, xoffs=1 if run.name.endswith("-icc") and "alpha-1-32" not in run.name else 9))
            for run in listed}
        for run in listed:
            if run.name.startswith("n-61"):
                self.assertTrue(run.refusable)
                measured[run.name] = "headroom of 63 ports exceeds 5 MB"
        evaluation = report.merge([icc_sensitivity.evaluate(measured, main.Options())])
        icc_sensitivity.conclude(evaluation, [measured], main.Options())
        flips, refused = evaluation.tables[:2]
        self.assertEqual(refused.rows, [["n, hosts H2..Hn", "61", "headroom of 63 ports exceeds 5 MB"]])
        self.assertEqual({row[0] for row in flips.rows}, {"alpha of the switches"})
        self.assertTrue(all("PFC pauses" in row[1] for row in flips.rows))
        self.assertEqual(evaluation.claims, [])


class Machines(unittest.TestCase):
    def judge(self, published, fitted, *ours):
        """The claims, and the cell that says whether the row is in its tolerance of 1 %."""
        row = machines.Row("1", "s", published, "u", 0.01, "source", lambda sample: sample, fitted=fitted)
        with unittest.mock.patch.object(machines, "rows", lambda: [row]):
            evaluation = report.merge([report.Evaluation(claims=machines.state(each)) for each in ours])
            machines.conclude(evaluation, ours, None)
        cells = dict(zip(machines.HEADER, evaluation.tables[0].rows[0]))
        return [claim.verdict for claim in evaluation.claims], cells["in tolerance"], cells["error"]

    def test_a_row_is_judged_by_all_samples(self):
        self.assertEqual(self.judge(100, "", 100.5), ([claims.REPRODUCED], "yes", "+0.50 %"))
        self.assertEqual(self.judge(100, "", 98.5), ([claims.NOT_REPRODUCED], "no", "-1.50 %"))
        self.assertEqual(self.judge(100, "", 100, 100, 102), ([claims.UNDECIDED], "in part", "+0.00 %"))

    def test_what_was_fitted_or_measured_by_nobody_is_no_claim(self):
        self.assertEqual(self.judge(100, "a preset", 100), ([], "fitted", "+0.00 %"))
        self.assertEqual(self.judge(None, "a preset", 100), ([], "prediction", ""))


class Numbers(unittest.TestCase):
    def test_percentile_is_the_nearest_rank(self):
        self.assertEqual(results.percentile([3, 1, 2], 50), 2)
        self.assertEqual(results.percentile(range(1, 101), 99), 99)
        self.assertEqual(results.percentile([5], 99), 5)
        self.assertIsNone(results.percentile([], 50))

    def test_means(self):
        self.assertIsNone(results.mean([]))
        self.assertIsNone(results.mean([1, None]))
        self.assertIsNone(results.scaled(None, 2))
        self.assertEqual(results.scaled(3, 2), 6)
        self.assertEqual(results.average(([1, 2, 3], [10, 20, 60]), 1, 3), 40)
        self.assertIsNone(results.average(([1], [1]), 2, 3))
        times, values = results.smoothed(([0.5, 1, 1.5, 2], [1, 3, 5, 7]), 1.0)
        self.assertEqual((times, values), ([1, 2], [2, 6]))
        self.assertEqual(results.jain([1, 1]), 1)
        self.assertEqual(results.jain([1, 0]), 0.5)
        self.assertIsNone(results.jain([0, 0]))


class FakeBurst:
    """A run whose F1 has the given rate at multiples of 10 us, and ends at `end` ms."""

    names = {"S0": ("0", "")}

    @staticmethod
    def pauses(_):
        return []

    def __init__(self, rate, end=9, backlog=1.4, xoffs=1, burst=1000.0):
        self.times = [i / 100 for i in range(1, 800)]
        self.rate, self.end, self.backlog, self.burst = rate, end, backlog, burst
        self.summary = {"pfc_xoff_frames": xoffs, "lossless_drops": 0}

    def option(self, name, default):
        return self.burst if name == "burst" else default

    def throughput(self, *_):
        return self.times, [self.rate(time) for time in self.times]

    def fct(self, flow):
        return self.end if flow == 0 else 0.7

    def xoffs(self, _):
        return [0.5, 1.2]

    def rows(self, _):
        return [{"type": "xoff", "time_ns": "1020000"}]

    def queue_of(self, _):
        return self.times, [20000 if 1 < time <= self.backlog else 0 for time in self.times]


class BurstMetrics(unittest.TestCase):
    def test_recovery_is_counted_from_the_burst(self):
        run = FakeBurst(lambda t: 100 if t <= 1.1 or t > 1.8 else 0, 9, 1.4)
        measured = icc_burst.Burst(run)
        self.assertAlmostEqual(measured.recovery, 0.9, places=6)
        self.assertAlmostEqual(measured.last_xoff, 0.2)
        self.assertAlmostEqual(measured.drained, 0.4)
        self.assertEqual(measured.steady_queue, 0)
        self.assertEqual(measured.lowest, 0)

    @unittest.skipUnless(figures.plt, "no matplotlib")
    def test_figures_show_published_times_where_claims_compare_them(self):
        """Of figure 4 in simulated time, of figure 5 from the burst."""
        drawn = icc_burst.draw_lines("2sw", {"icc": icc_burst.Burst(FakeBurst(lambda t: 100))}, {"icc": "ICC"})
        shown = {figure.name: [line.get_xdata()[0] for axes in figure.each() for line in axes.lines
                               if line.get_marker() == figures.PUBLISHED["marker"]] for figure in drawn}
        self.assertEqual((shown["figure-4-2sw"], shown["figure-5-2sw"]), ([1.1], [1.4]))

    def test_times_count_from_a_burst_that_is_shifted(self):
        run = FakeBurst(lambda t: 100 if t <= 1.1 or t > 1.8 else 0, burst=1010.0)
        measured = icc_burst.Burst(run)
        self.assertAlmostEqual(measured.last_xoff, 0.19)
        self.assertAlmostEqual(measured.recovery, 0.89, places=6)

    def test_a_flow_that_never_recovers(self):
        measured = icc_burst.Burst(FakeBurst(lambda t: 100 if t <= 1.1 else 90, 7, 1.4))
        self.assertAlmostEqual(measured.recovery, 6)

    def test_options_of_a_run(self):
        run = runs.Run("r", "p", ("--burst=1003us", "--storm=1.5ms"))
        result = results.Results("nowhere", run)
        self.assertEqual(result.option("burst", 1000.0), 1003.0)
        self.assertEqual(result.option("die", 2.0), 2.0)


class FakeRing:
    """A run whose queue is paused twice and cleared once, with two deadlocks; the second stays."""

    samples = [10.0, 20.0]
    files = {"pause.csv": ("node,port,class,start_ns", "5,1,3,1000000", "5,1,3,5000000",
                           "5,2,3,6000000"),
             "watchdog.csv": ("time_ns,node,port,class,to", "3000000,5,1,3,stormed",
                              "5000000,5,1,3,operational", "7000000,5,1,3,stormed"),
             "deadlock.csv": ("time_ns,end_ns", "1500000,3000000", "15000000,")}

    def rows(self, name):
        return list(csv.DictReader(self.files[name]))


class RingMetrics(unittest.TestCase):
    def test_timers_are_those_of_the_same_queue(self):
        self.assertEqual(deadlock_ring.timers(FakeRing()), ([2.0, 2.0], [2.0]))

    def test_a_deadlock_that_stays_lasts_until_the_end(self):
        self.assertEqual(deadlock_ring.longest(FakeRing()), 5.0)

    def test_checks_fail_on_a_wrong_timer(self):
        one, other = deadlock_ring.check_timers("x", deadlock_ring.timers(FakeRing()))
        self.assertTrue(one.holds and other.holds)
        late = FakeRing()
        late.files = {**FakeRing.files, "watchdog.csv": (
            "time_ns,node,port,class,to", "3100000,5,1,3,stormed", "5000000,5,1,3,operational")}
        one, other = deadlock_ring.check_timers("x", deadlock_ring.timers(late))
        self.assertFalse(one.holds or other.holds)
        late.files["watchdog.csv"] = ("time_ns,node,port,class,to",)
        self.assertFalse(any(each.holds for each in deadlock_ring.check_timers(
            "x", deadlock_ring.timers(late))))


class FakeFailover:
    """The interruption of I/O."""

    def rows(self, _):
        return [{"interruption_ns": "2500000", "failovers": "1", "why": "linkDown"}]


class FailoverMetrics(unittest.TestCase):
    def test_times(self):
        self.assertEqual(inof.failover(FakeFailover()), (2.5, 1, "linkDown"))


class Stamps(unittest.TestCase):
    def test_only_the_same_run_of_the_same_build_is_finished(self):
        run = runs.Run("r", "program", ("--a=1",))
        with tempfile.TemporaryDirectory() as folder:
            self.assertFalse(runs.is_finished(folder, run, "b1"))
            runs.write_stamp(folder, run, "b1")
            self.assertTrue(runs.is_finished(folder, run, "b1"))
            self.assertFalse(runs.is_finished(folder, run, "b2"))
            self.assertFalse(runs.is_finished(folder, runs.Run("r", "program", ("--a=2",)), "b1"))
            self.assertEqual(os.listdir(folder), ["done"])
            for broken in ("", "{", "[]", "null", '{"command": "program --a=1", "build": "b1"}'):
                with open(os.path.join(folder, "done"), "w", encoding="ascii") as file:
                    file.write(broken)
                self.assertFalse(runs.is_finished(folder, run, "b1"), broken)

    def test_damaged_files_are_noticed(self):
        run = runs.Run("r", "program", ())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fct.csv")
            for damage in (lambda: os.truncate(path, 0), lambda: os.truncate(path, 3),
                           lambda: os.remove(path)):
                with open(path, "w", encoding="ascii") as file:
                    file.write("flow\n1\n")
                runs.write_stamp(folder, run, "b")
                with open(os.path.join(folder, "note"), "w", encoding="ascii"):
                    pass  # what others add is no damage
                self.assertTrue(runs.is_finished(folder, run, "b"))
                damage()
                self.assertFalse(runs.is_finished(folder, run, "b"))

    def test_build_id_follows_contents(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in "ab"]
            for path, text in zip(paths, ("x", "x")):
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
            before = runs.build_id(paths)
            self.assertEqual(before, runs.build_id(paths))
            with open(paths[1], "w", encoding="ascii") as file:
                file.write("y")
            self.assertNotEqual(before, runs.build_id(paths))
            with self.assertRaises(ReproduceError):
                runs.build_id([os.path.join(folder, "nothing")])

    def test_a_refused_run_is_a_result_only_where_it_may_be_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program")
            with open(path, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho 'headroom exceeds the buffer' >&2\nexit 2\n")
            os.chmod(path, 0o755)
            runner = runs.Runner(folder, [], os.path.join(folder, "out"), 1)
            may = runs.Run("may", "program", (), refusable=True)
            self.assertEqual(runner.execute([may], "test"), 1)
            self.assertEqual(runner.execute([may], "test"), 0)  # it is finished
            self.assertEqual(results.Results(runner.folder_of(may), may).refusal,
                             "headroom exceeds the buffer")
            with self.assertRaisesRegex(ReproduceError, "headroom exceeds the buffer"):
                runner.execute([runs.Run("may-not", "program", ())], "test")

    def test_samples_of_a_run_have_folders_of_their_own(self):
        self.assertEqual([runs.Run("r", "p", (), sample=number).folder for number in (0, 1, 9)],
                         ["r", "r.2", "r.10"])

    def test_progress_line(self):
        progress = runs.Progress("icc", 10)
        self.assertEqual(progress.line(5), "icc: 0/10 runs")
        progress.done = 5
        self.assertEqual(progress.line(20), "icc: 5/10 runs, 20 s left")
        self.assertEqual(progress.line(600), "icc: 5/10 runs, 10 min left")
        progress.done = 10
        self.assertEqual(progress.line(20), "icc: 10/10 runs")


class Documentation(unittest.TestCase):
    """doc/reproductions.rst shows what utils/reproduce has written, and nothing else."""

    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

    def test_each_table_of_results_is_a_file_and_each_file_is_shown(self):
        self.assertEqual(sorted(document.shown(self.root)),
                         sorted(os.listdir(os.path.join(self.root, document.FOLDER))))
        with open(os.path.join(self.root, document.CHAPTER), encoding="ascii") as file:
            text = file.read()
        for name in set(main.PAPERS) - {"icc-sensitivity"}:  # whose report is about claims of icc-burst
            self.assertIn(f":file: reproduced/{name}", text)

    def test_no_result_is_typed(self):
        """A decimal number in the chapter is one, but for the number of a section."""
        with open(os.path.join(self.root, document.CHAPTER), encoding="ascii") as file:
            for line in file.read().splitlines()[1:]:  # the first one names the licence
                self.assertNotRegex(re.sub(r"section \d\.\d", "", line), r"\d\.\d", line)

    def test_verdicts_are_those_of_the_claims(self):
        header, rows = document.verdicts(self.root)
        self.assertEqual(document.read(self.root, document.VERDICTS), [header, *rows])
        self.assertGreater(len(rows), 12)

    def test_readings_are_those_that_the_reproduction_takes(self):
        table = icc_readings.table()
        self.assertEqual(document.read(self.root, document.file_of("icc-burst", table.title)),
                         [table.header, *table.rows])

    def test_only_what_is_shown_is_written(self):
        found = claims.judge([claims.ratio("F1, a", "figure 10", 2.3, m) for m in (2.1, 2.2, 2.4)])
        evaluation = report.Evaluation([found], tables=[
            report.Table("Measured, 2sw; times", ["a", "b"], [["x", "1 (0.9 to 2)"]]),
            report.Table("Other", ["a"], [["y"]])])
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "doc"))
            with open(os.path.join(root, document.CHAPTER), "w", encoding="ascii") as file:
                file.writelines(f"   :file: reproduced/{name}\n"
                                for name in ("p.csv", "p-measured-2sw.csv", "q.csv"))
            document.update(root, "p", evaluation)
            self.assertEqual(sorted(os.listdir(os.path.join(root, document.FOLDER))),
                             ["p-measured-2sw.csv", "p.csv", "verdicts.csv"])
            self.assertEqual(document.read(root, "p-measured-2sw.csv"), [["a", "b"], ["x", "1"]])
            self.assertEqual(document.read(root, "p.csv")[1:], [
                ["F1, a", "2.3", "2.2 (2.1 to 2.4)", "times", "3", "reproduced"]])
            self.assertEqual(document.read(root, "verdicts.csv")[1:], [
                ["p", "1", "0", "0", "0", "0"], ["all", "1", "0", "0", "0", "0"]])


class Locks(unittest.TestCase):
    def test_one_at_a_time(self):
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, "a", "b")
            with lock.locked(folder):
                with self.assertRaisesRegex(ReproduceError, "in use by another run"):
                    with lock.locked(folder):
                        pass
                with lock.locked(os.path.join(place, "a", "c")):
                    pass
            with lock.locked(folder):
                pass


class Papers(unittest.TestCase):
    def test_runs_have_names_and_commands_of_their_own(self):
        for name, module in main.PAPERS.items():
            for quick in (False, True):
                plan = main.plan(module, main.Options(quick))
                self.assertTrue(plan[0], name)
                listed = [run for sample in plan for run in sample]
                self.assertEqual(len({run.folder for run in listed}), len(listed), name)
                # A sample that repeats a command is no sample.
                self.assertEqual(len({run.command() for run in listed}), len(listed), name)
                for run in listed:
                    self.assertRegex(run.folder, r"^[a-z0-9.-]+$")
                for sample in plan[1:]:
                    self.assertLessEqual({run.name for run in sample}, {run.name for run in plan[0]})

    def test_claims_of_short_runs_have_ten_samples(self):
        for name in ("icc-burst", "icc-sensitivity", "dcqcn", "pcn", "timely", "guo16-storm",
                     "hpcc", "guo16-alpha", "guo16-flooding", "guo16-slow-receiver", "deadlock-ring",
                     "deadlock-microloop", "irn", "inof", "guo16-latency", "machines"):
            self.assertEqual(main.PAPERS[name].samples(main.Options()), 10, name)
        for name, module in main.PAPERS.items():
            if name not in ("guo16-livelock", "deadlock-loop"):  # deterministic
                self.assertGreaterEqual(module.samples(main.Options(True)), 3, name)

    def test_no_variant_of_irn_hangs_on_a_default(self):
        """The default of CountSacked has changed once, and two variants then were the same."""
        arguments = main.PAPERS["irn"].ARGUMENTS
        for name, value in (("irn", "true"), ("irn-pfc", "true"), ("irn-sacked", "false")):
            self.assertIn(f"CountSacked={value}]", arguments[name][0], name)

    def test_the_number_of_samples_can_be_chosen(self):
        few = main.Options(True, samples=2)
        self.assertEqual(len(main.plan(main.PAPERS["icc-burst"], few)), 2)
        self.assertEqual(len(main.plan(main.PAPERS["guo16-livelock"], few)), 1)  # deterministic

    def test_groups_and_names(self):
        self.assertEqual(main.select(["all"]), list(main.PAPERS))
        self.assertEqual(main.select(["icc", "icc-burst"]), ["icc-burst", "icc-workload",
                                                               "icc-sensitivity"])
        with self.assertRaises(ReproduceError):
            main.select(["nobody"])
        with self.assertRaises(ReproduceError):
            schemes.parse("dcqcn,nobody")


if __name__ == "__main__":
    unittest.main()
