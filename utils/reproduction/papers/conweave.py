# SPDX-License-Identifier: GPL-2.0-only
"""ConWeave: load balancers for RDMA in a leaf-spine fabric, healthy and with a link down."""

from .. import claims, results as metrics
from ..figures import Dots
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "Load balancers for RDMA: ConWeave, CONGA, LetFlow, DRILL, ECMP"
SOURCE = "Song et al., Network Load Balancing with In-network Reordering Support for RDMA, SIGCOMM 2023"
LABELS = {"ecmp": "ECMP", "letflow": "LetFlow", "conga": "CONGA", "drill": "DRILL",
          "conweave": "ConWeave"}
TRANSPORTS = {"pfc": "go-back-N with PFC", "irn": "IRN without PFC"}
LOADS = (50, 80)
CUT = "cut"  # in place of a load: a link is down, web search
MINE, PLAIN = "conweave", "ecmp"
MTU = 1024
WARM_MS = 0.5  # messages that come before find the fabric empty
# The public simulator of ConWeave, run.py: nothing but these follows from the line rate there.
PARAMETERS = ("--ns3::RdmaDcqcn::Dialect=Nic", "--ns3::RdmaDcqcn::Gain=0.00390625",
              "--ns3::RdmaDcqcn::AiRate=40Mbps", "--ns3::RdmaDcqcn::HaiRate=100Mbps",
              "--ns3::RdmaDcqcn::MinRate=100Mbps", "--ns3::WredEcnMarker::Kmin=100000",
              "--ns3::WredEcnMarker::Kmax=400000", "--ns3::WredEcnMarker::Pmax=0.2",
              "--ns3::WredEcnMarker::ReferenceRate=100Gbps")
SCALE = {"duration": "2ms"}
QUICK = {"duration": "600us", "leaves": "4", "spines": "4", "hosts": "8"}
REST = {"mean": ("mean slowdown", "times"), "p99": ("p99 slowdown", "times")}


def samples(_):
    return 3


def balancers(transport):
    """DRILL sprays packets: go-back-N is refused with it, and the paper leaves it out."""
    return [name for name in LABELS if name != "drill" or transport == "irn"]


def points():
    """Loads and transports, and the fabric with a link down."""
    return [(load, transport) for load in (*LOADS, CUT) for transport in TRANSPORTS]


def name_of(point):
    """A point, in words."""
    load, transport = point
    return f"{TRANSPORTS[transport]}, {'a link down' if load == CUT else f'load {load} %'}"


