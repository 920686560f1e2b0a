"""How kernels are declared: ``@helper`` and ``@inline`` for what kernels call, ``@entry``.

An entry is called from Python. It is compiled once, for one signature, when it is first used (or
by ``armwright warmup``), and from then on refuses every other dtype, layout or number of
dimensions with a TypeError: a wrong array can never be read as if it were right. Entries are not
called by other kernels; what both need is a helper.

Inputs are declared read-only, so that read-only arrays pass at full speed; outputs are writable.
"""

from typing import Any

from numba import float64, int64, njit, types, void

from armwright.kinematics.engine import cache_folders

from .keeping import keep_safely

OPTIONS: Any = {"error_model": "numpy", "fastmath": False}

IN1 = types.Array(float64, 1, "C", readonly=True)
IN2 = types.Array(float64, 2, "C", readonly=True)
IN3 = types.Array(float64, 3, "C", readonly=True)
OUT1 = types.Array(float64, 1, "C")
OUT2 = types.Array(float64, 2, "C")
OUT3 = types.Array(float64, 3, "C")
OUT4 = types.Array(float64, 4, "C")
MODEL = OUT2  # the model's own arrays: not written, but never read-only, which dispatches faster
F8 = float64
I8 = int64


def helper(function):
    """Declare a function that kernels call."""
    return _declared(function)


def inline(function):
    """Declare a helper that becomes part of each kernel that calls it, as all kinematics do.

    Left to the optimizer, some stay calls that hand over a dozen numbers in memory: a tenth of
    the time of a kernel. The long helpers of IK, called in many places, gain nothing by it.
    """
    return _declared(function, forceinline=True)


def entry(*arguments, returns=void, parallel=False, nogil=False):
    """Declare a kernel that Python calls, with the types of its arguments.

    Args:
        arguments: Numba types, such as IN1 or OUT2.
        returns: Type of the result; kernels that fill arrays return nothing.
        parallel: Whether ``prange`` runs on all cores. Such kernels start slower (0.4 s).
        nogil: Whether other Python threads run meanwhile; for kernels that work on many rows.

    Returns:
        A decorator; the decorated function carries its signature as ``entry_signature``.
    """

    def declare(function):
        kernel = _declared(function, parallel=parallel, nogil=nogil)
        kernel.entry_signature = returns(*arguments)
        return kernel

    return declare


def _declared(function, **options):
    """Hand a function to Numba; its code is kept where there is a folder for that."""
    with cache_folders() as (own, filled):
        return keep_safely(njit(cache=own is not None, **options, **OPTIONS)(function), filled)
