"""Dynamics against Pinocchio, iDynTree and MuJoCo, with budgets.

    python -m benchmarks.dynamics [ARM ...] [--rounds 100]

Compared are calls that hand over NumPy arrays: where a library keeps its results to itself, the
call that reads them out belongs to it. Every result is compared with ours before it is timed. An
arm gets a small payload off its last axis, so that every joint moves inertia. Needs numpy 2 with
pin and mujoco; idyntree is timed where it is installed. The exit code is 1 when a budget is missed
twice.

A full state update is ``RobotState(model, q, v)``, which computes all terms into one array that
nothing overwrites, against ``computeAllTerms``, bare and with seven results (M, nle, g, Ag, com, J,
Jcom) copied out of the data that its next call overwrites. Reading ours, as read-only views, is
timed on top: those seven, and everything that ``computeAllTerms`` computes (also velocity and
momentum of the center of mass, both energies, the places of all joints).

Batches are judged by processor time, as others may use the machine: the rate of one core, times
the two that the budget is for.
"""

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout, as a script too

from armwright.kinematics import RobotModel, RobotState, engine, load  # noqa: E402
from benchmarks.harness import Call, Row, compare, fastest, least_work, report_machine  # noqa: E402
from tests.pin_models import IdynTreeTwin, MujocoTwin, PinTwin, tree_of  # noqa: E402

_CORPUS = ROOT.parent / "shared" / "corpus"
KIT_ARMS = (
    _CORPUS / "arms" / "config" / "hrdf" / "A-2085-06.hrdf",
    _CORPUS / "arms" / "config" / "hrdf" / "A-2582-07.hrdf",
    _CORPUS / "daisy" / "config" / "hrdf" / "Daisy.hrdf",
)
OWN_ARMS = (ROOT / "examples" / "arms" / "six_dof.hrdf",)
PAYLOAD = (0.4, (0.05, 0.03, 0.08))
BATCH = 100_000
CORES = 2
LONG = 10  # dof from which one budget holds for every call
EVERYTHING = 0.9


ROWS = (
    Row("inverse dynamics", "m.inverse_dynamics(q, v, a)", "rnea", 0.95),
    Row("  with out=", "m.inverse_dynamics(q, v, a, None, tau)", "rnea", 0.8),
    Row("mass matrix", "m.mass_matrix(q)", "crba", 1.1),
    Row("  with out=", "m.mass_matrix(q, M)", "crba", 0.9),
    Row("forward dynamics", "m.forward_dynamics(q, v, t)", "aba", 0.8),
    Row("  with out=", "m.forward_dynamics(q, v, t, None, tau)", "aba", 0.7),
    Row("holding efforts", "m.gravity_efforts(q)", "gravity", 1.0),
    Row("M^-1 b", "m.solve_mass(q, b)", "Minverse @ b", 0.6),
    Row("momentum matrix", "m.momentum_matrix(q)", "centroidal map", 1.2),
    Row("  with out=", "m.momentum_matrix(q, A)", "centroidal map", 0.9),
    Row("Coriolis matrix", "m.coriolis(q, v)", "Coriolis matrix", 1.0),
    Row("regressor (kernel)", "regressor(rows, q, v, a, empty((n, 10 * n)))", "regressor", 0.6),
    Row("RobotState: all terms", "RobotState(m, q, v)", "7 terms copied", 0.35),
    Row("  against the bare call", "RobotState(m, q, v)", "bare terms", 0.7),
    Row("  seven of them read", "read_seven(q, v)", "7 terms copied", 0.65),
    Row("  everything read", "read_all(q, v)", "all terms copied", 0.35),
    Row(
        "free base: inverse dynamics",
        "inverse_free(rows, T, q, vf, af, empty(n + 6))",
        "free rnea",
        0.9,
    ),
    Row("free base: mass matrix", "mass_free(rows, T, q, empty((n + 6, n + 6)))", "free crba", 1.0),
    Row(
        "free base: forward dynamics",
        "forward_free(rows, T, q, vf, tf, empty(n + 6))",
        "free aba",
        1.1,
    ),
)
PEERS = {
    "rnea": "pin.rnea(pm, pd, q, v, a)",
    "crba": "pin.crba(pm, pd, q)",
    "aba": "pin.aba(pm, pd, q, v, t)",
    "gravity": "pin.computeGeneralizedGravity(pm, pd, q)",
    "Minverse @ b": "pin.computeMinverse(pm, pd, q) @ b",
    "centroidal map": "pin.computeCentroidalMap(pm, pd, q)",
    "Coriolis matrix": "pin.computeCoriolisMatrix(pm, pd, q, v)",
    "regressor": "pin.computeJointTorqueRegressor(pm, pd, q, v, a)",
    "7 terms copied": "pin_seven(q, v)",
    "all terms copied": "pin_all(q, v)",
    "bare terms": "pin.computeAllTerms(pm, pd, q, v)",
    "free rnea": "pin.rnea(fm, fd, qf, vf, af)",
    "free crba": "pin.crba(fm, fd, qf)",
    "free aba": "pin.aba(fm, fd, qf, vf, tf)",
}
OTHERS = {
    "mujoco inverse dynamics": "mj.inverse_dynamics(q, v, a)",
    "mujoco mass matrix": "mj.mass_matrix(q)",
    "mujoco forward dynamics": "mj.forward_dynamics(q, v, t)",
    "idyntree inverse dynamics": "idt.inverse_dynamics(q, v, a)",
    "idyntree mass matrix": "idt.free_mass_matrix(q)",
    "idyntree holding efforts": "idt.gravity_efforts(q)",
    "idyntree momentum matrix": "idt.momentum_matrix(q)",
}
BATCHES = {
    "inverse dynamics": ("m.inverse_dynamics(Qs, Vs, As, None, many)", 4.0),
    "forward dynamics": ("m.forward_dynamics(Qs, Vs, As, None, many)", None),
    "mass matrix": ("m.mass_matrix(Qs, square)", None),
    "holding efforts": ("m.gravity_efforts(Qs, None, many)", None),
}


