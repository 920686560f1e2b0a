"""Files of groups that are wrong: every problem with its line, all of one file together."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import HrdfError, HrdfSyntaxError
from armwright.kinematics import RobotModel, load
from armwright.kinematics.robot import Group
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def robot() -> RobotModel:
    return load(ROOT / "examples" / "arms" / "two_armed.hrdf")


def problems(robot: RobotModel, path: Path, text: str) -> list[str]:
    """Return "line: message" of everything that is wrong."""
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(HrdfError) as info:
        robot.with_groups(path)
    assert all(problem.file == str(path) for problem in info.value.problems)
    return [f"{p.line}: {p.attribute}: {p.message}" for p in info.value.problems]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('<passive_joint name="J1_tors"/>', 2, "no joint 'J1_tors'.*Did you mean 'J1_torso'"),
        ("<passive_joint/>", 2, "name: missing; passive_joint needs it"),
        ('<passive_joint nam="J1_torso" name="J1_torso"/>', 2, "'nam' of passive_joint.*'name'"),
        ('<passive_joint name="column"/>', 2, "'column' is no joint, but a rigid-body"),
        (
            '<passive_joint name="J1_torso"/>\n<passive_joint name="J1_torso"/>',
            3,
            "passive joint 'J1_torso' is there already, in line 2. Keep one",
        ),
        (
            '<disable_collisions link1="colum" link2="shoulders" reason="Never"/>',
            2,
            "link1: no element has the tag 'colum'.*Did you mean 'column'",
        ),
        (
            '<enable_collisions link1="base" link2="sholders"/>',
            2,
            "link2: no element has the tag 'sholders'.*Did you mean 'shoulders'",
        ),
        ('<disable_collisions link1="column"/>', 2, "link2: missing; disable_collisions needs it"),
        (
            '<disable_default_collisions link="colum"/>',
            2,
            "link: no element has the tag 'colum'.*Did you mean 'column'",
        ),
        (
            '<virtual_joint name="v" type="fixed" parent_frame="odom" child_link="colum"/>',
            2,
            "child_link: no element has the tag 'colum'.*Did you mean 'column'",
        ),
        (
            '<virtual_joint name="v" type="floatin" parent_frame="odom" child_link="column"/>',
            2,
            "type: unknown type 'floatin'.*Did you mean 'floating'",
        ),
        (
            '<end_effector name="e" parent_link="left_tol" group="a"/>\n'
            '<group name="a"><joint name="J1_torso"/></group>',
            2,
            "parent_link: no element has the tag 'left_tol'.*Did you mean 'left_tool'",
        ),
        (
            '<end_effector name="e" parent_link="left_tool" group="hnad"/>\n'
            '<group name="hand"><joint name="J1_torso"/></group>',
            2,
            "group: there is no group 'hnad'.*Did you mean 'hand'",
        ),
        (
            '<end_effector name="e" parent_link="left_tool" group="hand" parent_group="x"/>\n'
            '<group name="hand"><joint name="J1_torso"/></group>',
            2,
            "parent_group: there is no group 'x'. Known: hand",
        ),
        ("<group_sate/>", 2, "unknown element 'group_sate'.*Did you mean 'group_state'"),
        ("<grup/>", 2, "unknown element 'grup'.*Did you mean 'group'"),
        (
            '<group name="a"><chain base_lnk="" base_link="base" tip_link="left_tool"/></group>',
            2,
            "unknown attribute 'base_lnk' of chain.*Did you mean 'base_link'",
        ),
        ("<groop/>", 2, "unknown element 'groop'.*Did you mean 'group'"),
        ('<group><joint name="J1_torso"/></group>', 2, "name: missing; group needs it"),
        ('<group name=""><joint name="J1_torso"/></group>', 2, "name: is empty"),
        ('<group name="a"/>', 2, "the group is empty"),
        ('<group name="a" nam="b"><joint name="J1_torso"/></group>', 2, "'nam' of group.*'name'"),
        ('<group name="a">\n<jiont name="x"/></group>', 3, "unknown element 'jiont'.*'joint'"),
        ('<group name="a"><joint/></group>', 2, "name: missing; joint needs it"),
        ('<group name="a"><joint name="J1_tors"/></group>', 2, "no joint 'J1_tors'.*'J1_torso'"),
        ('<group name="a"><joint name="column"/></group>', 2, "'column' is no joint, but a rigid"),
        ('<group name="a"><link name="colum"/></group>', 2, "no element.*'colum'.*'column'"),
        ('<group name="a"><chain base_link="base"/></group>', 2, "tip_link: missing"),
        (
            '<group name="a"><chain base_link="left_tool" tip_link="shoulders"/></group>',
            2,
            "'shoulders' does not hang on 'left_tool'.*nearer to the base comes first",
        ),
        (
            '<group name="a"><chain base_link="L2_swing" tip_link="right_gripper"/></group>',
            2,
            "does not hang on 'L2_swing', so there is no chain between them$",
        ),
        (
            '<group name="a"><chain base_link="left_upper_arm" tip_link="left_upper_arm"/></group>',
            2,
            "no joint between",
        ),
        ('<group name="a"><group name="a"/></group>', 2, "contains itself: a -> a"),
        (
            '<group name="a"><group name="b"/></group>\n<group name="b"><group name="a"/></group>',
            3,
            "contains itself: a -> b -> a",
        ),
        ('<group name="a"><group name="c"/></group>', 2, "no group 'c'. Known: a"),
        (
            '<group name="a"><joint name="J1_torso"/></group>\n'
            '<group name="a"><joint name="J1_torso"/></group>',
            3,
            "group 'a' is there already, in line 2",
        ),
        ('<group name="a">text<joint name="J1_torso"/></group>', 2, "holds no text, got 'text'"),
        ('<group name="a"><joint name="J1_torso"><x/></joint></group>', 2, "joint holds no elem"),
        (
            '<group name="two"><joint name="L1_shoulder"/><joint name="R1_shoulder"/></group>\n'
            '<group name="arms"><group name="two"/></group>',
            3,
            "'two' cannot be an arm: its joints do not hang one on the other",
        ),
        (
            '<group name="a"><joint name="J1_torso"/></group>\n'
            '<group name="arms"><group name="a"/></group>\n'
            '<group name="legs"><group name="a"/></group>',
            4,
            "'a' is in arms and in legs",
        ),
        (
            '<group_state name="s" group="x"><joint name="J1_torso" value="1"/></group_state>',
            2,
            "group: there is no group 'x'. The file has no groups",
        ),
        (
            '<group_state name="s"><joint name="J1_torso" value="1"/></group_state>',
            2,
            "group: miss",
        ),
    ],
)
def test_srdf(robot: RobotModel, tmp_path: Path, content: str, line: int, message: str) -> None:
    found = problems(robot, tmp_path / "g.srdf", f"<robot>\n{content}\n</robot>")
    assert len(found) == 1
    assert re.search(rf"^{line}: .*{message}", found[0]), found[0]


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ('<joint name="L2_swing"/>', "value: missing"),
        ('<joint name="L2_swing" value="1,5"/>', "value: .*without commas"),
        ('<joint name="L2_swing" value="nan"/>', "value: expected one finite number"),
        ('<joint name="L2_swing" value="1 2"/>', "value: expected one finite number"),
        ('<joint name="J1_torso" value="1"/>', "'J1_torso' is not in group 'a'. Known: L1_should"),
        ('<joint name="L1_shoulder" value="2"/>', "'L1_shoulder' is given twice"),
        ("<jiont/>", "unknown element 'jiont'"),
    ],
)
def test_srdf_states(robot: RobotModel, tmp_path: Path, joint: str, message: str) -> None:
    text = (
        '<robot>\n<group name="a"><chain base_link="shoulders" tip_link="left_tool"/></group>\n'
        f'<group_state name="s" group="a"><joint name="L1_shoulder" value="1"/>\n{joint}\n'
        "</group_state></robot>"
    )
    found = problems(robot, tmp_path / "g.srdf", text)
    assert len(found) == 1
    assert re.search(rf"^4: .*{message}", found[0]), found[0]


def test_states_of_one_name_agree(robot: RobotModel, tmp_path: Path) -> None:
    text = (
        '<robot><group name="a"><joint name="J1_torso"/></group>\n'
        '<group name="b"><joint name="J1_torso"/></group>\n'
        '<group_state name="s" group="a"><joint name="J1_torso" value="1"/></group_state>\n'
        '<group_state name="s" group="b"><joint name="J1_torso" value="2"/></group_state>\n'
        '<group_state name="s" group="a"><joint name="J1_torso" value="1"/></group_state>\n'
        "</robot>"
    )
    assert problems(robot, tmp_path / "g.srdf", text) == [
        "4: : state 's' sets joint 'J1_torso' to 2 here and to 1 in line 3: states of one name are "
        "one configuration. Give one of them another name",
        "5: : state 's' of group 'a' is given twice. Keep one",
    ]


def test_all_problems_come_together(robot: RobotModel, tmp_path: Path) -> None:
    text = "version: 2\ngroups:\n  a: {joint: [x]}\n  b: {joints: [y]}\n  b: {}\narm: [a]\n"
    assert problems(robot, tmp_path / "g.yaml", text) == [
        "5: : key 'b' is given twice, first in line 4. Keep one of them",
        "6: : unknown key 'arm'. Known: version, groups, arms, chains, legs, "
        "passive_joints, reference_configurations. Did you mean 'arms'?",
        "1: : expected version: 1, got 2",
        "3: : unknown key 'joint'. Known: chain, groups, joints, links. Did you mean 'joints'?",
        "4: : there is no joint 'y'. Known: J1_torso, L1_shoulder, L2_swing, L3_elbow, L4_roll, "
        "R1_shoulder, R2_swing, R3_elbow, R4_roll.",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("groups: {}", "1: : key version is missing; expected version: 1"),
        ("version: '1'", "1: : expected version: 1, got 1"),
        ("version: [1]", "1: : expected version: 1, got sequence"),
        ("version: 1\ngroups: [a]", "2: : groups is a mapping of keys, got a list"),
        ("version: 1\ngroups: {a: {}}", "2: : group 'a' is empty; expected chain, groups"),
        ("version: 1\ngroups: {a: x}", "2: : group 'a' is a mapping of keys such as chain"),
        ("version: 1\ngroups: {a: {joints: x}}", "2: : joints is a list, such as [a, b], got 'x'"),
        ("version: 1\ngroups: {a: {joints: [on]}}", "takes 'on' for a yes or no. Put it in quotes"),
        ("version: 1\ngroups: {a: {joints: [012]}}", "takes '012' for a whole number"),
        ("version: 1\ngroups: {a: {joints: [1.5]}}", "takes '1.5' for a number"),
        ("version: 1\ngroups: {a: {joints: [2020-01-01]}}", "takes '2020-01-01' for a date"),
        ("version: 1\ngroups: {a: {joints: [~]}}", "takes '~' for nothing"),
        ("version: 1\ngroups: {a: {joints: ['']}}", "2: : a name in joints is empty"),
        ("version: 1\ngroups: {a: {joints: [[x]]}}", "a name in joints is a text, got a list"),
        ("version: 1\ngroups: {a: {joints: [!x J1_torso]}}", "the YAML tag '!x' is not used here"),
        ("version: 1\ngroups: {a: {chain: [base]}}", "[base, tip], got 1 names"),
        ("version: 1\ngroups: {[a]: {}}", "2: : a key is a plain word"),
        ("version: 1\npassive_joints: [J1_tors]", "2: : there is no joint 'J1_tors'. Known: "),
        ("version: 1\npassive_joints: J1_torso", "2: : passive_joints is a list, such as"),
        ("version: 1\npassive_joints: [J1_torso, J1_torso]", "is there already, in line 2"),
        ("version: 1\narms: [a]", "2: : there is no group 'a'. The file has no groups"),
        ("version: 1\ngroups: {a: {joints: [J1_torso]}}\narms: [a, a]", "'a' is in arms twice"),
        ("version: 1\nreference_configurations: {h: {}}", "configuration 'h' is empty"),
        ("version: 1\nreference_configurations: {h: [1]}", "'h' is a mapping of keys, got a list"),
        ("version: 1\nreference_configurations: {h: {J1_torso: yes}}", "is a number or a formula"),
        ("version: 1\nreference_configurations: {h: {J1_torso: 012}}", "takes for an octal"),
        (
            "version: 1\nreference_configurations: {h: {J1_torso: 1:30}}",
            "a finite number or a form",
        ),
        (
            "version: 1\nreference_configurations: {h: {J1_torso: .inf}}",
            "a finite number or a form",
        ),
        ("version: 1\nreference_configurations: {h: {J1_torso: '1,5'}}", "without commas"),
        ("version: 1\nreference_configurations: {h: {J1: 1}}", "no joint 'J1'"),
        ("- a\n", "a groups file is a mapping of keys such as version"),
        ("", "1: : empty; expected a mapping of keys"),
        ("a: &x 1\n", "anchors (&) and aliases (*) are refused"),
        ("a: [[[[[[[[[[[]]]]]]]]]]]", "nested deeper than the limit of 10"),
        ("a: [\n", "not well-formed YAML"),
        ("a: b\n---\nc: d\n", "not well-formed YAML"),
        ("a: \udcff", "not well-formed YAML"),
        ("a: " + "b" * 300_000, "larger than the limit of 262144 bytes"),
    ],
)
def test_yaml(robot: RobotModel, tmp_path: Path, text: str, message: str) -> None:
    found = problems(robot, tmp_path / "g.yaml", text)
    assert len(found) == 1
    assert message in found[0], found[0]


def test_a_key_of_a_missing_version_is_said_once(robot: RobotModel, tmp_path: Path) -> None:
    assert problems(robot, tmp_path / "g.yml", "{}") == [
        "1: : key version is missing; expected version: 1"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot>", "not well-formed XML"),
        ('<!DOCTYPE robot [<!ENTITY a "b">]><robot/>', "refused"),
        ("", "empty"),
        ("<urdf/>", "expected <robot> as the root element"),
        ('<robot nme="x"/>', "unknown attribute 'nme'"),
    ],
)
def test_srdf_as_a_whole(robot: RobotModel, tmp_path: Path, text: str, message: str) -> None:
    found = problems(robot, tmp_path / "g.srdf", text)
    assert len(found) == 1
    assert message in found[0]


def test_syntax_errors_have_their_class(robot: RobotModel, tmp_path: Path) -> None:
    for name, text in (("g.srdf", "<"), ("g.yaml", "[")):
        (tmp_path / name).write_text(text)
        with pytest.raises(HrdfSyntaxError):
            robot.with_groups(tmp_path / name)


def test_what_cannot_be_opened(robot: RobotModel, tmp_path: Path) -> None:
    (tmp_path / "folder.srdf").mkdir()
    for path, message in (
        (tmp_path / "none.srdf", "no such file"),
        (tmp_path / "folder.srdf", "is not an ordinary file"),
        (tmp_path / "x.txt", r"ends in \.srdf, \.yaml, \.yml, got '\.txt'"),
        ("a\0.srdf", "cannot be read"),
        (tmp_path / "folder.srdf" / "x" / ("y" * 300 + ".srdf"), "cannot be read|no such file"),
    ):
        with pytest.raises(HrdfError, match=message):
            robot.with_groups(path)


def test_a_long_line_of_groups_in_groups(robot: RobotModel, tmp_path: Path) -> None:
    count = 3000
    inner = "".join(f'<group name="g{i}"><group name="g{i + 1}"/></group>' for i in range(count))
    path = tmp_path / "g.srdf"
    path.write_text(
        f'<robot>{inner}<group name="g{count}"><joint name="J1_torso"/></group></robot>'
    )
    assert robot.with_groups(path).groups["g0"].joints == (0,)


@given(data=st.data())
def test_mutated_files_are_read_or_refused(
    data: st.DataObject, robot: RobotModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from tests.kinematics.test_groups import SRDF, YAML

    kind, text = data.draw(st.sampled_from([("srdf", SRDF), ("yaml", YAML)]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 12))
        new = data.draw(st.text(st.sampled_from("<>\"'/=[]{}:,-a1 \n\0é&*!|"), max_size=4))
        text = text[:at] + new + text[at + length :]
    path = tmp_path_factory.mktemp("fuzz") / f"g.{kind}"
    path.write_text(text, encoding="utf-8")
    groups: tuple[Group, ...] = ()
    message = ""
    try:
        groups = tuple(robot.with_groups(path).groups.values())
    except HrdfError as error:
        message = str(error)
        assert message.startswith(str(path))
    assert message or all(set(group.joints) <= set(range(9)) for group in groups)
