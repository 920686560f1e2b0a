"""``load`` of robot configurations and saved models; named configurations of a model."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armwright as aw
from armwright.errors import (
    ArmwrightError,
    ConfigError,
    FrameNotFoundError,
    HrdfError,
    JointVectorError,
    ModelError,
)
from armwright.hrdf import check_config, load_config
from armwright.kinematics import RobotModel
from tests.hrdf.test_fuzz import mutate

CHAIN = '<joint axis="rz" tag="{}"/><rigid-body mass="1" output_trans="1 0 0"/>'
TREE = '<rigid-body mass="1"><output>{}</output><output>{}</output></rigid-body>'  # depth first


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write a configuration and the robot that it names."""

    def write(robot: str, config: str) -> Path:
        whole = robot if robot.startswith("<robot") else f'<robot version="1.6.0">{robot}</robot>'
        (tmp_path / "arm.hrdf").write_text(whole, encoding="utf-8")
        file = tmp_path / "arm.cfg.yaml"
        file.write_text(f"version: 1.1\nfamilies: A\nhrdf: arm.hrdf\n{config}", encoding="utf-8")
        return file

    return write


def test_the_example(root: Path) -> None:
    config = root / "examples" / "arms" / "six_dof.cfg.yaml"
    for path in (config, str(config)):
        model = aw.load(path)
        assert isinstance(model, RobotModel)
        assert model == aw.load(config.with_name("six_dof.hrdf")).with_reference_configurations(
            {"home": [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]}
        )
    assert model.description.files == (str(config.with_name("six_dof.hrdf")), str(config))
    assert check_config(config) == ()