def main() -> int:
    """Time everything; return 1 when a budget is missed twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = KIT_ARMS if KIT_ARMS[0].exists() else OWN_ARMS
    parser.add_argument("arms", nargs="*", type=Path, default=known)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    report_machine(["numpy", "numba", "pin", "mujoco", "idyntree"])
    failed = False
    for path in options.arms:
        model = load(path)
        for index in range(model.frame_count("endeffector")):
            model = model.with_payload(*PAYLOAD, index=index)
        print(f"\n{path.name}: {model!r}")
        names = prepare(model)
        check(names)
        missed = run(names, options.rounds)
        if missed:
            print("\nAgain, because of: " + ", ".join(sorted(missed)))
            missed &= run(names, options.rounds)
        failed = failed or bool(missed)
    return 1 if failed else 0


def prepare(model: RobotModel) -> dict[str, Any]:
    """Return everything that the statements refer to."""
    import mujoco
    import pinocchio as pin

    tree = tree_of(model.description, PAYLOAD)
    fixed, free = PinTwin(pin, tree), PinTwin(pin, tree, free=True)
    pm, pd, fm, fd = fixed.model, fixed.data, free.model, free.data
    n = model.dof

    def pin_seven(q: Any, v: Any) -> Any:
        pin.computeAllTerms(pm, pd, q, v)
        return (
            pd.M.copy(), pd.nle.copy(), pd.g.copy(), pd.J.copy(), pd.Ag.copy(), pd.com[0].copy(),
            pd.Jcom.copy(),
        )  # fmt: skip

    def pin_all(q: Any, v: Any) -> Any:
        pin.computeAllTerms(pm, pd, q, v)
        return (
            pd.M.copy(), pd.nle.copy(), pd.g.copy(), pd.J.copy(), pd.Ag.copy(), pd.com[0].copy(),
            pd.Jcom.copy(), pd.vcom[0].copy(), pd.hg.vector, pd.kinetic_energy, pd.potential_energy,
            [place.homogeneous for place in pd.oMi],
        )  # fmt: skip

    def read_seven(q: Any, v: Any) -> Any:
        state = RobotState(model, q, v)
        return (
            state.mass_matrix, state.bias_efforts, state.gravity_efforts, state.joint_motions,
            state.centroidal_momentum_jacobian, state.com, state.com_jacobian,
        )  # fmt: skip

    def read_all(q: Any, v: Any) -> Any:
        state = RobotState(model, q, v)
        return (
            state.mass_matrix, state.bias_efforts, state.gravity_efforts, state.joint_motions,
            state.centroidal_momentum_jacobian, state.com, state.com_jacobian, state.com_velocity,
            state.centroidal_momentum, state.kinetic_energy, state.potential_energy,
            state.joint_poses,
        )  # fmt: skip

    names: dict[str, Any] = {"pin": pin, "pm": pm, "pd": pd, "fm": fm, "fd": fd}
    names |= {"pin_seven": pin_seven, "pin_all": pin_all}
    names |= {"read_seven": read_seven, "read_all": read_all, "RobotState": RobotState}
    names |= {"m": model, "rows": model._rows, "n": n, "empty": np.empty}
    names["mj"] = names["idt"] = None
    if all(np.linalg.eigvalsh(body.inertial()[2])[0] > 1e-9 for body in tree.bodies):
        names["mj"] = MujocoTwin(mujoco, tree)
    try:
        idyntree = importlib.import_module("idyntree.bindings")
    except ImportError:
        print("idyntree is not installed: not timed")
    else:
        names["idt"] = IdynTreeTwin(idyntree, tree)
    package = "armwright.kinematics._kernels.dynamics_"
    names["regressor"] = engine.kernel(f"{package}external", "regressor")
    names["inverse_free"] = engine.kernel(f"{package}inverse", "inverse_dynamics_free")
    names["mass_free"] = engine.kernel(f"{package}mass", "mass_matrix_free")
    names["forward_free"] = engine.kernel(f"{package}forward", "forward_dynamics_free")
    rng = np.random.default_rng(0)
    q, v, a, b = rng.uniform(-1, 1, (4, n))
    vf, af = rng.uniform(-1, 1, (2, n + 6))
    T = np.array(model.base_frame)
    names |= {"q": q, "v": v, "a": a, "b": b, "vf": vf, "af": af, "T": T}
    names["t"] = model.inverse_dynamics(q, v, a)
    names["qf"] = free.place(q, T)
    names["tf"] = free.inverse_dynamics(q, vf, af, T=T)
    names |= {"tau": np.empty(n), "M": np.empty((n, n)), "A": np.empty((6, n))}
    names |= dict(zip(("Qs", "Vs", "As"), rng.uniform(-1, 1, (3, BATCH, n)), strict=True))
    names |= {"many": np.empty((BATCH, n)), "square": np.empty((BATCH, n, n))}
    names["fixed"], names["free"] = fixed, free
    return names


def check(names: dict[str, Any]) -> None:
    """Compare the results of all libraries with ours."""
    m, q, v, a = (names[name] for name in ("m", "q", "v", "a"))
    fixed, free = names["fixed"], names["free"]
    vf, af, T = names["vf"], names["af"], names["T"]
    tau, n = m.inverse_dynamics(q, v, a), m.dof
    wrench, out = np.empty(n + 6), np.empty(n + 6)
    names["inverse_free"](names["rows"], T, q, vf, af, wrench)
    names["forward_free"](names["rows"], T, q, vf, wrench, out)
    apart = {
        "rnea": tau - fixed.inverse_dynamics(q, v, a),
        "crba": m.mass_matrix(q) - fixed.mass_matrix(q),
        "aba": (m.forward_dynamics(q, v, tau) - fixed.forward_dynamics(q, v, tau)) * 1e-3,
        "Coriolis": m.coriolis(q, v) - fixed.coriolis(q, v),
        "free rnea": wrench - free.inverse_dynamics(q, vf, af, T=T),
        "free aba": (out - af) * 1e-3,
    }
    if names["mj"]:
        apart["mujoco"] = tau - names["mj"].inverse_dynamics(q, v, a)
        apart["mujoco mass matrix"] = m.mass_matrix(q) - names["mj"].mass_matrix(q)
    if names["idt"]:
        apart["idyntree"] = tau - names["idt"].inverse_dynamics(q, v, a)
        apart["idyntree momentum"] = m.momentum_matrix(q) - names["idt"].momentum_matrix(q)
    # The base's own mass counts in ours alone: what has it in it is compared in the tests.
    ours, theirs = names["read_seven"](q, v), names["pin_seven"](q, v)
    for what, one, other in zip(("M", "nle", "g", "J"), ours, theirs, strict=False):
        apart[f"state: {what}"] = one - other
    for name, difference in apart.items():
        if not np.abs(difference).max() < 1e-10:
            raise SystemExit(f"{name} differs by {np.abs(difference).max():.2g} at q = {q}")
    print(f"all results agree to 1e-10 ({', '.join(apart)})")


def run(names: dict[str, Any], rounds: int) -> set[str]:
    """Time and print everything; return what missed its budget."""
    calls = {row.what + row.peer: Call(row.ours, names) for row in ROWS}
    calls |= {name: Call(source, names) for name, source in PEERS.items()}
    libraries = {"mujoco": names["mj"], "idyntree": names["idt"]}
    others = {name: source for name, source in OTHERS.items() if libraries[name.split()[0]]}
    calls |= {name: Call(source, names) for name, source in others.items()}
    times = compare(calls, rounds=rounds)
    print(f"\n{'':32}{'us':>7}  {'pin':<16}{'us':>7}{'ratio':>7}{'at most':>9}")
    missed = set()
    for row in ROWS:
        mine, peer = times[row.what + row.peer], times[row.peer]
        ratio = mine.ratio(peer)
        budget = row.budget if names["n"] < LONG else min(row.budget, EVERYTHING)
        if ratio > budget:
            missed.add(f"{row.what} ({row.peer})")
        print(
            f"{row.what:<32}{mine.quiet * 1e6:7.2f}  {row.peer:<16}{peer.quiet * 1e6:7.2f}"
            f"{ratio:7.2f}{budget:9.2f}  {'holds' if ratio <= budget else 'MISSED'}"
        )
    for name in others:
        print(f"{name:<32}{times[name].quiet * 1e6:7.2f}")
    for what, (statement, least) in BATCHES.items():
        call = Call(statement, names)
        rate, core = BATCH / fastest(call) / 1e6, BATCH / least_work(call) / 1e6
        verdict = ""
        if least is not None and names["n"] <= 6:
            holds = CORES * core >= least
            verdict = f"; {least:g} on two cores {'holds' if holds else 'MISSED'}"
            if not holds:
                missed.add(f"batch of {what}")
        print(f"batch of {what:<23}{rate:7.2f}  million/s, {core:.2f} per core{verdict}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
