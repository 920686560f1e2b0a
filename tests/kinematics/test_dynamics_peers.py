"""Dynamics against Pinocchio and MuJoCo, whose models the tests make from the description.

Tolerances are relative to the largest entry, or absolute below 1. All random numbers are seeded.
"""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest

from armwright.errors import ModelError
from armwright.hrdf import Joint, Output, Pose, RigidBody, RobotDescription
from armwright.kinematics import RobotModel, engine, load
from tests.pin_models import IdynTreeTwin, MujocoTwin, PinTwin, Tree, tree_of

FloatArray = npt.NDArray[np.float64]
PAYLOAD = (0.4, (0.05, 0.03, 0.08))
STATES = 100
pytestmark = pytest.mark.shared


@pytest.fixture(scope="session")
def pin() -> ModuleType:
    return pytest.importorskip("pinocchio", reason="compares with Pinocchio")  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def mujoco() -> ModuleType:
    return pytest.importorskip("mujoco", reason="compares with MuJoCo")  # type: ignore[no-any-return]


def loaded(model: RobotModel) -> RobotModel:
    """A payload off the axis at every end effector, so that every joint moves inertia."""
    for index in range(model.frame_count("endeffector")):
        model = model.with_payload(PAYLOAD[0], PAYLOAD[1], index=index)
    return model


def close(ours: npt.ArrayLike, theirs: npt.ArrayLike, tolerance: float = 1e-9) -> None:
    scale = max(1.0, float(np.abs(np.asarray(theirs)).max(initial=0.0)))
    np.testing.assert_allclose(
        np.asarray(ours) / scale, np.asarray(theirs) / scale, rtol=0, atol=tolerance
    )


