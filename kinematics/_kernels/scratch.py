"""Working memory on the stack: no allocation, safe between threads, costs nothing.

``carray(stack(n), shape)`` is valid only inside the function that asks for it: pass it on to
helpers, never return it. ``n`` must be a literal. ``carray(part(array, first), shape)`` is a part
of an array in another shape, without the reference counts of a slice. When Numba compiles nothing,
all have plain twins, so that the same kernels run as Python.
"""

import math
from typing import Any

import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import carray as _carray

CAP = 64  # bodies (base included) that fit on the stack; kernels allocate for longer robots

settings: Any = config
if settings.DISABLE_JIT:

    def stack(n):
        """Memory for n numbers."""
        return np.empty(n)

    def carray(memory, shape):
        """The memory as an array of a shape."""
        return memory[: math.prod(shape)].reshape(shape)

    def part(array, first):
        """Memory of a contiguous array from its number ``first`` on."""
        return array.reshape(-1)[first:]

else:
    carray = _carray

    @intrinsic(prefer_literal=True)
    def stack(typing_context, n):
        """Memory for n numbers on the stack of the function that calls this."""
        if not isinstance(n, types.IntegerLiteral):
            return None
        count = n.literal_value

        def emit(context, builder, signature, arguments):
            number = context.get_value_type(types.float64)
            return cgutils.alloca_once(builder, number, size=count)

        return types.CPointer(types.float64)(n), emit

    @intrinsic
    def part(typing_context, array, first):
        """Memory of a contiguous array from its number ``first`` on."""

        def emit(context, builder, signature, arguments):
            view = context.make_array(signature.args[0])(context, builder, arguments[0])
            return builder.gep(view.data, [arguments[1]])

        return types.CPointer(array.dtype)(array, types.int64), emit
