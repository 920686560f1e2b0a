"""You will see a four-axis arm built from parts in code, its mass, and its HRDF file.

The builder knows the catalog and checks every part when it is attached: a misfit is refused
at once, with the parts that would fit. Builder and files make the same descriptions, so an arm
built here can be written, shared and loaded again. Run with: python examples/02_build_an_arm.py
"""

import math

import armwright as aw
from armwright import hrdf


def main() -> None:
    """Build an arm, try a misfit, write the arm and read it back."""
    builder = (
        aw.ArmBuilder(description="Four axes from X-series parts")
        .actuator("X8-9", tag="base")
        .bracket("X5HeavyRightOutside")
        .actuator("X8-16", tag="shoulder")
        .link("X5", extension=0.30, twist=math.pi)  # metres between the adapters, radians
        .actuator("X5-9", tag="elbow")
        .link("X5", extension=0.22, twist=0.0)
        .actuator("X5-4", tag="wrist")
    )

    # An actuator cannot be bolted to an actuator. Nothing is changed by a refused part.
    try:
        builder.actuator("X5-1")
    except aw.ArmwrightError as error:
        print(f"Refused: {error}\n")

    builder.end_effector("X5Parallel", tag="gripper")
    model = builder.build()
    print(f"{model.dof} joints, {model.total_mass:.3f} kg, joints {', '.join(model.joint_names)}\n")

    text = hrdf.write(builder.describe())
    print(text)
    again = hrdf.parse(text)
    print(f"read back, it is the same arm: {again == builder.describe()}")


if __name__ == "__main__":
    main()
