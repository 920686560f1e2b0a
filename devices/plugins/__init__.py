"""What acts on an arm beside its path: a function of a turn of the loop that returns efforts.

A plugin is a function ``f(turn)``, or an object with ``update(turn)``, that returns a contribution:
efforts, one per joint [N m or N]. It never touches the command. Contributions are added up, so
their order does not matter, and clipped to what the actuators can give. An object may have

- ``start(turn)``: called once, with the first turn, before the first ``update``;
- ``name``: what errors call it; else the name of the function or of the class;
- ``ramp_time``: how long it takes to come in fully [s]; 0 when it has none;
- ``guided``: whether it goes on where an arm is led by hand; ``follow`` leads none.

A plugin that raises, or returns anything but one finite number per joint, is cut off: its last
good contribution is kept as it is, the arm is stopped, and a ``PluginError`` says which it was.
"""

from .gravity_compensation import GravityCompensationEffort
from .mixer import Mixer, as_mixer
from .turn import ArmState, Turn

__all__ = ["ArmState", "GravityCompensationEffort", "Mixer", "Turn", "as_mixer"]
