"""Columns and rows of every table that kernels and Python share. Imports nothing.

Model rows, shape (n+1, 32), one row per body, row 0 the base. A body's frame sits in its joint;
its z axis is the joint's positive direction. Where rows of frames follow below, shape (n+1+k, 32),
they use PARENT (the frame's body) and PLACEMENT.

| column | name | what |
| --- | --- | --- |
| 0 | PARENT | row of the parent; row 0: 0 |
| 1 | SLIDES | 1 when the joint slides, 0 when it turns |
| 2 | ROTOR | reflected rotor inertia, as the joint value sees it |
| 3 | SUBTREE_MASS | mass of the body and all that hangs on it; row 0: total mass |
| 4-15 | PLACEMENT | placement in the parent, rows of 3x4; row 0: base in the world |
| 16 | MASS | mass; row 0: what is fixed to the base |
| 17-19 | FIRST_MOMENT | mass times center of mass, body axes |
| 20-25 | SECOND_MOMENTS | xx yy zz xy xz yz of the sum of m r r^T about the body's origin |
| 26-28 | AUGMENTED_MOMENT | FIRST_MOMENT, plus SUBTREE_MASS times origin of each child |
| 29 | LAST | last row of the subtree, rows 1 to n |
| 29-31 | GRAVITY | acceleration of free fall, world axes, row 0 |
| 30 | SCALE | joint motion per unit of q, 1 / gear ratio, rows 1 to n |
| 32 | ROW_WIDTH | how many columns there are |

A chain, shape (joints on it + 1, 16): the joints on the way from the world to one frame, then the
frame's own row, where CHAIN_JOINT is -1.

| column | name | what |
| --- | --- | --- |
| 0 | CHAIN_JOINT | index in q |
| 1 | CHAIN_SLIDES | 1 when the joint slides, 0 when it turns |
| 2 | CHAIN_SCALE | joint motion per unit of q |
| 3 | CHAIN_DOF | last row: length of q |
| 4-15 | CHAIN_PLACEMENT | placement in the joint frame before, rows of 3x4; row 0: in the world |
| 16 | CHAIN_WIDTH | how many columns there are |

A table of frames, shape (k, 13):

| column | name | what |
| --- | --- | --- |
| 0 | FRAME_BODY | row of the body |
| 1-12 | FRAME_PLACEMENT | placement in that body, rows of 3x4 |
| 13 | FRAME_WIDTH | how many columns there are |

The state array of ``dynamics_state.py``, shape (n+1, 68+n): one row per body, world axes unless
said, row 0 the base.

| column | name | what |
| --- | --- | --- |
| 0-11 | STATE_POSE | placement in the world, rows of 3x4 |
| 12-17 | STATE_MOTION | twist of the body by its joint alone, per unit of joint velocity: linear (of the point at the base's origin), angular; row 0: center of mass 12-14, total mass 15 |
| 18-26 | STATE_SUM | first and second moments of the body and all that hangs on it, body axes, about the body's origin: 3, then xx yy zz xy xz yz (their mass is in the model) |
| 27-32 | STATE_TWIST | linear (of the body's origin), angular |
| 33-38 | STATE_BIAS | acceleration without joint accelerations: linear (of the origin), angular |
| 39-47 | STATE_RATES | rate matrix in body axes, see ``inertia.py`` |
| 48-53 | STATE_WRENCH | what the body gets through its joint without joint accelerations, gravity included; body axes, about the body's origin: force, torque |
| 54 | STATE_EFFORT | bias effort: velocity terms and gravity; row 0: kinetic energy |
| 55 | STATE_HOLD | holding effort: gravity alone; row 0: potential energy |
| 56-61 | STATE_MOMENTUM | momentum about the center of mass per unit of joint velocity: linear, angular; row 0: the momentum about the center of mass |
| 62-67 | STATE_COUPLING | wrench at the base's origin per unit of joint acceleration: force, torque; row 0: rate of the momentum about the center of mass without joint accelerations and gravity (the bias of the momentum matrix) |
| 68- | STATE_MASSES | row of the mass matrix, n numbers; row 0: zeros |

The terms of a fixed base of ``dynamics_terms.py``, n numbers a row, one for each joint, so that
every quantity is contiguous. World axes.

| row | name | what |
| --- | --- | --- |
| 0 | TERMS_Q | joint positions, copied |
| 1 | TERMS_V | joint velocities, copied |
| 2 | TERMS_BIAS | bias efforts of the bodies: velocity terms and gravity |
| 3 | TERMS_HOLD | holding efforts: gravity alone |
| 4-9 | TERMS_MOMENTUM | momentum about the center of mass per unit of joint velocity |
| 10-12 | TERMS_COM | velocity of the center of mass per unit of joint velocity |
| 13-18 | TERMS_MOTION | twist of all that the joint moves, per unit of its velocity: linear (of the point at the world's origin), angular |
| 19-34 | TERMS_POSES | (n, 4, 4), one after the other: every body in the world |
| 35- | TERMS_MASSES | mass matrix, n rows |

Below the mass matrix stand, each in as many rows as it needs and zeros after it: center of mass 3,
its velocity 3; momentum about the center of mass 6; kinetic and potential energy and mass 3.

Working memory of kernels that send motion outward, one row per body. What a kernel needs beyond
these columns it declares itself.

| column | name | what |
| --- | --- | --- |
| 0-11 | POSE | placement, rows of 3x4: in the parent or in the world |
| 12-14 | OMEGA | angular velocity |
| 15-17 | ALPHA | angular acceleration |
| 18-20 | ACC | acceleration of the body's origin, classical |
| 21-23 | FORCE | force that the body gets |
| 24-26 | TORQUE | torque that the body gets, about its origin |
| 27-35 | RATES | rate matrix, see ``inertia.py`` |

Working memory of composite bodies: POSE, then

| column | name | what |
| --- | --- | --- |
| 12-20 | COMPOSITE | first and second moments of the body and all that hangs on it: 3, then xx yy zz xy xz yz |
"""

# Model rows.
PARENT = 0
SLIDES = 1
ROTOR = 2
SUBTREE_MASS = 3
PLACEMENT = 4
MASS = 16
FIRST_MOMENT = 17
SECOND_MOMENTS = 20
AUGMENTED_MOMENT = 26
LAST = 29
GRAVITY = 29
SCALE = 30
ROW_WIDTH = 32

# Chains.
CHAIN_JOINT = 0
CHAIN_SLIDES = 1
CHAIN_SCALE = 2
CHAIN_DOF = 3
CHAIN_PLACEMENT = 4
CHAIN_WIDTH = 16

# Tables of frames.
FRAME_BODY = 0
FRAME_PLACEMENT = 1
FRAME_WIDTH = 13

# The state array.
STATE_POSE = 0
STATE_MOTION = 12
STATE_SUM = 18
STATE_TWIST = 27
STATE_BIAS = 33
STATE_RATES = 39
STATE_WRENCH = 48
STATE_EFFORT = 54
STATE_HOLD = 55
STATE_MOMENTUM = 56
STATE_COUPLING = 62
STATE_MASSES = 68

# The terms of a fixed base.
TERMS_Q = 0
TERMS_V = 1
TERMS_BIAS = 2
TERMS_HOLD = 3
TERMS_MOMENTUM = 4
TERMS_COM = 10
TERMS_MOTION = 13
TERMS_POSES = 19
TERMS_MASSES = 35

# Working memory.
POSE = 0
OMEGA = 12
ALPHA = 15
ACC = 18
FORCE = 21
TORQUE = 24
RATES = 27
COMPOSITE = 12
