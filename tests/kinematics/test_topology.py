"""How joints hang together, by hand and by walking the elements; models compared by content."""

import copy
import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from armwright.hrdf import Actuator, Joint, RobotDescription, walk
from armwright.kinematics import FrameType, RobotModel, loads
from tests.kinematics.conftest import TREE
from tests.strategies import descriptions


def test_a_tree_by_hand(tree: RobotModel) -> None:
    # trunk - left - joint3, and trunk - right - joint5 - joint6
    topology = tree.topology
    assert topology.parents == (-1, 0, 1, 0, 3, 4)
    assert topology.children == ((1, 3), (2,), (), (4,), (5,), ())
    assert topology.root_children == (0,)
    assert topology.supports == ((0,), (0, 1), (0, 1, 2), (0, 3), (0, 3, 4), (0, 3, 4, 5))
    assert topology.subtrees == ((0, 1, 2, 3, 4, 5), (1, 2), (2,), (3, 4, 5), (4, 5), (5,))
    kinds = ["revolute", "revolute", "prismatic", "prismatic", "revolute", "revolute"]
    assert list(topology.joint_kinds) == kinds
    assert topology.joint_names == tree.joint_names
    assert (topology.n_joints, topology.n_bodies, topology.n_q, topology.n_v) == (6, 7, 6, 6)
    assert topology.body_names[:3] == ("base", "body", "left")
    assert topology.body_names[4:] == ("forearm", "joint5", "right hand")
    assert topology.body_elements[1] == (1, 2, 6)  # the body, and the joints that start in it
    assert topology.common_support(2, 5) == (0,)
    assert topology.common_support(4, 5) == (0, 3, 4)
    assert topology.n_frames == sum(map(tree.frame_count, FrameType))
    assert not topology.free_flyer
    assert topology.q_starts == topology.v_starts == tuple(range(6))
    assert topology.joint_sizes == (1,) * 6
    free = tree.with_floating_base().topology
    assert (free.n_q, free.n_v, free.free_flyer) == (13, 12, True)
    assert free.q_starts == tuple(range(7, 13))
    assert free.v_starts == tuple(range(6, 12))


def test_nothing_can_be_changed(tree: RobotModel) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tree.topology.n_joints = 3  # type: ignore[misc]
    assert tree.topology == loads(TREE).topology
    assert hash(tree.topology) == hash(loads(TREE).topology)
    assert pickle.loads(pickle.dumps(tree.topology)) == tree.topology


def test_an_empty_robot() -> None:
    topology = loads('<robot version="1.6.0"/>').topology
    assert (topology.n_joints, topology.n_bodies, topology.parents) == (0, 1, ())
    assert topology.body_elements == ((),)
    assert topology.body_names == ("base",)


@given(description=descriptions())
def test_topology_agrees_with_a_walk(description: RobotDescription) -> None:
    model = RobotModel(description)
    above: list[int] = []  # for every element the joint that it moves with or is
    parents = []
    for placed in walk(description):
        before = above[placed.parent] if placed.parent >= 0 else -1
        if isinstance(placed.element, Joint | Actuator):
            parents.append(before)
            above.append(len(parents) - 1)
        else:
            above.append(before)
    topology = model.topology
    assert topology.parents == tuple(parents)
    for joint in range(model.dof):
        assert topology.supports[joint][-1] == joint
        for other in range(model.dof):
            assert (other in topology.subtrees[joint]) == (joint in topology.supports[other])
    assert sorted(n for body in topology.body_elements for n in body) == list(range(len(above)))


def test_supports_are_the_columns_of_jacobians_that_are_not_zero(tree: RobotModel) -> None:
    J = tree.jacobian(np.full(6, 0.3), tag="right hand")
    moving = tuple(np.flatnonzero(np.abs(J).max(axis=0)).tolist())
    assert moving == tree.topology.supports[5]


def test_models_are_equal_by_content(tree: RobotModel, root: Path) -> None:
    same = loads(TREE.replace("\n", "\n\n"), folder=root)  # other lines
    assert tree == same
    assert hash(tree) == hash(same)
    assert tree == copy.deepcopy(tree)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert len({tree, same, tree.with_base_frame(np.eye(4))}) == 2


def test_what_makes_models_differ(tree: RobotModel, tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("version: 1\ngroups: {g: {joints: [trunk]}}\n")
    others = [
        tree,
        tree.with_base_frame(np.eye(4)),
        tree.with_position_limits([-1] * 6, [1] * 6),
        tree.with_payload(0.1, tag="left hand"),
        tree.with_payload(0.1, tag="right hand"),
        tree.with_joint_dynamics(damping=0.1),
        tree.with_joint_dynamics(friction=0.1),
        tree.with_joint_dynamics(rotor_inertia=0.1),
        tree.with_groups(path),
        loads(TREE.replace('mass="0.7"', 'mass="0.70001"')),
        loads(TREE.replace('tag="left"', 'tag="links"')),
        tree.subtree(tag="left"),
    ]
    for i, one in enumerate(others):
        for k, other in enumerate(others):
            assert (one == other) == (i == k)
    assert tree != "tree"
    assert tree.with_payload(0.1, tag="left hand").with_payload(0.0, tag="left hand") == tree


def test_zeros_of_either_sign_are_equal(tree: RobotModel) -> None:
    plus = tree.with_position_limits([0.0] * 6, [1] * 6)
    minus = tree.with_position_limits([-0.0] * 6, [1] * 6)
    assert plus == minus
    assert hash(plus) == hash(minus)
