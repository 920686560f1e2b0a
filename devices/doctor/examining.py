"""Read an arm where it stands, or at poses, and say how it fits its model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy.typing as npt

from armwright.devices.group import ActuatorGroup
from armwright.devices.kinds import check_group, check_model
from armwright.errors import CommandRejectedError

from .diagnosing import diagnose
from .diagnosis import Diagnosis
from .still import SAMPLES, read_still, visit

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


def examine(
    group: ActuatorGroup,
    model: RobotModel,
    *,
    poses: npt.ArrayLike | None = None,
    samples: int = SAMPLES,
    gravity: npt.ArrayLike | None = None,
    offset: npt.ArrayLike | None = None,
    ignore: Sequence[str | int] = (),
    tolerance: npt.ArrayLike | None = None,
) -> Diagnosis:
    """Read an arm that stands still, and say how it fits its model.

    Nothing moves, unless poses are given. The arm must hang free: nothing may touch it.

    Args:
        group: The modules, one per joint, in the order of q.
        model: The arm as its file says.
        poses: When given, the arm MOVES to these reported positions, shape (n, dof) [rad or m],
            slowly, and is read at each; see ``visit``. None: it is read where it stands.
        samples: Feedbacks per reading.
        gravity: As for ``diagnose``, and so are the others.
        offset: Efforts that something else asks of the joints.
        ignore: Joints whose efforts do not count.
        tolerance: What efforts may differ by.

    Returns:
        The diagnosis.

    Raises:
        CommandRejectedError: If group and model differ in size, or an argument is wrong.
        DeviceError: If the arm moves, or does not answer; see ``read_still``.
        TrajectoryError: If there is no way to a pose.

    Example:
        >>> from armwright import devices
        >>> q = [0, 0.6, 0.9, -0.5, 0.7, 0.3]
        >>> with devices.simulate(model.with_payload(0.8), q0=q) as group:
        ...     diagnosis = devices.doctor.examine(group, model, tolerance=0.02)
        >>> print(diagnosis)
        end effector probe: it carries 0.800 kg (within 0.006) more than the model
        cannot be judged at these poses: J1_base, J6_wrist3
    """
    check_group(group, "examine, group")
    check_model(model, "examine, model")
    if group.size != model.dof:
        raise CommandRejectedError(
            f"examine: expected one module per joint, got a group of {group.size} and a model "
            f"of {model.dof}"
        )
    if poses is None:
        readings = [read_still(group, samples=samples)]
    else:
        readings = list(visit(group, model, poses, samples=samples))
    return diagnose(
        model,
        readings,
        names=group.names,
        gravity=gravity,
        offset=offset,
        ignore=ignore,
        tolerance=tolerance,
    )