def runs(options, sample):
    if options.schemes:
        return []
    scale = tuple(f"--{key}={value}" for key, value in (QUICK if options.quick else SCALE).items())
    found = []
    for load, transport in points():
        place = (("--cut", "--workload=websearch", "--load=0.5") if load == CUT
                 else (f"--load={load / 100}",))
        for balancer in balancers(transport):
            found.append(Run(f"{balancer}-{transport}-{load}", "conweave-paper", (
                f"--balancer={balancer}", f"--pfc={'true' if transport == 'pfc' else 'false'}",
                *place, *scale, *PARAMETERS, *sample.option("run"))))
    return found


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        needed = sum(max(1, -(-flow["bytes"] // MTU)) for flow in result.flows.values())
        flows = [flow for flow in result.flows.values() if flow["start"] >= WARM_MS]
        slowdowns = [flow["slowdown"] for flow in flows]
        self.mean, self.p99 = metrics.mean(slowdowns), metrics.percentile(slowdowns, 99)
        self.fct = metrics.mean(flow["fct"] for flow in flows)
        summary = result.summary
        self.failed = summary["flows_total"] - summary["flows_completed"]
        self.lossless, self.lossy = summary["lossless_drops"], summary["lossy_drops"]
        self.late = 100 * summary["out_of_order"] / summary["data_packets"]
        self.again = 100 * (summary["data_packets"] / needed - 1)
        self.xoffs = summary["pfc_xoff_frames"]
        result.forget()


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def of_point(measured, point):
    """What is measured of each balancer."""
    load, transport = point
    return {name: measured[f"{name}-{transport}-{load}"] for name in balancers(transport)}


def add_orders(evaluation, measured):
    """Who is better, at each load; and by how much at most."""
    abstract = "abstract: better than all of them, by up to"
    best = {key: [] for key in REST}
    for load in LOADS:
        for transport in TRANSPORTS:
            found = of_point(measured, (load, transport))
            for key, (title, unit) in REST.items():
                others = [getattr(one, key) for name, one in found.items() if name != MINE]
                mine = getattr(found[MINE], key)
                evaluation.claims.append(claims.best(
                    f"{title}, ConWeave, {name_of((load, transport))}", "abstract: better than the others",
                    mine, others, unit))
                best[key].append(claims.relative_reduction(mine, min(others)))
            evaluation.claims.append(claims.value(
                f"mean slowdown, LetFlow by ECMP, {name_of((load, transport))}",
                "section 2: RDMA has few gaps", 1, claims.quotient(found["letflow"].mean,
                                                                   found[PLAIN].mean),
                "times", tolerance=0.1))
    for key, published in (("mean", 42.3), ("p99", 66.8)):
        evaluation.claims.append(claims.reduction(
            f"{REST[key][0]}, ConWeave below the best other, at most", f"{abstract} {published} %",
            published, max(best[key])))


def add_cut(evaluation, measured):
    """A link down: what TCP was published to do, at RDMA."""
    for transport in TRANSPORTS:
        found = of_point(measured, (CUT, transport))
        where = name_of((CUT, transport))
        gain = claims.quotient(found[PLAIN].fct, found["conga"].fct)
        evaluation.claims += [
            claims.ratio(f"mean FCT, ECMP by CONGA, {where}", "Alizadeh et al., SIGCOMM 2014, abstract: TCP",
                         5, gain, reason="RDMA has few gaps, at which a flow could leave its path"),
            claims.at_most(f"mean FCT, LetFlow above CONGA, {where}",
                           "Vanini et al., NSDI 2017, abstract: TCP, within 10 to 20 %", 20,
                           100 * (claims.quotient(found["letflow"].fct, found["conga"].fct) - 1), "%")]


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "128 hosts in 8 racks, 8 spines, 100 Gb/s, links of 1 us, 9 MB of buffer in a switch, DCQCN with "
        "the parameters of the public simulator of ConWeave, which are those of all load balancers. Load is that of the links to "
        "the spines, if each message passes one. AliStorage2019, Poisson, for 2 ms; with the link from leaf 0 to "
        "spine 0 down, web search at 50 %. Messages that begin in the first 0.5 ms are not counted. "
        "IRN is that of its paper: each gap is a loss. Samples have other arrivals, the same for all load balancers."])
    add_orders(evaluation, measured)
    add_cut(evaluation, measured)
    rows = []
    for point in points():
        for name, one in of_point(measured, point).items():
            where = f"{LABELS[name]}, {name_of(point)}"
            evaluation.checks += [claims.no_drops(where, one.lossless if point[0] != CUT else 0),
                                  claims.Check(f"flows not completed, {where}", "0",
                                               claims.number(one.failed), one.failed == 0)]
            rows.append([where, one.mean, one.p99, 1000 * one.fct, one.late, one.again, one.xoffs])
    evaluation.tables.append(Table("Measured", [
        "load balancer", "mean slowdown", "p99 slowdown", "mean FCT (us)", "out of order (%)",
        "sent again (%)", "XOFF frames"], rows))
    return evaluation


def draw(measured, _):
    return [Dots("slowdown", "Slowdown of messages", "Medians and intervals of the samples.", {
        f"{title}, {name_of(point)}": ({LABELS[name]: [
            getattr(of_point(sample, point)[name], key) for sample in measured]
            for name in balancers(point[1])}, None)
        for key, (title, _) in REST.items() for point in points()}, columns=2)]
