"""Poses, Jacobians, holding efforts and near IK against hebi-py, Pinocchio and MuJoCo.

    python benchmarks/kinematics.py [ARM] [--rounds 150]

Compared are calls that hand over NumPy arrays: where a library keeps its results to itself, the
call that reads them out belongs to it. Every result is compared with ours before it is timed.
Needs numpy 2 with pin, mujoco and hebi-py (``pip install --no-deps hebi-py``). The exit code is
1 when a budget is missed twice. The budgets are those of the design, for a six-axis kit arm.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout, as a script too

from armwright.kinematics import RobotModel, load  # noqa: E402
from benchmarks.harness import Call, Row, compare, fastest, report_machine  # noqa: E402
from benchmarks.ik_near import measure_near, print_near  # noqa: E402
from benchmarks.peers import mujoco_twin, pinocchio_twin  # noqa: E402

KIT_ARM = ROOT.parent / "shared" / "corpus" / "arms" / "config" / "hrdf" / "A-2085-06.hrdf"
OWN_ARM = ROOT / "examples" / "arms" / "six_dof.hrdf"
BATCH = 100_000


ROWS = (
    Row("poses of all output frames", "m.forward_kinematics('output', q)", "mujoco poses", 0.5),
    Row("  the same with out=", "m.forward_kinematics('output', q, Ts)", "mujoco poses", 0.5),
    Row("end-effector pose", "m.end_effector(q)", "pin pose", 1.1),
    Row("  the same with out=", "m.end_effector(q, T)", "pin pose", 0.8),
    Row("end-effector Jacobian", "m.jacobian(q)", "pin Jacobian", 1.1),
    Row("  the same with out=", "m.jacobian(q, J)", "pin Jacobian", 0.8),
    Row("Jacobians of all output frames", "m.jacobians('output', q)", "pin Jacobians", 0.25),
    Row("holding efforts", "m.gravity_efforts(q)", "pin gravity", 1.0),
    Row("  the same with out=", "m.gravity_efforts(q, None, tau)", "pin gravity", 0.8),
)
PEERS = {
    "mujoco poses": "mujoco_poses(q)",
    "pin pose": "pin_pose(q)",
    "pin poses": "pin_poses(q)",
    "pin Jacobian": "pin.computeFrameJacobian(pm, pd, q, tool, pin.LOCAL_WORLD_ALIGNED)",
    "pin Jacobians": "pin_jacobians(q)",
    "pin gravity": "pin.computeGeneralizedGravity(pm, pd, q)",
    "hebi poses": "h.get_forward_kinematics_mat('output', q)",
    "hebi pose": "h.get_end_effector(q)",
    "hebi Jacobian": "h.get_jacobian_end_effector(q)",
    "hebi Jacobians": "h.get_jacobians_mat('output', q)",
    "hebi gravity": "h.get_grav_comp_efforts(q, g)",
}


def main() -> int:
    """Time everything; return 1 when a budget is missed twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "arm", nargs="?", type=Path, default=KIT_ARM if KIT_ARM.exists() else OWN_ARM
    )
    parser.add_argument("--rounds", type=int, default=150)
    options = parser.parse_args()
    report_machine(["numpy", "numba", "pin", "mujoco", "hebi-py"])
    model = load(options.arm)
    print(f"{options.arm.name}: {model!r}")
    names = prepare(model, options.arm)
    check(names)
    missed = run(names, options.rounds)
    if missed:
        print("\nAgain, because of: " + ", ".join(sorted(missed)))
        missed &= run(names, options.rounds)
    near = any(print_near(measure_near(options.arm, seed=attempt)) for attempt in range(2))
    return 1 if missed or not near else 0


