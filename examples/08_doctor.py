"""You will see an arm examined while it stands still, and what is wrong with it found.

The effort that each joint reports must be the one that holds the arm against gravity. Where it is
not, a sign or a zero is wrong, or the arm carries what its file does not know. By default the
group is simulated and has such faults. Real modules are read where they stand, and not moved:
python examples/08_doctor.py --hebi Arm J1_base J2_shoulder J3_elbow J4_wrist1 J5_wrist2 J6_wrist3
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

import armwright as aw
from armwright import devices
from armwright.devices import doctor

CONFIG = Path(__file__).parent / "arms" / "six_dof.cfg.yaml"


def main(argv: Sequence[str] | None = None) -> None:
    """Examine a good arm and bad ones, or the real one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hebi", nargs="+", metavar=("FAMILY", "NAME"), help="real modules")
    modules = parser.parse_args(argv).hebi
    model = aw.load(CONFIG)
    if modules:
        with devices.connect(modules[0], modules[1:]) as group:
            print(doctor.examine(group, model))
        return

    # Shoulder and elbow bent, so that gravity loads what it can.
    home = model.reference_configurations["home"]
    loaded = model.with_payload(0.8, com=[0.0, 0.0, 0.05])
    show("a good arm", model, devices.simulate(model, q0=home))
    show("something in its hand", model, devices.simulate(loaded, q0=home))
    simulated = devices.simulate(model, q0=home)
    show("a wrong sign", model, devices.FaultyGroup(simulated, effort_signs=["J2_shoulder"]))
    simulated = devices.simulate(model, q0=home)
    show("a wrong zero", model, devices.FaultyGroup(simulated, zeros={"J3_elbow": 0.2}))

    # More poses tell more, here where the center of mass of the payload is. The arm moves.
    poses = home + np.array([[0] * 6, [0, 0.3, -0.4, 0, 0, 0], [0, 0, 0.3, 0.5, 0.6, 0.9]])
    show("the load again, at three poses", model, devices.simulate(loaded, q0=home), poses)


def show(
    title: str,
    model: aw.RobotModel,
    group: devices.ActuatorGroup,
    poses: npt.NDArray[np.float64] | None = None,
) -> None:
    """Examine one arm and print what was found."""
    with group:
        # Simulated modules have no friction, so they can be judged sharply.
        diagnosis = doctor.examine(group, model, poses=poses, tolerance=0.02)
    print(f"{title}: {diagnosis.verdict}\n{diagnosis}\n")


if __name__ == "__main__":
    main()
