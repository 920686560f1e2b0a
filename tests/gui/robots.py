"""Robots that the drawing tests share."""

from pathlib import Path

import armwright as aw
from armwright.kinematics import RobotModel

ARMS = Path(__file__).resolve().parents[2] / "examples" / "arms"
Q_SIX = [0.2, 1.0, 1.8, -0.6, 1.4, 0.3]


def arm(name: str) -> RobotModel:
    """Load one of the example arms."""
    return aw.load(ARMS / f"{name}.hrdf")


def robot(elements: str, attributes: str = "") -> RobotModel:
    """Load a robot from its elements."""
    return aw.loads(f'<robot version="1.6.0" {attributes}>{elements}</robot>')


EVERY_KIND = """
  <joint axis="tx"/>
  <rigid-body mass="1" output_trans="0.1 0 0.2"/>
  <joint axis="-ry"/>
  <actuator type="X5-4"/>
  <link type="X5" extension="0.2" twist="pi"/>
  <actuator type="X5-4"/>
  <bracket type="X5LightLeft"/>
  <actuator type="X5-1"/>
  <end-effector type="X5Parallel"/>
"""
