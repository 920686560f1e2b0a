"""What a call was given for its model, group or command, before anything is asked of it.

Each function refuses what is of another kind, in words that name the argument.
"""

from typing import Any

from armwright.devices.messages import GroupCommand
from armwright.errors import CommandRejectedError, ModelError
from armwright.kinematics.arrays import is_row
from armwright.reprs import short

_OF_A_GROUP = ("size", "names", "feedback", "send", "feedback_frequency", "command_lifetime")


def check_model(model: object, name: str) -> None:
    """Refuse what is no model."""
    from armwright.kinematics import RobotModel  # loaded where a model was made

    if not isinstance(model, RobotModel):
        raise ModelError(f"{name}: expected a RobotModel, got {short(model)}")


def check_group(group: object, name: str) -> None:
    """Refuse what is no group of modules."""
    missing = [one for one in _OF_A_GROUP if not hasattr(group, one)]
    if missing or isinstance(group, type):
        raise CommandRejectedError(f"{name}: expected a group of modules, got {short(group)}")


def check_command(command: object, name: str = "send") -> None:
    """Refuse what is no command."""
    if not isinstance(command, GroupCommand):
        raise CommandRejectedError(f"{name}: expected a GroupCommand, got {short(command)}")


def listed(given: Any, name: str, what: str, error: type[Exception] = CommandRejectedError) -> Any:
    """Return a list of some things; a text is one of them."""
    if isinstance(given, str):
        return (given,)
    if not is_row(given):
        raise error(f"{name}: expected {what}, got {short(given)}")
    return given
