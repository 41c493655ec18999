#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The arithmetic of utils/reproduce: verdicts, numbers, what is taken from files. No simulation.
#
#   claims-test.py <utils>
import contextlib
import csv
import io
import os
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.path.insert(0, sys.argv.pop(1))
sys.dont_write_bytecode = True

# The path comes first.
from reproduction import (claims, drawing, lock, main, report, results, runs,  # noqa: E402
                          schemes)
from reproduction.errors import ReproduceError  # noqa: E402
from reproduction.papers import comparison, deadlock_ring, icc_burst, inof  # noqa: E402


class Verdicts(unittest.TestCase):
    def test_value_within_tolerance(self):
        for measured, verdict in ((10, "reproduced"), (13, "reproduced"), (7, "reproduced"),
                                  (13.01, "not reproduced"), (6.99, "not reproduced"),
                                  (None, "not reproduced"), (float("nan"), "not reproduced")):
            claim = claims.value("c", "s", 10, measured, "Gb/s")
            self.assertEqual(claim.verdict, verdict, measured)
        self.assertEqual(claims.value("c", "s", 10, 13, "u").tolerance, "30 %")
        self.assertEqual(claims.value("c", "s", 10, 11.5, "u", tolerance=0.1).verdict,
                         "not reproduced")

    def test_ratio_keeps_the_ordering_above_one(self):
        self.assertEqual(claims.ratio("c", "s", 2.3, 2.0).verdict, "reproduced")
        self.assertEqual(claims.ratio("c", "s", 2.3, 1.01).verdict, "ordering holds")
        self.assertEqual(claims.ratio("c", "s", 2.3, 9.0).verdict, "ordering holds")
        self.assertEqual(claims.ratio("c", "s", 2.3, 1.0).verdict, "not reproduced")
        self.assertEqual(claims.ratio("c", "s", 2.3, 0.5).verdict, "not reproduced")
        # Within the tolerance, but on the other side: published as better, measured as worse.
        self.assertEqual(claims.ratio("c", "s", 1.2, 0.9).verdict, "not reproduced")

    def test_reduction_keeps_the_ordering_above_zero(self):
        self.assertEqual(claims.reduction("c", "s", 50, 40).verdict, "reproduced")
        self.assertEqual(claims.reduction("c", "s", 50, 1).verdict, "ordering holds")
        self.assertEqual(claims.reduction("c", "s", 50, 0).verdict, "not reproduced")
        self.assertEqual(claims.reduction("c", "s", 50, -50).verdict, "not reproduced")
        self.assertEqual(claims.relative_reduction(40, 100), 60)
        self.assertIsNone(claims.relative_reduction(40, 0))

    def test_bounds(self):
        self.assertEqual(claims.at_least("c", "s", 95, 95, "%").verdict, "reproduced")
        self.assertEqual(claims.at_least("c", "s", 95, 94.9, "%").verdict, "not reproduced")
        self.assertEqual(claims.at_least("c", "s", 95, 90, "%", ordering=True).verdict,
                         "ordering holds")
        self.assertEqual(claims.at_most("c", "s", 0, 0, "frames").verdict, "reproduced")
        self.assertEqual({claims.at_least("c", "s", 1, 1, "u").tolerance,
                          claims.at_most("c", "s", 1, 1, "u").tolerance}, {"bound"})
        self.assertEqual(claims.best("c", "s", 1, [2], "u").tolerance, "order")
        self.assertEqual(claims.at_most("c", "s", 0, 1, "frames").verdict, "not reproduced")
        self.assertEqual(claims.at_most("c", "s", 0, None, "frames").verdict, "not reproduced")

    def test_a_published_order_is_reproduced(self):
        self.assertEqual(claims.best("c", "s", 1, [2, 3], "ms", "why").verdict, "reproduced")
        self.assertEqual(claims.best("c", "s", 1, [2, 3], "ms", "why").reason, "")
        # More than the order was published, such as "near zero".
        more = claims.best("c", "s", 1, [2, 3], "ms", "why", verdict=claims.ORDERING)
        self.assertEqual((more.verdict, more.reason), ("ordering holds", "why"))
        self.assertEqual(claims.best("c", "s", 2, [2, 3], "ms").verdict, "ordering holds")
        self.assertEqual(claims.best("c", "s", 2.1, [2, 3], "ms").verdict, "not reproduced")
        self.assertEqual(claims.best("c", "s", None, [2, 3], "ms").verdict, "not reproduced")
        self.assertEqual(claims.best("c", "s", 1, [None], "ms").verdict, "not reproduced")

    def test_a_reason_only_where_it_is_needed(self):
        self.assertEqual(claims.ratio("c", "s", 2, 2, "why").reason, "")
        self.assertEqual(claims.ratio("c", "s", 2, 1.1, "why").reason, "why")
        self.assertIn("40 times more than published",
                      claims.reduction("c", "s", 51, 2040, "why").reason)
        self.assertIn("10 times less than published; why",
                      claims.reduction("c", "s", 50, 5, "why").reason)
        self.assertEqual(claims.quotient(1, 0), None)
        self.assertEqual(claims.quotient(None, 1), None)

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
            claims.write([claims.ratio("F1, a", "figure 10", 2.3, 2.2)], folder)
            with open(os.path.join(folder, "claims.csv"), newline="", encoding="ascii") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows, [list(claims.COLUMNS), ["F1, a", "figure 10", "2.3", "2.2",
                                                           "times", "30 %", "reproduced"]])
            self.assertEqual(os.listdir(folder), ["claims.csv"])


