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


def _encoded(*texts: str) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in texts)


SUB = b'<robot version="1.6.0"><link type="X5" extension="0.1" twist="0" tag="sub"/></robot>'
INNER = b'<robot version="1.6.0"><rigid-body mass="0.1" mesh_path="a.stl"/></robot>'
WITH_INCLUDE, WITH_TWO_INCLUDES = _encoded(
    """\
<robot version="1.6.0">
  <joint axis="ry" tag="root"/>
  <include path="part.hrdf"/>
</robot>
""",
    """\
<robot version="1.6.0">
  <actuator type="X5-9"/>
  <include path="part.hrdf"/>
  <rigid-body mass="1">
    <output trans="0 0 1"><include path="part.hrdf"/></output>
    <output rot="Rz(1)"><include path="deep/inner.hrdf"/></output>
  </rigid-body>
</robot>
""",
)
_SMALL = _encoded(
    """\
<robot version="1.6.0" rot="1 0 0 0 1 0 0 0 1" trans="0 0 1">
  <joint axis="-rz" gear_ratio="2" tag="a"/>
  <rigid-body mass="1.5" com_trans="0.1 0 0" ixx="0.1" iyy="0.1" izz="0.1" ixy="0.01"
              mesh_path="a.stl" mesh_rot="Ry(1)" tag="b">
    <output trans="0 0 1"><actuator type="R8-3"/><include path="sub.hrdf"/></output>
    <output rot="Rx((1+2)/3)"><!-- c --><end-effector type="R8Parallel"/></output>
  </rigid-body>
</robot>
""",
    """\
<?xml version="1.0" encoding="UTF-8"?>
<robot><rigid-body mass="1"/><joint axis="tx"/></robot>\
""",
    """\
<robot version="1.6.0">
<actuator type="X8-9" mass_offset="0.1" com_rot="Rx(pi)"/>
<bracket type="X5LightRight" mass="0.1" com_trans="0 0 0.1"/>
<include path="sub.hrdf"/>
<actuator type="X5-1" ixx="0.1" iyy="0.1" izz="0.1"/>
<end-effector type="X5Parallel"/>
</robot>\
""",
    """\
<robot version="1.6.0">
<rigid-body mass="1"><output><joint axis="ty"/></output></rigid-body>
</robot>\
""",
)
_CONFIGS = _encoded(
    """\
version: 1.1
families: [Arm, Arm, Wrist, Wrist, Wrist, Wrist]
names: [J1_base, J2_shoulder, J3_elbow, J4_wrist1, J5_wrist2, J6_wrist3]
hrdf: six_dof.hrdf
gains: {default: gains.xml, soft: soft.xml}
feedback_frequency: 100
command_lifetime: 0.25
plugins:
  - {type: GravityCompensationEffort, name: g, enabled: true, ramp_time: 1,
     imu_feedback_index: 0, imu_frame_index: 0, imu_rotation_offset: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
  - {type: EffortOffset, offset: [0, 1.5, 0, 0, 0, 0]}
  - type: ImpedanceController
    gains_in_end_effector_frame: true
    kp: [100, 100, 0, 5, 5, 1]
    kd: [5, 5, 0, 0.1, 0.1, 0]
    ki: [0, 0, 0, 0, 0, 0]
  - {type: DoubledJoint, group_family: Arm, group_name: J2B, index: 1, mirror: false}
  - {type: OvertorqueFaultMonitor, base_torque_error_limit: 3.5}
user_data:
  home_position: [0, 0.6, 0.9, -0.5, 0.7, 0.3]
  ik_seed_pos: [0, 1, 1, 0, 0, 0]
  note: {a: [1, b, 2.5], file: other.yaml}
""",
    """\
version: "1.0"
families: Arm
names:
  - a
  - b
hrdf: small.hrdf
user_data:
  x: 1
""",
)
SMALL_ARM = b'<robot version="1.6.0"><joint axis="rz"/><joint axis="tx"/></robot>'
_GROUPS_YAML = _encoded(
    """\
version: 1
groups:
  left_arm: {joints: [L1_shoulder, L2_swing], links: [left_forearm]}
  both: {groups: [left_arm], chain: [base, right_gripper]}
legs: [both]
chains: [left_arm]
reference_configurations:
  home: {L1_shoulder: 0.3, R1_shoulder: -pi/4}
""",
)
_SRDF = _encoded(
    """\
<?xml version="1.0"?>
<robot name="a">
<group name="left_arm">
  <chain base_link="shoulders" tip_link="left_tool"/>
</group>
<group name="right_arm">
  <joint name="R1_shoulder"/>
  <link name="right_forearm"/>
</group>
<group name="both"><group name="left_arm"/><group name="right_arm"/></group>
<group name="arms"><group name="left_arm"/><group name="right_arm"/></group>
<group_state name="home" group="both"><joint name="L1_shoulder" value="0.5"/>
<joint name="R1_shoulder" value="-pi/4"/></group_state>
<disable_collisions link1="a" link2="b" reason="Never"/>
</robot>
""",
)
_CATALOGS = _encoded(
    """\
source: made up
actuators:
  Z5:
    since: 1.0.0
    interface_in: Z5-A
    interface_out: Z5-B
    com_m: [0, 0, 0.02]
    output_height_m: 0.03
    inertia_box_m: [0.07, 0.07, 0.03]
    damping_N_m_s_per_rad: 0.1
    friction_N_m: 0.2
    rotor_inertia_kg_m2: 1e-6
    types:
      Z5-1: {mass_kg: 0.3, max_speed_rad_per_s: 9, max_effort_N_m: 4, gear_reduction: 272}
      Z5-4: {mass_kg: 0.4, max_speed_rad_per_s: 3, max_effort_N_m: 8, gear_reduction: 700,
             continuous_effort_N_m: 4}
""",
    """\
links:
  Z5:
    interface_in: Z5-A
    interface_out: Z5-B
    base_mass_kg: 0.2
    mass_per_length_kg_per_m: 0.4
    half_height_m: 0.02
    inline_input_kg: 0.015
brackets:
  ZLight:
    since: 1.6.0
    interface_in: Z5-A
    interface_out: Z5-B
    mass_kg: 0.1
    com_m: [0, 0, 0.1]
    output_m: [0, 0, 0.1]
    output_turn: Rx(pi/2)
    inertia_radius_m: 0.03
end_effectors:
  ZGrip:
    mass_kg: 0.4
    com_m: [0, 0, 0.1]
    output_m: [0, 0, 0.1]
    output_turn: 1 0 0 0 1 0 0 0 1
    inertia_radius_m: 0.03
""",
)
_POSES = _encoded(
    """\
# poses of six joints
0,0.6,0.9,-0.5,0.7,0.3
10deg, 0.2, pi/2, -pi/4, 1e-3, 0.1  # bent

-90°,0,0.5rad,0,0,0
""",
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