def prepare(model: RobotModel, path: Path) -> dict[str, Any]:
    """Return everything that the statements refer to."""
    import hebi

    pin_twin, mujoco = pinocchio_twin(model), mujoco_twin(model)
    pin, pm, pd = pin_twin.pin, pin_twin.model, pin_twin.data
    tool, outputs = pin_twin.tool, pin_twin.outputs
    mj, mm, md = mujoco.mujoco, mujoco.model, mujoco.data

    def pin_pose(q: Any) -> Any:
        pin.forwardKinematics(pm, pd, q)
        pin.updateFramePlacement(pm, pd, tool)
        return pd.oMf[tool].homogeneous

    def pin_poses(q: Any) -> Any:
        pin.framesForwardKinematics(pm, pd, q)
        return np.array([pd.oMf[i].homogeneous for i in outputs])

    def pin_jacobians(q: Any) -> Any:
        pin.computeJointJacobians(pm, pd, q)
        pin.updateFramePlacements(pm, pd)
        return [pin.getFrameJacobian(pm, pd, i, pin.LOCAL_WORLD_ALIGNED) for i in outputs]

    def mujoco_poses(q: Any) -> Any:
        md.qpos[:] = q
        mj.mj_kinematics(mm, md)
        return md.xpos.copy(), md.xmat.copy()

    n, dof = model.frame_count("output"), model.dof
    rng = np.random.default_rng(0)
    return {
        **locals(),
        "m": model,
        "h": hebi.robot_model.import_from_hrdf(str(path)),
        "q": rng.uniform(-1, 1, dof),
        "g": np.array([0.0, 0.0, -9.81]),
        "Q": rng.uniform(-1, 1, (BATCH, dof)),
        "Ts": np.empty((n, 4, 4)),
        "T": np.empty((4, 4)),
        "J": np.empty((6, dof)),
        "tau": np.empty(dof),
        "many": np.empty((BATCH, n, 4, 4)),
    }


def check(names: dict[str, Any]) -> None:
    """Compare the results of all libraries; hebi-py reads angles in single precision."""
    q = names["q"]
    results = {name: eval(source, names) for name, source in PEERS.items()}
    ours = {row.what: eval(row.ours, names) for row in ROWS if "out=" not in row.what}
    positions, turns = results["mujoco poses"]
    poses = ours["poses of all output frames"]
    apart = {
        "mujoco poses": max(
            np.abs(positions[1:] - poses[:, :3, 3]).max(),
            np.abs(turns[1:].reshape(-1, 3, 3) - poses[:, :3, :3]).max(),
        ),
    }
    for library in ("pin", "hebi"):
        pairs = {
            "poses": poses,
            "pose": ours["end-effector pose"],
            "Jacobian": ours["end-effector Jacobian"],
            "Jacobians": ours["Jacobians of all output frames"],
            "gravity": ours["holding efforts"],
        }
        for what, mine in pairs.items():
            theirs = np.reshape(results[f"{library} {what}"], mine.shape)
            apart[f"{library} {what}"] = np.abs(theirs - mine).max()
    for name, distance in apart.items():
        limit = 1e-6 if name.startswith("hebi") else 1e-12
        if not distance < limit:
            raise SystemExit(f"{name} differs by {distance:.2g} at q = {q}")
    print("all results agree: pin, mujoco to 1e-12, hebi-py to 1e-6")


def run(names: dict[str, Any], rounds: int) -> set[str]:
    """Time and print everything; return what missed its budget."""
    calls = {row.what + row.ours: Call(row.ours, names) for row in ROWS}
    calls |= {name: Call(source, names) for name, source in PEERS.items()}
    times = compare(calls, rounds=rounds)
    print(f"\n{'':42}{'us':>7}  {'peer':<14}{'us':>7}{'ratio':>7}{'at most':>9}{'x hebi':>8}")
    missed = set()
    for row in ROWS:
        mine, peer = times[row.what + row.ours], times[row.peer]
        ratio = mine.ratio(peer)
        hebi = times["hebi " + row.peer.split()[1]]
        holds = ratio <= row.budget
        if not holds:
            missed.add(row.what + row.ours)
        print(
            f"{row.what:<42}{mine.quiet * 1e6:7.2f}  {row.peer:<14}{peer.quiet * 1e6:7.2f}"
            f"{ratio:7.2f}{row.budget:9.2f}{1 / mine.ratio(hebi):8.1f}"
            f"  {'holds' if holds else 'MISSED'}"
        )
    for label, statement in (
        ("a batch of poses, all output frames", "m.forward_kinematics('output', Q, many)"),
        ("  the same, fresh array", "m.forward_kinematics('output', Q)"),
    ):
        rate = BATCH / fastest(Call(statement, names), repeats=25) / 1e6
        holds = rate >= 5.0 or "fresh" in label
        if not holds:
            missed.add(label)
        verdict = "" if "fresh" in label else f"at least 5  {'holds' if holds else 'MISSED'}"
        print(f"{label:<42}{rate:7.2f}  million/s {verdict}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
