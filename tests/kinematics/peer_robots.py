"""The robots and states that are compared with other libraries."""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState, load
from tests.kinematics.dynamics_robots import FloatArray, pose
from tests.kinematics.robot_states import KINDS
from tests.kinematics.test_dynamics_peers import PAYLOAD, loaded, random_robot
from tests.pin_models import Tree, tree_of

EQUAL = 1e-9
MANY = int(os.environ.get("ARMWRIGHT_ROUNDS", "34"))  # of three states each: a hundred
ROUNDS = pytest.mark.parametrize("rounds", [1, pytest.param(MANY, marks=pytest.mark.slow)])


@lru_cache(maxsize=1)
def all_robots() -> list[tuple[RobotModel, Tree]]:
    """Random trees, and the corpus where it is there."""
    found: list[tuple[RobotModel, Tree]] = []
    for seed in range(4):
        description = random_robot(np.random.default_rng(seed), 4 + 3 * seed)
        found.append((RobotModel(description), tree_of(description)))
    shared = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
    for file in sorted(shared.rglob("*.hrdf")):
        model = loaded(load(file))
        if model.dof:
            found.append((model, tree_of(model.description, PAYLOAD)))
    return found


def moving(
    model: RobotModel, rng: np.random.Generator, *, floating: bool, kind: str = "mixed"
) -> RobotState:
    q, v, a = rng.uniform(-2, 2, size=(3, model.dof))
    twist, acceleration = rng.uniform(-2, 2, size=(2, 6)) if floating else (None, None)
    T = pose(rng) if floating else None
    base = {"T_world_base": T, "base_twist": twist, "base_acceleration": acceleration}
    return RobotState(model, q, v, a, **base, floating=floating).with_(representation=kind)  # type: ignore[arg-type]


def moving_robots(
    rng: np.random.Generator, *, floating: bool, rounds: int
) -> Iterator[tuple[Tree, RobotState, str]]:
    """So many random states of every robot in each representation."""
    for model, tree in all_robots():
        for kind in KINDS * rounds:
            yield tree, moving(model, rng, floating=floating, kind=kind), kind


def joint_frame(model: RobotModel, joint: int) -> tuple[str, int]:
    """The output frame of a joint: the frame of the body that it moves."""
    element = model._compiled.joint_elements[joint]
    return "output", model._compiled.frame_elements["output"].index(element)  # type: ignore[index]


def pushes(
    state: RobotState, tree: Tree, rng: np.random.Generator
) -> tuple[dict[tuple[str, int], FloatArray], list[tuple[int, FloatArray, FloatArray]]]:
    """Wrenches on three frames: for the state, in its representation, and mixed, for the others.

    They are on input frames, whose order is that of the elements, in trees as well; the others
    get (body, placement in it, six numbers).
    """
    count = state.model.n_elements
    ours, theirs = {}, []
    for index in sorted({0, count // 2, count - 1}):
        mixed = rng.normal(size=6) * 5
        theirs.append((*tree.inputs[index], mixed))
        T, six = state.pose("input", index), mixed.copy()
        if state.representation == "body":
            six = np.kron(np.eye(2), T[:3, :3].T) @ mixed
        elif state.representation == "inertial":
            six[3:] += np.cross(T[:3, 3], mixed[:3])
        ours["input", index] = six
    return ours, theirs
