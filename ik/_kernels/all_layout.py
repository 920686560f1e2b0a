"""Tables that the kernels for all solutions share with Python.

The *arm*, shape (rows, 16), is one chain with its fixed joints merged away, at most six joints
left. The kernels work in *steps* x: radians of the output of a turning joint, metres times the
length weight of a sliding one.

- row 0: the header;
- rows 1 to k: the joints (columns 4 to 15: placement, rows of the 3x4 matrix), row k + 1: the frame;
- then one row per joint of the model: its limits, and which row of the chain it is.

The *constants* of a closed form, shape (64,), are axes and points of the chain with all x = 0,
lengths divided by the reach.

The *state* is scratch and answer in one, shape (MOST + 2, 16 + dof): totals, then one solution
per row, and one row to spare.
"""

from armwright.kinematics._kernels.layout import CHAIN_JOINT, CHAIN_PLACEMENT, CHAIN_SLIDES

# Arm, header.
N_JOINTS = 0
N_DOF = 1
LENGTH_WEIGHT = 2  # radians that count like one metre
INVERSE_REACH = 3  # 1 / m
REVERSED = 4  # 1 when the closed form is that of the chain from the tool to the base

# Families with a closed form.
PARALLEL = 1.0  # axes 2, 3, 4 parallel, axes 5 and 6 meet
WRIST = 2.0  # axes 4, 5, 6 meet in a point

# Arm, rows of the chain; what is not its own stands where it does in the chains of a model.
JOINT = CHAIN_JOINT  # number in q
SLIDES = CHAIN_SLIDES
UNIT = 2  # x per q
MOTION = 3  # rad or m per x
PLACEMENT = CHAIN_PLACEMENT

# Arm, rows of the joints of the model.
LOWER = 0
UPPER = 1
TURN = 2  # q of a whole turn of the output; 0 for a sliding joint
ROW = 3  # row of the chain; 0 for a joint that does not move it
START = 4  # x where the starts begin ...
SPAN = 5  # ... and how far they reach
STRIDE = 6  # of the low-discrepancy sequence of starts
OFFSET = 7

# Constants, both families.
ROTATION = 0  # of the frame, to 8
TOOL = 9  # from the wrist to the frame, in the frame's axes
BASE = 12  # a point of axis 1
AXES = 15  # 18 numbers

# Constants, parallel axes.
SIGN_3 = 33  # whether axis 3 points as axis 2 does
SIGN_4 = 34
HEIGHT = 35  # of the wrist over axis 1, along axis 2
LINK_2 = 36  # between axes 2 and 3, across them
LINK_3 = 39
SHOULDER = 42  # axis 1 less axis 2
HAND = 45  # wrist less axis 4

# Constants, wrist.
KIND = 33
GENERAL = 0.0
MEET = 1.0  # axes 1 and 2 meet
ALONG = 2.0  # axes 1 and 2 are parallel
GAP = 34  # from axis 1 to axis 2, the shortest way
U_FIXED = 37  # wrist seen from axis 2: fixed part, with cos(q3), with sin(q3)
U_COS = 40
U_SIN = 43
SIZE = 46  # its square: the same three parts
RISE = 49  # its part along axis 2: the same three parts
GAP_LENGTH = 52
COSINE = 53  # between axes 1 and 2
SINE = 54
N_CONSTANTS = 64

# State, columns of a solution; columns 0 to 5 are x.
POSITION_ERROR = 6
ORIENTATION_ERROR = 7
HITS = 8
WEAKEST = 9  # about the smallest singular value of the Jacobian, in x
DISTANCE = 10
HAND_OF = 11  # sign of the determinant of the Jacobian
Q = 16

# State, totals.
COUNT = 0
STARTS = 1
OUTSIDE = 2  # solutions that the limits forbid
MISSED = 3  # expected number of solutions not found
SINGULAR = 4  # smallest WEAKEST

MOST = 32  # solutions kept
ISOLATED = 16  # six joints have no more, unless the solutions form a curve (Raghavan and Roth 1990)
FARTHEST = 1e6  # of a reference [rad or m]

# What the kernels return.
DONE = 0
DOUBTFUL = 1
BAD_TARGET = 2
BAD_REFERENCE = 3
