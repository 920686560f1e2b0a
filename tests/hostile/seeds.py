"""What is spoilt: the example arms and small files of our own, by reader."""

from functools import cache
from pathlib import Path
from random import Random

ARMS = Path(__file__).resolve().parents[2] / "examples" / "arms"
JOINTS = (
    *("J1_torso", "L1_shoulder", "L2_swing", "L3_elbow", "L4_roll"),
    *("R1_shoulder", "R2_swing", "R3_elbow", "R4_roll"),
)
"""Of the arm that groups are for, ``two_armed.hrdf``."""
LINKS = (
    *("column", "shoulders", "left_upper_arm", "left_forearm", "left_tool"),
    *("right_upper_arm", "right_forearm", "right_gripper"),
)
GROUPS = ("left_arm", "right_arm", "both", "left", "torso", "g1", "g2")

SUB = b'<robot version="1.6.0"><link type="X5" extension="0.1" twist="0" tag="sub"/></robot>'
INNER = b'<robot version="1.6.0"><rigid-body mass="0.1" mesh_path="a.stl"/></robot>'
WITH_INCLUDE = (
    b'<robot version="1.6.0">\n  <actuator type="X5-9"/>\n  <include path="part.hrdf"/>\n'
    b'  <rigid-body mass="1"><output trans="0 0 1"><include path="part.hrdf"/></output>\n'
    b'  <output rot="Rz(1)"><include path="deep/inner.hrdf"/></output></rigid-body>\n</robot>\n'
)
_SMALL = (
    b'<robot version="1.6.0" rot="1 0 0 0 1 0 0 0 1" trans="0 0 1">\n'
    b'  <joint axis="-rz" gear_ratio="2" tag="a"/>\n'
    b'  <rigid-body mass="1.5" com_trans="0.1 0 0" ixx="0.1" iyy="0.1" izz="0.1" ixy="0.01"\n'
    b'              mesh_path="a.stl" mesh_rot="Ry(1)" tag="b">\n'
    b'    <output trans="0 0 1"><actuator type="R8-3"/><include path="sub.hrdf"/></output>\n'
    b'    <output rot="Rx((1+2)/3)"><!-- c --><end-effector type="R8Parallel"/></output>\n'
    b"  </rigid-body>\n</robot>\n",
    b'<?xml version="1.0" encoding="UTF-8"?>\n<robot><rigid-body mass="1"/><joint axis="tx"/></robot>',
    b'<robot version="1.6.0">\n<actuator type="X8-9" mass_offset="0.1" com_rot="Rx(pi)"/>\n'
    b'<bracket type="X5LightRight" mass="0.1" com_trans="0 0 0.1"/>\n<include path="sub.hrdf"/>\n'
    b'<actuator type="X5-1" ixx="0.1" iyy="0.1" izz="0.1"/>\n<end-effector type="X5Parallel"/>\n</robot>',
    b'<robot version="1.6.0"><rigid-body mass="1"><output><joint axis="ty"/></output></rigid-body></robot>',
)
_CONFIGS = (
    b"version: 1.1\nfamilies: [Arm, Arm, Wrist, Wrist, Wrist, Wrist]\n"
    b"names: [J1_base, J2_shoulder, J3_elbow, J4_wrist1, J5_wrist2, J6_wrist3]\nhrdf: six_dof.hrdf\n"
    b"gains: {default: gains.xml, soft: soft.xml}\nfeedback_frequency: 100\ncommand_lifetime: 0.25\n"
    b"plugins:\n"
    b"  - {type: GravityCompensationEffort, name: g, enabled: true, ramp_time: 1,\n"
    b"     imu_feedback_index: 0, imu_frame_index: 0, imu_rotation_offset: [1, 0, 0, 0, 1, 0, 0, 0, 1]}\n"
    b"  - {type: EffortOffset, offset: [0, 1.5, 0, 0, 0, 0]}\n"
    b"  - type: ImpedanceController\n    gains_in_end_effector_frame: true\n"
    b"    kp: [100, 100, 0, 5, 5, 1]\n    kd: [5, 5, 0, 0.1, 0.1, 0]\n    ki: [0, 0, 0, 0, 0, 0]\n"
    b"  - {type: DoubledJoint, group_family: Arm, group_name: J2B, index: 1, mirror: false}\n"
    b"  - {type: OvertorqueFaultMonitor, base_torque_error_limit: 3.5}\n"
    b"user_data:\n  home_position: [0, 0.6, 0.9, -0.5, 0.7, 0.3]\n  ik_seed_pos: [0, 1, 1, 0, 0, 0]\n"
    b"  note: {a: [1, b, 2.5], file: other.yaml}\n",
    b'version: "1.0"\nfamilies: Arm\nnames:\n  - a\n  - b\nhrdf: small.hrdf\nuser_data:\n  x: 1\n',
)
SMALL_ARM = b'<robot version="1.6.0"><joint axis="rz"/><joint axis="tx"/></robot>'
_GROUPS_YAML = (
    b"version: 1\ngroups:\n  left_arm: {joints: [L1_shoulder, L2_swing], links: [left_forearm]}\n"
    b"  both: {groups: [left_arm], chain: [base, right_gripper]}\nlegs: [both]\nchains: [left_arm]\n"
    b"reference_configurations:\n  home: {L1_shoulder: 0.3, R1_shoulder: -pi/4}\n",
)
_SRDF = (
    b'<?xml version="1.0"?>\n<robot name="a">\n<group name="left_arm">\n'
    b'  <chain base_link="shoulders" tip_link="left_tool"/>\n</group>\n<group name="right_arm">\n'
    b'  <joint name="R1_shoulder"/>\n  <link name="right_forearm"/>\n</group>\n'
    b'<group name="both"><group name="left_arm"/><group name="right_arm"/></group>\n'
    b'<group name="arms"><group name="left_arm"/><group name="right_arm"/></group>\n'
    b'<group_state name="home" group="both"><joint name="L1_shoulder" value="0.5"/>\n'
    b'<joint name="R1_shoulder" value="-pi/4"/></group_state>\n'
    b'<disable_collisions link1="a" link2="b" reason="Never"/>\n</robot>\n',
)
_CATALOGS = (
    b"source: made up\nactuators:\n  Z5:\n    since: 1.0.0\n    interface_in: Z5-A\n"
    b"    interface_out: Z5-B\n    com_m: [0, 0, 0.02]\n    output_height_m: 0.03\n"
    b"    inertia_box_m: [0.07, 0.07, 0.03]\n    damping_N_m_s_per_rad: 0.1\n    friction_N_m: 0.2\n"
    b"    rotor_inertia_kg_m2: 1e-6\n    types:\n"
    b"      Z5-1: {mass_kg: 0.3, max_speed_rad_per_s: 9, max_effort_N_m: 4, gear_reduction: 272}\n"
    b"      Z5-4: {mass_kg: 0.4, max_speed_rad_per_s: 3, max_effort_N_m: 8, gear_reduction: 700,\n"
    b"             continuous_effort_N_m: 4}\n",
    b"links:\n  Z5:\n    interface_in: Z5-A\n    interface_out: Z5-B\n    base_mass_kg: 0.2\n"
    b"    mass_per_length_kg_per_m: 0.4\n    half_height_m: 0.02\n    inline_input_kg: 0.015\n"
    b"brackets:\n  ZLight:\n    since: 1.6.0\n    interface_in: Z5-A\n    interface_out: Z5-B\n"
    b"    mass_kg: 0.1\n    com_m: [0, 0, 0.1]\n    output_m: [0, 0, 0.1]\n    output_turn: Rx(pi/2)\n"
    b"    inertia_radius_m: 0.03\n"
    b"end_effectors:\n  ZGrip:\n    mass_kg: 0.4\n    com_m: [0, 0, 0.1]\n    output_m: [0, 0, 0.1]\n"
    b"    output_turn: 1 0 0 0 1 0 0 0 1\n    inertia_radius_m: 0.03\n",
)
_POSES = (
    b"# poses of six joints\n0,0.6,0.9,-0.5,0.7,0.3\n10deg, 0.2, pi/2, -pi/4, 1e-3, 0.1  # bent\n\n"
    b"-90\xc2\xb0,0,0.5rad,0,0,0\n",
)


@cache
def example_arms() -> tuple[bytes, ...]:
    """Return the HRDF of the example arms and of small robots."""
    return (*(path.read_bytes() for path in sorted(ARMS.glob("*.hrdf"))), *_SMALL)


@cache
def texts_of(form: str) -> tuple[bytes, ...]:
    """Return the files that are spoilt for a reader of text."""
    return {
        "hrdf": example_arms(),
        "include": (*_SMALL, SUB, INNER, *example_arms()[:2]),
        "config": ((ARMS / "six_dof.cfg.yaml").read_bytes(), *_CONFIGS),
        "srdf": _SRDF,
        "groups": ((ARMS / "two_armed.groups.yaml").read_bytes(), *_GROUPS_YAML),
        "catalog": _CATALOGS,
        "poses": _POSES,
    }[form]


def any_text(r: Random) -> bytes:
    """Return a file for any of the readers of text."""
    forms = ("hrdf", "include", "config", "srdf", "groups", "catalog", "poses")
    return r.choice(texts_of(r.choice(forms)))
