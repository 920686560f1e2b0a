"""Columns and rows of the two tables that the kernels share with Python.

The *program* says what is wanted, shape (rows, 32), read-only for the kernels:

- row 0: the header;
- rows 1 to n: one per joint of the model;
- then two rows per objective: the objective (kind, weights, its chain), and its target (columns 4
  to 15, rows of the 3x4 matrix; a tip axis stands where the z axis stands, columns 6, 10, 14);
- then the chains: one row per joint on the way to a frame and one for the frame, with the columns
  CHAIN_JOINT and so on of ``kinematics/_kernels/layout.py``;
- then the manipulabilities that are secondary goals, one row each, and their chains.

When there is one pose and its chain moves all joints in order, that chain stands once more in
columns 16 to 31: joints in the joint rows, the frame in row 0.

The *state* is scratch and answer in one, shape (n + 1, 17): a row of totals, then one per joint.
For six joints it stays below 1 kB, where numpy and the C library allocate twice as fast.
All work is in joint units that do not depend on gears or metres: a turning joint counts the
radians of its output, a sliding one its metres times the length weight (UNIT of them per unit of
q).
"""

from armwright.kinematics._kernels.layout import CHAIN_PLACEMENT, CHAIN_SCALE, CHAIN_SLIDES

WIDTH = 32
STATE_WIDTH = 17

# Header.
N_OBJECTIVES = 0
N_ROWS = 1  # error rows of all objectives
LENGTH_WEIGHT = 2  # radians that count like one metre, 2 / reach
EFFORT = 3  # secondary goal: weight of half the sum of the squared efforts
LONGEST = 4  # rows of the longest chain
N_GOALS = 5  # secondary goal: how many manipulabilities
FIRST_GOAL = 6  # and the first of their rows
CURVATURE = 7  # secondary goal: about its second derivatives, those of the springs left out

# Joint rows.
LOWER = 0
UPPER = 1
TURN = 2  # q of one whole turn of the output; 0 for a sliding joint
UNIT = 3  # joint units per unit of q, positive
TRAVEL = 4  # how far from the seed an unlimited sliding joint is searched
MOVES = 5  # 1 when some objective depends on it
OFFSET = 6  # of the low-discrepancy sequence of starts
STRIDE = 7
REFERENCE = 8  # secondary goal: where a spring pulls the joint,
STIFFNESS = 9  # and how strongly

# Joint rows and header: the chain of the one pose.
DIRECT = 16
DIRECT_SLIDES = DIRECT + CHAIN_SLIDES
DIRECT_SCALE = DIRECT + CHAIN_SCALE
DIRECT_PLACEMENT = DIRECT + CHAIN_PLACEMENT

# Objective rows.
KIND = 0
WEIGHT_POSITION = 1  # per metre, the length weight included
WEIGHT_ORIENTATION = 2  # per radian
CHAIN = 3  # first row of its chain
N_JOINTS = 4  # joints on its chain
FIRST_ROW = 5  # its first error row
FIXED = 6  # columns 6, 7, 8: 1 where x, y, z is wanted, 0 where it is free
SAME_CHAIN = 9  # 1 when the objective before has the same chain
TARGET = 4  # first column of the target in the row below

# Rows of the manipulabilities; CHAIN and N_JOINTS as for objectives.
GOAL_WEIGHT = 0
GOAL_ROW = 5  # first row of the Jacobian that counts
GOAL_END = 6  # one past the last

POSITION = 1.0
ORIENTATION = 2.0
POSE = 3.0
TIP_AXIS = 4.0

# Columns of the state, per joint.
BEST = 0  # the answer
NOW = 1
LOW = 2  # window that holds at every iterate
HIGH = 3
WRAPS = 4  # 1 when the window is a whole turn
FREE = 5
START_BEST = 6
STEP = 7
SPARE = 8
POOL = 9  # to 16: the best points of the best starts
REGULAR = 9  # tracking, which keeps no pool: at the last pose that was not nearly singular
FIRST = 10  # tracking: where the step began
FOUND = 11  # tracking: the nearest so far

# Columns of the totals, row 0 of the state.
E_BEST = 0
POSITION_ERROR = 1
ORIENTATION_ERROR = 2
ITERATIONS = 3
STARTS = 4
STATIONARY = 5  # 1 when the polish came to rest at the answer
NEAR = 6  # tracking: 1 when the pose is nearly singular
FRESH = 7  # secondary goals: 1 while their curvature is a first guess
E_POOL = 9  # to 16

N_POOL = 8
MOST_DESCENTS = 200  # steps towards the secondary goals

# What the kernels return.
REACHED = 0
NOT_REACHED = 1
BAD_INPUT = 2
