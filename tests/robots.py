"""Small robots that the tests of several folders share, as HRDF text."""

# Two joints about z, links of 0.5 m with the mass in the middle.
PLANAR = """
<robot version="1.6.0">
  <joint axis="rz"/>
  <rigid-body mass="1" com_trans="0.25 0 0" output_trans="0.5 0 0"/>
  <joint axis="rz"/>
  <rigid-body mass="1" com_trans="0.25 0 0" output_trans="0.5 0 0"/>
  <end-effector/>
</robot>
"""

# A body with two arms of one joint each, 1 m and 2 m long.
BRANCHES = """
<robot version="1.6.0">
  <rigid-body mass="1">
    <output><joint axis="rz"/><rigid-body mass="1" com_trans="0.5 0 0" output_trans="1 0 0"/>
      <end-effector/></output>
    <output trans="0 1 0"><joint axis="rz"/>
      <rigid-body mass="1" com_trans="0.5 0 0" output_trans="2 0 0"/><end-effector/></output>
  </rigid-body>
</robot>
"""
