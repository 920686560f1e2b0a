"""Many searches in one call, without holding Python's lock, so that threads share the work.

The searches are those of ``pose.py`` and ``general.py``, compiled once more as helpers: entries
are not called by other kernels.
"""

from armwright.kinematics._kernels.declare import F8, I8, IN2, IN3, OUT1, OUT3, entry, helper

from .general import solve_any
from .layout import TARGET
from .pose import solve_pose

search_any = helper(getattr(solve_any, "py_func", solve_any))
search_pose = helper(getattr(solve_pose, "py_func", solve_pose))


@entry(IN2, OUT3, IN2, OUT3, OUT1, F8, F8, I8, I8, nogil=True)
def solve_many(
    P, goals, seeds, states, codes, position_tolerance, orientation_tolerance, max_starts, is_direct
):
    """Solve for each goal (n, 4, 4), from one seed (1, dof) or from each its own (n, dof).

    Args:
        P: The program; the goals take the place of its one target.
        goals: Targets; only read.
        seeds: Joint values.
        states: State of each search, (n, dof + 1, STATE_WIDTH).
        codes: What each search returned, (n,).
        position_tolerance: Where a search stops [m].
        orientation_tolerance: Where a search stops [rad].
        max_starts: Most starts of each.
        is_direct: 1 when the kernel for one pose can do it.
    """
    table = P.copy()
    row = states.shape[1] + 1
    for i in range(goals.shape[0]):
        q0 = seeds[i if seeds.shape[0] > 1 else 0]
        if is_direct != 0:
            codes[i] = search_pose(
                P, goals[i], q0, states[i], position_tolerance, orientation_tolerance, 0, max_starts
            )
        else:
            for r in range(3):
                for c in range(4):
                    table[row, TARGET + 4 * r + c] = goals[i, r, c]
            codes[i] = search_any(
                table, q0, states[i], position_tolerance, orientation_tolerance, 0, max_starts
            )


@entry(IN3, OUT1)
def check_poses(goals, off):
    """Say of each pose (n, 4, 4) how far its rotation is from one; -1 for a reflection.

    The same sums in the same order as for one pose.
    """
    for i in range(goals.shape[0]):
        a = goals[i, 0, 0]; b = goals[i, 0, 1]; c = goals[i, 0, 2]  # fmt: skip
        d = goals[i, 1, 0]; e = goals[i, 1, 1]; f = goals[i, 1, 2]  # fmt: skip
        g = goals[i, 2, 0]; h = goals[i, 2, 1]; k = goals[i, 2, 2]  # fmt: skip
        off[i] = max(
            abs(a * a + d * d + g * g - 1.0), abs(b * b + e * e + h * h - 1.0),
            abs(c * c + f * f + k * k - 1.0), abs(a * b + d * e + g * h),
            abs(a * c + d * f + g * k), abs(b * c + e * f + h * k),
        )  # fmt: skip
        if a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g) < 0.0:
            off[i] = -1.0