@unittest.mock.patch.object(icc_burst, "plot", lambda *_: [])  # there may be no matplotlib
class Checks(unittest.TestCase):
    def test_drops_are_no_claim(self):
        self.assertTrue(claims.no_drops("all runs", 0).holds)
        self.assertFalse(claims.no_drops("all runs", 1).holds)
        self.assertFalse(hasattr(claims.no_drops("all runs", 0), "verdict"))
        evaluation = icc_burst.evaluate({"2sw-icc-c": FakeBurst(lambda t: 100, 9, 1.4)},
                                        main.Options())
        self.assertTrue(evaluation.claims)
        self.assertFalse([claim for claim in evaluation.claims if "drops" in claim.claim])
        self.assertEqual([check.name for check in evaluation.checks],
                         ["lossless drops, ICC (C), 2sw"])

    def test_flows_that_did_not_complete(self):
        nothing = FakeBurst(lambda t: 0, None, 0)
        nothing.fct = lambda flow: None
        for others in ({}, {"2sw-dcqcn": FakeBurst(lambda t: 100, 9, 1.4)}, {"2sw-dcqcn": nothing}):
            evaluation = icc_burst.evaluate({"2sw-icc-c": nothing, **others}, main.Options())
            self.assertTrue([note for note in evaluation.notes if "none" in note])


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
    summary = {"pfc_xoff_frames": 1, "lossless_drops": 0}

    def __init__(self, rate, end, backlog):
        self.times = [i / 100 for i in range(1, 800)]
        self.rate, self.end, self.backlog = rate, end, backlog

    def throughput(self, *_):
        return self.times, [self.rate(time) for time in self.times]

    def fct(self, flow):
        return self.end if flow == 0 else 0.7

    def xoffs(self, _):
        return [0.5, 1.2]

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

    def test_a_flow_that_never_recovers(self):
        measured = icc_burst.Burst(FakeBurst(lambda t: 100 if t <= 1.1 else 90, 7, 1.4))
        self.assertAlmostEqual(measured.recovery, 6)


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
        one, other = deadlock_ring.check_timers("x", FakeRing())
        self.assertTrue(one.holds and other.holds)
        late = FakeRing()
        late.files = {**FakeRing.files, "watchdog.csv": (
            "time_ns,node,port,class,to", "3100000,5,1,3,stormed", "5000000,5,1,3,operational")}
        one, other = deadlock_ring.check_timers("x", late)
        self.assertFalse(one.holds or other.holds)
        late.files["watchdog.csv"] = ("time_ns,node,port,class,to",)
        self.assertFalse(any(each.holds for each in deadlock_ring.check_timers("x", late)))


class FakeFailover:
    """The interruption of I/O."""

    def rows(self, _):
        return [{"interruption_ns": "2500000", "failovers": "1", "why": "linkDown"}]


class FailoverMetrics(unittest.TestCase):
    def test_times_and_verdicts(self):
        self.assertEqual(inof.failover(FakeFailover()), (2.5, 1, "linkDown"))
        self.assertEqual(inof.silent(31, 32, 6).verdict, "reproduced")
        self.assertEqual(inof.silent(32, 32, 6).verdict, "not reproduced")


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

    def test_progress_line(self):
        progress = runs.Progress("icc", 10)
        self.assertEqual(progress.line(5), "icc: 0/10 runs")
        progress.done = 5
        self.assertEqual(progress.line(20), "icc: 5/10 runs, 20 s left")
        self.assertEqual(progress.line(600), "icc: 5/10 runs, 10 min left")
        progress.done = 10
        self.assertEqual(progress.line(20), "icc: 10/10 runs")


class Documentation(unittest.TestCase):
    def test_the_table_is_written_there_only_if_asked_for(self):
        row = ["x"] * len(comparison.HEADER)
        evaluation = report.Evaluation(tables=[report.Table("Measured", comparison.HEADER, [row])])
        for update in (False, True):
            with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as folder:
                os.makedirs(os.path.join(root, "doc"))
                with contextlib.redirect_stdout(io.StringIO()):
                    comparison.finish(evaluation, folder,
                                      types.SimpleNamespace(root=root, update_docs=update))
                self.assertEqual(os.listdir(folder), ["comparison.csv"])
                self.assertEqual(os.listdir(os.path.join(root, "doc")),
                                 ["comparison.csv"] if update else [])


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
    def test_runs_have_names_of_their_own_and_known_schemes(self):
        for name, module in main.PAPERS.items():
            for quick in (False, True):
                listed = module.runs(main.Options(quick))
                self.assertTrue(listed, name)
                self.assertEqual(len({run.name for run in listed}), len(listed), name)
                self.assertEqual(len({run.command() for run in listed}), len(listed), name)
                for run in listed:
                    self.assertRegex(run.name, r"^[a-z0-9.-]+$")

    def test_groups_and_names(self):
        self.assertEqual(main.select(["all"]), list(main.PAPERS))
        self.assertEqual(main.select(["icc", "icc-burst"]), ["icc-burst", "icc-workload"])
        with self.assertRaises(ReproduceError):
            main.select(["nobody"])
        with self.assertRaises(ReproduceError):
            schemes.parse("dcqcn,nobody")


if __name__ == "__main__":
    unittest.main()
