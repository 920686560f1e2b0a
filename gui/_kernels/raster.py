"""Rasterise triangles with a depth buffer, and average the samples down to a picture.

Screen coordinates: x to the right, y up, in samples (several per pixel); a sample's center lies at
half-integer coordinates. Depth grows away from the viewer. Depth after the perspective division is
affine on the screen, so it is interpolated linearly and hiding is exact.
"""

import math

from numba import types

from armwright.kinematics._kernels.declare import IN2, OUT2, entry

INDEX_IN = types.Array(types.int32, 2, "C", readonly=True)
INDEX_OUT = types.Array(types.int32, 2, "C")
RGBA_OUT = types.Array(types.uint8, 3, "C")
ROUNDING = 1e-9  # so that no sample on a shared edge is lost by both triangles


@entry(IN2, OUT2, INDEX_OUT)
def rasterise(corners, depth, index):
    """Draw triangles into a depth buffer and a buffer of triangle numbers.

    corners (n, 9): x, y, depth of the three corners, in either order round.
    depth, index (rows, columns): updated where a triangle is nearer; row 0 is the lowest.
    """
    rows, columns = depth.shape
    for i in range(corners.shape[0]):
        ax, ay, az = corners[i, 0], corners[i, 1], corners[i, 2]
        bx, by, bz = corners[i, 3], corners[i, 4], corners[i, 5]
        cx, cy, cz = corners[i, 6], corners[i, 7], corners[i, 8]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area < 0.0:
            bx, by, bz, cx, cy, cz = cx, cy, cz, bx, by, bz
            area = -area
        if not area > 0.0:
            continue
        first_row = max(0, math.ceil(min(ay, by, cy) - 0.5))
        last_row = min(rows - 1, math.floor(max(ay, by, cy) - 0.5))
        first_column = max(0, math.ceil(min(ax, bx, cx) - 0.5))
        last_column = min(columns - 1, math.floor(max(ax, bx, cx) - 0.5))
        # Barycentric weights are affine on the screen: a value at the start of a row, plus steps.
        u_step, v_step = (by - cy) / area, (cy - ay) / area
        z_step = u_step * (az - cz) + v_step * (bz - cz)
        for row in range(first_row, last_row + 1):
            y = row + 0.5
            x = first_column + 0.5
            u = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
            v = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
            z = cz + u * (az - cz) + v * (bz - cz)
            for column in range(first_column, last_column + 1):
                if (
                    u >= -ROUNDING
                    and v >= -ROUNDING
                    and u + v <= 1.0 + ROUNDING
                    and z < depth[row, column]
                ):
                    depth[row, column] = z
                    index[row, column] = i
                u += u_step
                v += v_step
                z += z_step


@entry(INDEX_IN, IN2, RGBA_OUT)
def resolve(index, colors, rgba):
    """Average blocks of samples into pixels.

    index (k * rows, k * columns): triangle numbers, -1 where nothing is.
    colors (n, 4): red, green, blue, alpha of each triangle, 0 to 1.
    rgba (rows, columns, 4): filled; alpha is not multiplied in.
    """
    rows, columns = rgba.shape[0], rgba.shape[1]
    k = index.shape[0] // rows
    share = 1.0 / (k * k)
    for row in range(rows):
        for column in range(columns):
            r = g = b = a = 0.0
            for i in range(row * k, row * k + k):
                for j in range(column * k, column * k + k):
                    n = index[i, j]
                    if n >= 0:
                        alpha = colors[n, 3]
                        r += colors[n, 0] * alpha
                        g += colors[n, 1] * alpha
                        b += colors[n, 2] * alpha
                        a += alpha
            if a > 0.0:
                rgba[row, column, 0] = int(r / a * 255.0 + 0.5)
                rgba[row, column, 1] = int(g / a * 255.0 + 0.5)
                rgba[row, column, 2] = int(b / a * 255.0 + 0.5)
                rgba[row, column, 3] = int(a * share * 255.0 + 0.5)
            else:
                rgba[row, column, 0] = rgba[row, column, 1] = rgba[row, column, 2] = 0
                rgba[row, column, 3] = 0
