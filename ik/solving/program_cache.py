"""The programs that ``solve`` laid out last: the one thing that this process remembers of it.

A loop over targets calls ``solve`` with objectives that differ in their targets alone; looking up
frames and laying out tables once more would take twenty times as long as solving. So the last
programs are kept, at most 32, by the model and the keys of the objectives, and the very last one
apart, since finding out that nothing changed takes a tenth of a look into a dictionary.
``IKProblem`` keeps its own and needs none of this.

Models and programs never change, so that a program cannot go stale. A model goes by its id, since
models that compare by content hash slowly; its program keeps the model alive, so that the id stays
its own: models take no weak references. Programs that hold functions of the user's are not kept.
Threads may read at any time: each tuple and each entry comes or goes whole; writing ``programs`` is
locked.
"""

import threading
from collections.abc import Hashable, Sequence
from typing import Any

from armwright.ik.objectives import Objective
from armwright.ik.program import (
    Program,
    check_model,
    check_objectives,
    compile_program,
    with_limits,
)
from armwright.kinematics import RobotModel

MOST = 32
programs: dict[Hashable, Program] = {}  # by (id(model), *keys of the objectives)
# Of the last call with one or two objectives: model, how many, key of the first, place and key of
# the last, program. In a list, so that who imported it sees what comes.
last: list[tuple[Any, int, Hashable, int, Hashable, Any]] = [(None, -1, None, 0, None, None)]
_lock = threading.Lock()


def look_up(model: RobotModel, objectives: Sequence[Objective]) -> Program:
    """Return the program of these objectives, laid out now or before; it becomes the last one.

    Raises:
        ModelError: If the model is something else.
        ObjectiveError: If an objective is something else or not usable, or there is none.
        FrameNotFoundError: If the frame of an objective does not exist.
    """
    try:
        program = programs[(id(model), *[objective.key for objective in objectives])]
    except (AttributeError, KeyError, TypeError):  # new, or no objective at all
        return _prepare(model, objectives)
    count, place = len(objectives), len(objectives) - 1
    if 0 < count < 3:
        last[0] = (model, count, objectives[0].key, place, objectives[place].key, program)
    return program


def _prepare(model: RobotModel, objectives: Sequence[Objective]) -> Program:
    """Lay out a program that is not among ``programs`` yet, and keep it there."""
    check_model(model)
    check_objectives(objectives)
    # Limits are often new with every call: then the rest is taken from where it was the same.
    but_limits = (id(model), *(objective.key_but_limits for objective in objectives))
    program = None
    like = programs.get(but_limits)
    if like is not None:
        program = with_limits(like, model, objectives)
    if program is None:
        program = compile_program(model, objectives)
    if program.is_general:
        return program
    with _lock:
        while len(programs) > MOST - 2:  # one or two come in
            del programs[next(iter(programs))]  # the oldest
        programs[(id(model), *(objective.key for objective in objectives))] = program
        programs[but_limits] = program
    return program
