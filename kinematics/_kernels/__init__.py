"""Compiled kernels of kinematics and dynamics, loaded on first use by ``kinematics/engine.py``.

A kernel is a plain function on plain arrays that Numba compiles. Nothing in here knows a robot,
a name or a unit; Python above checks, allocates and words the errors. This page says how kernels
are written; what stands in which column is in ``layout.py``, the only home of such numbers, which
imports nothing, so that Python reads it too.

**Tables.** *Model rows* ``M`` (n+1, 32): one row per moving body, depth first, so that a parent
comes before its children and the next row is mostly the next body outward; row 0 is the base.
Kernels of many frames get one row for each frame below, (n+1+k, 32). A *chain* ``C`` (k+1, 16):
only the joints that move one frame, then the frame. A *table of frames* ``F`` (k, 13): body and
placement. All are made in ``kinematics/robot/`` and never written here.

**Results** go into the last argument, which Python allocates; nothing is returned but a number
that says which joint is to blame. Two arrays hold many results at once: the *state array* of
``dynamics_state.py``, a row for each body, serves any base; the *terms* of ``dynamics_terms.py``, a
column for each joint, are about five times quicker for the few quantities of a fixed base that are
asked for most. They are not to be merged.

**Working memory** ``W``, one row per body, lives on the stack up to 63 joints (``scratch.py``) and
is allocated beyond that. It is asked for by the kernel or by a helper that uses it to its end: a
helper cannot return it. A walk outward keeps the last body in local numbers and reads the parent's
row only where ``parent != i - 1``; a walk inward adds to the parent's row.

**Letters.**

| letter | meaning |
| --- | --- |
| q v a tau | positions, velocities, accelerations, efforts of the joints; n of them |
| Q V A TAU | the same with one row for each of b configurations, in batches |
| M C F W | model rows, chain, table of frames, working memory |
| T | table of sines, (3, n); in entries of a free base its pose, (4, 4) |
| A B P L | a placement, 12 numbers; L in the parent where A is in the world |
| R0 ... R8 | its rotation, by rows |
| S | nine numbers of a body: first moment, second moments (``inertia.py``) |
| w e a | angular velocity, angular acceleration, acceleration of a body's origin |
| h m s | first moment, mass, joint motion per unit of q |
| z | axis of a joint |
| i p j | row of a body, of its parent, of a body further in |
| J | a Jacobian, (6, n), linear first |

**Helpers**, small and without loops: ``vectors.py`` (triples), ``rigid.py`` (placements),
``inertia.py`` (moments and wrenches), ``rates.py`` (steps of the recursions), ``sines.py``,
``checks.py``. They are compiled into what calls them, at no cost, when they are one straight line;
one that decides which of two vectors to return may cost a kernel a tenth of its time, and so may
two counting loops where one does. Measure.

**Entries** are what Python calls (``declare.py``): one signature, first the shapes, then whether
numbers are finite, then the work. Where rows of configurations make sense an entry has a twin
``..._batch`` that runs the same helper for each row and lets other threads run meanwhile.

**Changing a kernel.** Results are compared bit by bit (``scripts/ik_bits.py``): the order of the
operations is part of the result, and adding 0.0 changes -0.0. Any edit in a ``_kernels`` folder
changes the hash that names the cache, and every kernel is compiled again, by ``armwright warmup``
or when it is first called. A column that moves is changed in ``layout.py`` alone; Python's slices
follow. The tests marked ``kernels`` run compiled and once more as plain Python, with
``NUMBA_DISABLE_JIT=1``.
"""