def test_the_robot_of_a_configuration(write: Any, tmp_path: Path) -> None:
    robot = '<joint axis="rz"/><rigid-body mass="1"/><joint axis="rz"/><rigid-body mass="1"/>'
    path = write(robot, "names: [base, elbow]\nuser_data: {home_position: [1, 2]}\n")
    model = load_config(path).model()
    assert model == aw.load(path)
    assert model.joint_names == ("base", "elbow")
    bare = tmp_path / "bare.cfg.yaml"
    bare.write_text("version: 1.1\nfamilies: A\nnames: [a]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="hrdf is missing, so there is no robot"):
        load_config(bare).model()


def test_names_and_configurations_of_a_chain_without_tags(write: Any) -> None:
    config = write(
        '<actuator type="X5-1"/><bracket type="X5LightLeft"/><actuator type="X5-1"/>',
        "names: [base, elbow]\nuser_data: {home_position: [1, 2], ik_seed_pos: [0.5, -1]}\n",
    )
    model = aw.load(config)
    assert model.joint_names == ("base", "elbow")
    found = model.reference_configurations
    assert {name: q.tolist() for name, q in found.items()} == {
        "home": [1.0, 2.0],
        "ik_seed": [0.5, -1.0],
    }
    assert model.warnings == ()
    assert model.frame("elbow") == model.frame(("output", 2))


def test_tags_come_before_the_order(write: Any) -> None:
    first = CHAIN.format("left") + CHAIN.format("hand")
    robot = TREE.format(first, CHAIN.format("right"))
    config = write(robot, "names: [right, left, hand]\nuser_data: {home_position: [1, 2, 3]}\n")
    model = aw.load(config)
    assert model.joint_names == ("left", "hand", "right")
    assert model.reference_configurations["home"].tolist() == [2.0, 3.0, 1.0]
    assert model.warnings == ()


def test_a_tree_without_tags_is_doubtful(write: Any) -> None:
    bare = CHAIN.replace(' tag="{}"', "")
    model = aw.load(write(TREE.format(bare * 2, bare), "names: [a, b, c]\n"))
    assert model.joint_names == ("a", "b", "c")
    (warning,) = model.warnings
    assert "the robot is a tree" in warning.message
    assert "depth first" in warning.message


def test_some_tags_and_other_tags_are_doubtful(write: Any) -> None:
    some = CHAIN.format("b") + CHAIN.replace(' tag="{}"', "")
    model = aw.load(write(some, "names: [a, b]\n"))
    assert model.joint_names == ("b", "a")
    assert "the others are taken in the order" in model.warnings[0].message
    model = aw.load(write(CHAIN.format("x") + CHAIN.format("y"), "names: [a, b]\n"))
    assert model.joint_names == ("a", "b")
    assert "no module is named like the tag of a joint" in model.warnings[0].message


def test_plain_joints_need_no_module(write: Any) -> None:
    robot = '<actuator type="X5-1"/><rigid-body mass="1"/><joint axis="tz"/>'
    model = aw.load(write(robot, "names: [a]\nuser_data: {home_position: [2]}\n"))
    assert model.joint_names == ("a", "joint2")
    assert model.reference_configurations["home"].tolist() == [2.0, 0.0]
    assert aw.load(write(robot, "names: [a, b]\n")).joint_names == ("a", "b")


def test_the_same_name_in_two_families(write: Any) -> None:
    robot = '<joint axis="rz"/><joint axis="rz"/>'
    file = write(robot, "names: [x, x]\n")
    file.write_text(file.read_text().replace("families: A", "families: [L, R]"))
    assert aw.load(file).joint_names == ("L/x", "R/x")


def test_what_does_not_fit(write: Any) -> None:
    robot = CHAIN.format("a") + CHAIN.format("b")
    for config, said in (
        ("names: [x, y, z]\n", r"names: expected 0 modules.*\(a, b\), got 3 \(x, y, z\)"),
        ("names: [x, b, q]\n", "got 3"),
    ):
        with pytest.raises(ConfigError, match=said):
            aw.load(write(robot, config))
    tagged = robot + '<rigid-body mass="1" tag="c"/>'
    with pytest.raises(ConfigError, match="module 'c' has the name of another element"):
        aw.load(write(tagged, "names: [c, b]\n"))


def test_a_configuration_without_robot(write: Any, tmp_path: Path) -> None:
    file = write("", "names: [a]\n")
    file.write_text("version: 1.1\nfamilies: A\nnames: [a]\n")
    with pytest.raises(ConfigError, match=r"key hrdf is missing, so there is no robot"):
        aw.load(file)
    file.write_text("version: 1.1\n")
    with pytest.raises(ConfigError) as caught:
        aw.load(file)
    assert len(caught.value.problems) == 3  # families, names and hrdf
    file.write_text("version: 1.1\nfamilies: A\nnames: [a]\nhrdf: amr.hrdf\n")
    with pytest.raises(ConfigError, match=r"4, hrdf: no such file: .*Did you mean 'arm.hrdf'"):
        aw.load(file)
    (tmp_path / "arm.hrdf").write_text("<robot><link/></robot>")
    file.write_text("version: 1.1\nfamilies: A\nnames: [a]\nhrdf: arm.hrdf\n")
    with pytest.raises(HrdfError, match=r"arm\.hrdf:1, robot/link\[1\], type: missing"):
        aw.load(file)


def test_positions_that_do_not_fit_are_left_out(write: Any) -> None:
    robot = CHAIN.format("a") + CHAIN.format("b")
    model = aw.load(
        write(robot, "names: [a, b]\nuser_data: {home_position: [1], ik_seed_pos: [1, .nan]}\n")
    )
    assert dict(model.reference_configurations) == {}
    assert len(model.warnings) == 2


@pytest.mark.parametrize(
    ("data", "meant"),
    [
        ("home_postion: [1, 2]", "'home_postion' is .* Did you mean 'home_position'"),
        ("ik_seed_position: [1, 2]", "'ik_seed_position' is .* Did you mean 'ik_seed_pos'"),
        ("Home_position: [1]", None),  # not a number for each module
        ("home_positions: [a, b]", None),
        ("home_duration: [1, 2]", None),
        ("home_position: [0, 0], home_positions: [1, 2]", None),
    ],
)
def test_misspelt_positions_are_asked_about(write: Any, data: str, meant: str | None) -> None:
    robot = CHAIN.format("a") + CHAIN.format("b")
    model = aw.load(write(robot, f"names: [a, b]\nuser_data: {{{data}}}\n"))
    told = [problem.message for problem in model.warnings]
    assert len(told) == (meant is not None)
    assert meant is None or re.search(meant, told[0])


def test_without_names_no_joint_is_said_to_have_no_module(write: Any) -> None:
    told = check_config(write('<actuator type="X5-1"/>', "nams: [a]\n"))
    assert not any("no module is named" in problem.message for problem in told)


def test_names_that_are_there_twice_without_families(write: Any) -> None:
    config = write(CHAIN.format("a") + CHAIN.format("b"), "names: [c, c]\n")
    config.write_text(config.read_text().replace("families: A\n", ""))
    (problem,) = [one for one in check_config(config) if one.severity == "error"]
    assert "key families is missing" in problem.message


@pytest.mark.shared
def test_public_configurations_make_models(shared: Path) -> None:
    files = sorted((shared / "corpus").rglob("*.cfg.yaml"))
    for file in files:
        model = aw.load(file)
        assert len(model.joint_names) == model.dof
    tready = aw.load(next(file for file in files if "Tready" in file.name))
    assert any("the robot is a tree" in problem.message for problem in tready.warnings)
    six = aw.load(shared / "corpus/arms/config/A-2085-06.cfg.yaml")
    assert six.joint_names[0] == "J1_base"
    assert six.reference_configurations["ik_seed"].tolist() == [0.01, 1.0, 2.5, 1.5, -1.5, 0.01]


def test_a_saved_model_is_loaded_by_what_it_is(root: Path, tmp_path: Path) -> None:
    model = aw.load(root / "examples" / "arms" / "six_dof.cfg.yaml")
    for name in ("m.npz", "m", "m.hrdf.saved"):
        model.save(tmp_path / name)
        again = aw.load(tmp_path / name)
        assert again == model
        assert list(again.reference_configurations) == ["home"]


WHOLE = """\
version: 1.1
families: [Arm]
names: [J1_base, J2_shoulder, J3_elbow, J4_wrist1, J5_wrist2, J6_wrist3]
hrdf: {hrdf}
gains: {{default: g.xml}}
command_lifetime: 1/4
plugins:
  - {{type: EffortOffset, name: a, offset: [0, -7, 0, 0, 0, 0]}}
  - {{type: DoubledJoint, group_family: Arm, group_name: b, index: 1, mirror: yes}}
user_data:
  home_position: [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]
"""


@given(st.randoms(use_true_random=False))
def test_mutated_configurations_raise_nothing_else(
    root: Path, tmp_path_factory: pytest.TempPathFactory, source: random.Random
) -> None:
    text = WHOLE.format(hrdf=root / "examples" / "arms" / "six_dof.hrdf")
    file = tmp_path_factory.mktemp("mutated") / source.choice(("a.cfg.yaml", "a", "a.npz"))
    file.write_bytes(mutate(text.encode(), source))
    try:
        model = aw.load(file)
    except ArmwrightError as error:
        told = str(error)
    else:
        told = ""
        assert all(len(q) == model.dof for q in model.reference_configurations.values())
    assert all(len(line) <= 2000 for line in told.splitlines())
    assert isinstance(check_config(file), tuple)


def test_named_configurations(root: Path) -> None:
    arm = aw.load(root / "examples" / "arms" / "three_dof.hrdf")
    named = arm.with_reference_configurations(
        {"a": [1, 2, 3], "b": {arm.joint_names[1]: 0.5, 2: 1}}
    )
    assert named.reference_configurations["a"].tolist() == [1.0, 2.0, 3.0]
    assert named.reference_configurations["b"].tolist() == [0.0, 0.5, 1.0]
    assert not named.reference_configurations["a"].flags.writeable
    more = named.with_reference_configurations({"a": None, "c": np.zeros(3)})
    assert list(more.reference_configurations) == ["b", "c"]
    assert dict(arm.reference_configurations) == {}
    assert named.from_map({}, default="b").tolist() == [0.0, 0.5, 1.0]
    assert named != arm
    for odd, error, said in (
        ({"a": [1.0]}, JointVectorError, "reference configuration 'a'"),
        ({"a": [np.nan] * 3}, JointVectorError, "reference configuration 'a'"),
        ({"a": {"ghost": 1.0}}, FrameNotFoundError, "ghost"),
        ({"a": {0: "x"}}, JointVectorError, "reference configuration 'a'"),
        ({"": [0, 0, 0]}, ModelError, "expected a text"),
        ({3: [0, 0, 0]}, ModelError, "expected a text"),
        ({"x": None}, ModelError, "there is no 'x'"),
        ([1, 2], ModelError, "expected a mapping"),
    ):
        with pytest.raises(error, match=said):
            named.with_reference_configurations(odd)  # type: ignore[arg-type]


def test_what_ends_like_another_format_is_told_by_its_reader(tmp_path: Path) -> None:
    (tmp_path / "arm.yaml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(aw.errors.ConfigError, match="Expected a robot configuration"):
        aw.load(tmp_path / "arm.yaml")
    np.savez(tmp_path / "arm.npz", a=1)
    with pytest.raises(aw.errors.ModelFileError, match="not a saved model"):
        aw.load(tmp_path / "arm.npz")
