"""Arms for the benchmarks of inverse kinematics: kits where they are, own ones, random ones."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from armwright.kinematics import ArmBuilder, RobotModel, load, loads

FloatArray = npt.NDArray[np.float64]

ROOT = Path(__file__).resolve().parent.parent
KITS = ROOT.parent / "shared" / "corpus" / "arms" / "config"
OWN = ROOT / "examples" / "arms"

_HAS_KITS = KITS.is_dir()
FAR_ARMS = (
    ("A-2085-06", "A-2240-06", "A-2580-06", "A-2099-07", "A-2303-01", "A-2582-07")
    if _HAS_KITS
    else ("six_dof", "seven_dof")
)
SHORT_ARMS = (
    ("A-2085-03", "A-2085-04", "A-2085-05", "A-2240-06", "A-2582-07")
    if _HAS_KITS
    else ("three_dof", "six_dof", "seven_dof")
)


def arm(name: str) -> tuple[Path, FloatArray]:
    """Return the file of an arm and the seed its configuration gives, zeros where it gives none."""
    if not _HAS_KITS:
        path = OWN / f"{name}.hrdf"
        return path, np.zeros(load(path).dof)
    import yaml

    path = KITS / "hrdf" / f"{name}.hrdf"
    data = yaml.safe_load((KITS / f"{name}.cfg.yaml").read_text("utf-8"))
    seed = (data.get("user_data") or {}).get("ik_seed_pos")
    return path, np.zeros(load(path).dof) if seed is None else np.array(seed, dtype=np.float64)


def random_chain(rng: np.random.Generator, n: int) -> RobotModel:
    """Return n turning joints, turned and placed at random."""
    builder = ArmBuilder()
    for _ in range(n):
        T = np.eye(4)
        T[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        T[:3, :3] *= np.linalg.det(T[:3, :3])
        T[:3, 3] = rng.uniform(0.02, 0.4, 3) * rng.choice([-1.0, 1.0], 3)
        builder.joint("rz").rigid_body(mass=1.0, output=T)
    return builder.end_effector().build()


def random_tree(rng: np.random.Generator) -> RobotModel:
    """Return a waist of one joint with two arms of six, turned and placed at random."""

    def limb(joints: int) -> str:
        text = ""
        for _ in range(joints):
            x, y, z = rng.uniform(0.02, 0.4, 3) * rng.choice([-1.0, 1.0], 3)
            a, b, c = rng.uniform(-np.pi, np.pi, 3)
            text += (
                f'<joint axis="rz"/><rigid-body mass="1" output_trans="{x} {y} {z}" '
                f'output_rot="Rz({a})*Ry({b})*Rx({c})"/>'
            )
        return text

    arms = "".join(
        f'<output trans="0 {side} 0.4">{limb(6)}<end-effector/></output>' for side in (0.2, -0.2)
    )
    waist = f'<joint axis="rz"/><rigid-body mass="1">{arms}</rigid-body>'
    return loads(f'<robot version="1.6.0">{waist}</robot>')