def some_wrenches(model: RobotModel, rng: np.random.Generator) -> dict[tuple[str, int], FloatArray]:
    chosen = sorted({0, model.n_elements // 2, model.n_elements - 1})
    return {("input", int(i)): rng.normal(size=6) * 5 for i in chosen}


def with_twins(corpus: list[Path], pin: ModuleType) -> Iterator[tuple[RobotModel, PinTwin]]:
    """Every robot of the corpus with a payload, here and in Pinocchio."""
    for file in corpus:
        model = loaded(load(file))
        yield model, PinTwin(pin, tree_of(model.description, PAYLOAD))


def moves_nothing(tree: Tree) -> bool:
    """Whether some joint moves no inertia: no masses, or all of them points on its axis."""
    found = False
    for number, body in enumerate(tree.bodies):
        hanging = {number: np.eye(4)}  # at zero position, in the body's axes
        moved = 0.0
        for i in range(number, len(tree.bodies)):
            one = tree.bodies[i]
            if i != number:
                if one.parent not in hanging:
                    continue
                hanging[i] = hanging[one.parent] @ one.T_parent_body
            mass, center, inertia = one.inertial()
            T = hanging[i]
            arm = np.cross(body.axis, T[:3, :3] @ center + T[:3, 3])
            turning = body.axis @ T[:3, :3] @ inertia @ T[:3, :3].T @ body.axis
            moved += float(mass if body.slides else mass * arm @ arm + turning)
        found = found or moved < 1e-15
    return found


def test_every_robot_of_the_corpus_against_pinocchio(corpus: list[Path], pin: ModuleType) -> None:
    rng = np.random.default_rng(7)
    for model, twin in with_twins(corpus, pin):
        n = model.dof
        states = rng.uniform(-2.5, 2.5, size=(STATES, 3, n))
        Q, V, A = states.transpose(1, 0, 2)
        tau, M, C = model.inverse_dynamics(Q, V, A), model.mass_matrix(Q), model.coriolis(Q, V)
        bias = model.bias_efforts(Q, V)
        singular = moves_nothing(twin.tree)
        if singular:
            with pytest.raises(ModelError, match="moves no inertia"):
                model.forward_dynamics(Q, V, tau)
        again = A if singular else model.forward_dynamics(Q, V, tau)
        for i, (q, v, a) in enumerate(states):
            close(tau[i], twin.inverse_dynamics(q, v, a))
            close(M[i], twin.mass_matrix(q))
            close(C[i], twin.coriolis(q, v))
            close(bias[i], twin.inverse_dynamics(q, v, np.zeros(n)))
            if not singular:
                close(again[i], twin.forward_dynamics(q, v, tau[i]), 1e-8)
            close(again[i], a, 1e-8)
            close(M[i] @ again[i] + bias[i], tau[i])


@pytest.mark.filterwarnings("ignore:.*points up")  # any direction will do
def test_external_wrenches_and_gravity_against_pinocchio(
    corpus: list[Path], pin: ModuleType
) -> None:
    rng = np.random.default_rng(8)
    for model, twin in with_twins(corpus, pin):
        inputs, singular = twin.tree.inputs, moves_nothing(twin.tree)
        for _ in range(STATES):
            q, v, a = rng.uniform(-2, 2, size=(3, model.dof))
            g = rng.normal(size=3) * 6
            twin.gravity(g)
            wrenches = some_wrenches(model, rng)
            forces = twin.forces(q, [(*inputs[i], w) for (_, i), w in wrenches.items()])
            expected = twin.inverse_dynamics(q, v, a, forces=forces)
            tau = model.inverse_dynamics(q, v, a, g, external_wrenches=wrenches)
            close(tau, expected)
            if not singular:
                again = model.forward_dynamics(q, v, tau, g, external_wrenches=wrenches)
                close(again, a, 1e-8)


def test_energies_momentum_and_regressor_against_pinocchio(
    corpus: list[Path], pin: ModuleType
) -> None:
    rng = np.random.default_rng(9)
    for model, twin in with_twins(corpus, pin):
        n = model.dof
        floating = PinTwin(pin, tree_of(model.description, PAYLOAD), free=True)
        for _ in range(STATES):
            q, v, a = rng.uniform(-2, 2, size=(3, n))
            close(
                np.array(model.kinetic_energy(q, v)),
                np.array(
                    pin.computeKineticEnergy(
                        twin.model, twin.data, twin.place(q), v * twin.tree.scale
                    )
                ),
            )
            # With the base as a body of its own, all masses count.
            T = model.base_frame
            x = floating.place(q, T)
            potential = pin.computePotentialEnergy(floating.model, floating.data, x)
            close(np.array(model.potential_energy(q)), np.array(potential))
            Ag = pin.computeCentroidalMap(floating.model, floating.data, x)[:, 6:]
            close(model.momentum_matrix(q), Ag * floating.tree.scale)
            Y = model.inverse_dynamics_regressor(q, v, a)
            close(Y @ model.inertial_parameters, model.inverse_dynamics(q, v, a))


@pytest.mark.slow
def test_free_base_kernels_against_pinocchio(corpus: list[Path], pin: ModuleType) -> None:
    inverse = engine.kernel(
        "armwright.kinematics._kernels.dynamics_inverse", "inverse_dynamics_free"
    )
    forward = engine.kernel(
        "armwright.kinematics._kernels.dynamics_forward", "forward_dynamics_free"
    )
    mass = engine.kernel("armwright.kinematics._kernels.dynamics_mass", "mass_matrix_free")
    rng = np.random.default_rng(10)
    for file in corpus:
        model = loaded(load(file))
        n = model.dof
        twin = PinTwin(pin, tree_of(model.description, PAYLOAD), free=True)
        if twin.tree.root.inertial()[0] < 1e-3:
            continue  # a free base without mass
        out, M = np.empty(n + 6), np.empty((n + 6, n + 6))
        for _ in range(STATES):
            q = rng.uniform(-2, 2, size=n)
            v, a = rng.uniform(-2, 2, size=(2, n + 6))
            T = np.eye(4)
            T[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            T[:3, :3] *= np.sign(np.linalg.det(T[:3, :3]))
            T[:3, 3] = rng.normal(size=3)
            inverse(model._rows, T, q, v, a, out)
            expected = twin.inverse_dynamics(q, v, a, T=T)
            close(out, expected)
            mass(model._rows, T, q, M)
            close(M, twin.mass_matrix(q, T))
            joint = forward(model._rows, T, q, v, expected, out)
            assert (joint != 0) == moves_nothing(twin.tree)
            if not joint:
                close(out, a, 1e-8)


def test_every_robot_of_the_corpus_against_mujoco(corpus: list[Path], mujoco: ModuleType) -> None:
    rng = np.random.default_rng(11)
    compared = 0
    for file in corpus:
        model = loaded(load(file))
        tree = tree_of(model.description, PAYLOAD)
        if moves_nothing(tree):
            continue  # MuJoCo would divide by next to nothing
        twin = MujocoTwin(mujoco, tree)
        compared += 1
        for q, v, a in rng.uniform(-2, 2, size=(STATES, 3, model.dof)):
            close(model.mass_matrix(q), twin.mass_matrix(q))
            tau = model.inverse_dynamics(q, v, a)
            close(tau, twin.inverse_dynamics(q, v, a))
            close(model.forward_dynamics(q, v, tau), twin.forward_dynamics(q, v, tau), 1e-7)
    assert compared > 10


@pytest.mark.idyntree
def test_every_robot_of_the_corpus_against_idyntree(corpus: list[Path]) -> None:
    idyntree = pytest.importorskip("idyntree.bindings", reason="compares with iDynTree")
    mass = engine.kernel("armwright.kinematics._kernels.dynamics_mass", "mass_matrix_free")
    rng = np.random.default_rng(12)
    for file in corpus:
        model = loaded(load(file))
        n = model.dof
        twin = IdynTreeTwin(idyntree, tree_of(model.description, PAYLOAD))
        for q, v, a in rng.uniform(-2, 2, size=(STATES, 3, n)):
            close(model.inverse_dynamics(q, v, a), twin.inverse_dynamics(q, v, a))
            close(model.gravity_efforts(q), twin.gravity_efforts(q))
            close(model.momentum_matrix(q), twin.momentum_matrix(q))
            M = np.empty((n + 6, n + 6))
            mass(model._rows, np.array(model.base_frame), q, M)
            close(M, twin.free_mass_matrix(q))


def random_robot(rng: np.random.Generator, bodies: int) -> RobotDescription:
    """A tree of every kind of joint, negative axes, gears and turned coms; every body has mass."""
    left = bodies

    def pose(size: float = 0.4) -> Pose:
        T = np.eye(4)
        T[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        T[:3, :3] *= np.sign(np.linalg.det(T[:3, :3]))
        T[:3, 3] = rng.normal(size=3) * size
        return Pose.from_matrix(T)

    def body() -> RigidBody:
        nonlocal left
        left -= 1
        a, b, c = rng.uniform(0.01, 0.1, size=3)
        outputs = []
        for _ in range(int(rng.integers(1, 4))):
            inside = (joint(), body()) if left > 0 else ()
            outputs.append(Output(pose=pose(), elements=inside))
        return RigidBody(
            mass=float(rng.uniform(0.1, 2)),
            com=pose(0.2),
            inertia=(a + b, a + c, b + c, 0.001, -0.002, 0.003),
            outputs=tuple(outputs),
            branched=True,
        )

    def joint() -> Joint:
        axes = ("rx", "ry", "rz", "tx", "ty", "tz", "-rx", "-ry", "-rz", "-tx", "-ty", "-tz")
        ratio = float(rng.choice([1.0, 2.0, -0.5, 3.0]))
        return Joint(axis=axes[int(rng.integers(12))], gear_ratio=ratio)  # type: ignore[arg-type]

    return RobotDescription(elements=(body(),), base=pose())


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_against_pinocchio(pin: ModuleType, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = RobotModel(random_robot(rng, int(rng.integers(2, 16))))
    n = model.dof
    twin = PinTwin(pin, tree_of(model.description))
    model = model.with_joint_dynamics(rotor_inertia=rng.uniform(0, 0.5, size=n))
    rotors = model.joint_dynamics.rotor_inertia
    for q, v, a in rng.uniform(-2, 2, size=(20, 3, n)):
        tau = model.inverse_dynamics(q, v, a)
        close(tau, twin.inverse_dynamics(q, v, a) + rotors * a)
        close(model.mass_matrix(q), twin.mass_matrix(q) + np.diag(rotors))
        close(model.coriolis(q, v), twin.coriolis(q, v))
        close(model.forward_dynamics(q, v, tau), a, 1e-8)
        close(model.solve_mass(q, tau), np.linalg.solve(model.mass_matrix(q), tau), 1e-8)
