"""HEBI's library as an independent oracle, where it is right.

Left out, with the reason: end-effector Jacobians of trees (columns mixed up) and everything with
a sign below negative axes. Its formulas are in single precision, so comparisons stop at 1e-6.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armwright.hrdf import Joint, RobotDescription, write
from armwright.kinematics import RobotModel, load
from tests.strategies import descriptions

pytestmark = pytest.mark.hebi
KINDS = {"com": 0, "output": 1, "endeffector": 2, "input": 3, "mesh": 4, "payload": 5}
G = np.array([0.5, -1.0, -9.81])


@pytest.fixture(scope="module")
def hebi() -> Any:
    """The module of robot models; importing it prints, which pytest captures."""
    return pytest.importorskip("hebi.robot_model")


def oracle_poses(theirs: Any, kind: str, q: Any) -> Any:
    """Return their poses (n, 4, 4); the frames that they leave unwritten are NaN."""
    from hebi._internal.ffi.enums import FrameType

    wanted = FrameType(KINDS[kind])
    out = np.full((theirs.get_frame_count(wanted), 4, 4), np.nan)
    if len(out):
        theirs.get_forward_kinematics_mat(wanted, q, output=out)
    return out


def oracle_jacobians(theirs: Any, kind: str, q: Any) -> Any:
    """Return their Jacobians (n, 6, dof)."""
    from hebi._internal.ffi.enums import FrameType

    wanted = FrameType(KINDS[kind])
    n = theirs.get_frame_count(wanted)
    if n * len(q) == 0:
        return np.zeros((n, 6, len(q)))
    return np.reshape(theirs.get_jacobians_mat(wanted, q), (n, 6, len(q)))


def compare(ours: RobotModel, theirs: Any, q: Any) -> None:
    """Compare everything that is right in both, at one configuration."""
    negative = any(isinstance(e, Joint) and e.axis.startswith("-") for e in ours.elements)
    branched = any(getattr(e, "branched", False) for e in ours.elements)
    scale = 1.0
    for kind in KINDS:
        expected = oracle_poses(theirs, kind, q)
        poses = ours.forward_kinematics(kind, q)
        assert poses.shape == expected.shape, kind
        if kind == "mesh":  # the frames of actuators are never written
            kinds = [e.kind for e in ours.elements if e.kind != "joint"]
            written = np.array([k != "actuator" for k in kinds], dtype=bool)
            poses, expected = poses[written], expected[written]
        scale = max(scale, np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(poses, expected, rtol=0, atol=1e-6 * scale, err_msg=kind)
    if negative:
        return
    for kind in ("output", "com", "input"):
        expected = oracle_jacobians(theirs, kind, q)
        J = ours.jacobians(kind, q)
        most = max(scale, np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(J, expected, rtol=0, atol=1e-6 * most, err_msg=kind)
    if not branched and ours.frame_count("endeffector") == 1 and ours.dof:
        expected = theirs.get_jacobian_end_effector(q)
        most = max(scale, np.abs(expected).max())
        np.testing.assert_allclose(ours.jacobian(q), expected, rtol=0, atol=1e-6 * most)
    expected = theirs.get_grav_comp_efforts(q, G)
    most = max(scale, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(ours.gravity_efforts(q, G), expected, rtol=0, atol=1e-6 * most)


def compare_metadata(ours: RobotModel, theirs: Any) -> None:
    """Compare what does not depend on the joints."""
    assert ours.dof == theirs.dof_count
    assert ours.n_elements == theirs.element_count
    # HEBI adds mass_offset in single precision: what nearly cancels leaves 1e-8 kg of the part.
    np.testing.assert_allclose(ours.masses, theirs.masses, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.max_speeds, theirs.max_speeds, rtol=1e-6)
    np.testing.assert_allclose(ours.max_efforts, theirs.max_efforts, rtol=1e-6)
    np.testing.assert_allclose(ours.base_frame, theirs.base_frame, atol=1e-6)
    for tag, number in ours.tags.items():
        assert theirs.get_element_idx_by_tag(tag) == number


@pytest.mark.shared
def test_every_robot_of_the_corpus(hebi: Any, corpus: list[Path]) -> None:
    rng = np.random.default_rng(11)
    for path in corpus:
        ours, theirs = load(path), hebi.import_from_hrdf(str(path))
        compare_metadata(ours, theirs)
        for _ in range(50):
            compare(ours, theirs, rng.uniform(-np.pi, np.pi, ours.dof))


def test_our_own_arms(hebi: Any, root: Path) -> None:
    rng = np.random.default_rng(12)
    files = sorted((root / "examples" / "arms").glob("*.hrdf"))
    assert len(files) >= 6
    for path in files:
        ours, theirs = load(path), hebi.import_from_hrdf(str(path))
        compare_metadata(ours, theirs)
        for _ in range(20):
            compare(ours, theirs, rng.uniform(-2, 2, ours.dof))


def check_random(hebi: Any, d: RobotDescription, seed: int) -> None:
    """Write one robot, load it in both, compare."""
    ours, theirs = RobotModel(d), hebi.import_from_hrdf_string(write(d))
    compare_metadata(ours, theirs)
    compare(ours, theirs, np.random.default_rng(seed).uniform(-3, 3, ours.dof))


@given(descriptions(oracle=True), st.integers(0, 2**32))
def test_random_robots(hebi: Any, d: RobotDescription, seed: int) -> None:
    check_random(hebi, d, seed)


@pytest.mark.slow
@settings(max_examples=2000)
@given(descriptions(oracle=True), st.integers(0, 2**32))
def test_two_thousand_random_robots(hebi: Any, d: RobotDescription, seed: int) -> None:
    check_random(hebi, d, seed)


def test_payloads(hebi: Any, root: Path) -> None:
    path = root / "examples" / "arms" / "six_dof.hrdf"
    ours, theirs = load(path), hebi.import_from_hrdf(str(path))
    theirs.set_payload(mass=1.5, com=np.array([0.1, -0.2, 0.3]))
    ours = ours.with_payload(1.5, [0.1, -0.2, 0.3])
    rng = np.random.default_rng(13)
    for q in rng.uniform(-2, 2, (10, 6)):
        compare(ours, theirs, q)


def test_subtrees(hebi: Any, root: Path) -> None:
    path = root / "examples" / "arms" / "two_armed.hrdf"
    ours, theirs = load(path), hebi.import_from_hrdf(str(path))
    for tag in ours.tags:
        part, whole = ours.subtree(tag=tag), theirs.get_subtree_with_root(tag=tag)
        assert (part.dof, part.n_elements) == (whole.dof_count, whole.element_count)
        np.testing.assert_allclose(part.base_frame, whole.base_frame, atol=1e-6)
        q = np.random.default_rng(14).uniform(-2, 2, part.dof)
        # Theirs stands where the last call for the whole robot left it: compare within the part.
        first = part.forward_kinematics("input", q)[0]
        theirs_first = oracle_poses(whole, "input", q)[0]
        for kind in ("output", "input", "com"):
            poses = np.linalg.inv(first) @ part.forward_kinematics(kind, q)
            expected = np.linalg.inv(theirs_first) @ oracle_poses(whole, kind, q)
            np.testing.assert_allclose(poses, expected, rtol=0, atol=1e-6, err_msg=tag)


def test_dynamics_compensation(hebi: Any, root: Path) -> None:
    """Whatever step it is told, HEBI's library takes 0.01 s."""
    path = root / "examples" / "arms" / "six_dof.hrdf"
    ours, theirs = load(path), hebi.import_from_hrdf(str(path))
    rng = np.random.default_rng(15)
    for _ in range(20):
        measured, q, v, a = rng.uniform(-2, 2, (4, 6))
        expected = theirs.get_dynamic_comp_efforts(measured, q, v, a, dt=1e-3)
        efforts = ours.point_mass_dynamics_efforts(measured, q, v, a, dt=1e-2)
        np.testing.assert_allclose(efforts, expected, rtol=0, atol=2e-6)
        finer = ours.point_mass_dynamics_efforts(measured, q, v, a)
        np.testing.assert_allclose(finer, expected, rtol=0, atol=5e-2)


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Swallow what the library prints."""
    yield
    capfd.readouterr()
