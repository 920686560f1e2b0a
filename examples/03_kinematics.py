"""You will see where the tool of an arm is, how fast it moves, and where all its parts are.

Forward kinematics turns joint positions into poses, the Jacobian turns joint velocities into the
velocity of the tool: linear first, then angular, in world axes. Both take many joint positions
at once. Run with: python examples/03_kinematics.py
"""

from pathlib import Path

import numpy as np

import armwright as aw

ARM = Path(__file__).parent / "arms" / "six_dof.hrdf"


def main() -> None:
    """Compute poses, velocities and a cloud of reachable points."""
    model = aw.load(ARM)
    q = np.radians([20, 60, -80, 10, 30, 0])
    np.set_printoptions(precision=3, suppress=True)

    T_world_tool = model.end_effector(q)  # (4, 4)
    print(f"pose of the tool in the world\n{T_world_tool}\n")

    # One frame per element and kind: here where every part ends.
    Ts_world_output = model.forward_kinematics("output", q)  # (n, 4, 4)
    for element, T in zip(model.elements, Ts_world_output, strict=True):
        print(f"{element.kind:13s} {element.tag or '':12s} {T[:3, 3]}")

    # Turn the base at 1 rad/s and lift the shoulder at 0.5 rad/s: how does the tool move?
    J_world_tool = model.jacobian(q)  # (6, dof)
    v = np.array([1.0, 0.5, 0, 0, 0, 0])
    V = J_world_tool @ v
    print(f"\ntool moves at {V[:3]} m/s and turns at {V[3:]} rad/s")

    # The same from two poses a millisecond apart.
    later = model.end_effector(q + v * 1e-3)
    print(f"seen in poses  {(later - T_world_tool)[:3, 3] / 1e-3} m/s")

    # Many at once: 10,000 random positions, and how far from the base they bring the tool.
    cloud = np.random.default_rng(0).uniform(-np.pi, np.pi, (10_000, model.dof))
    distances = np.linalg.norm(model.end_effector(cloud)[:, :3, 3], axis=1)
    print(f"\nof 10,000 random poses the farthest is {distances.max():.3f} m from the base")


if __name__ == "__main__":
    main()
