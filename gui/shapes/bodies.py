"""Bodies without a catalog shape, plain joints and end effectors."""

from functools import lru_cache

import numpy as np

from armwright.gui.solids import FloatArray, Solid, along, box, cylinder, ellipsoid, rod
from armwright.hrdf import EndEffector, Joint, RigidBody
from armwright.hrdf.sizes import (
    BLOB_RADII,
    DOT_RADIUS,
    PIPE_RADIUS,
    Gripper,
    gripper_of,
    joint_sizes,
)

from .piece import Piece


def rigid_body(element: RigidBody, size: float) -> tuple[Piece, ...]:
    """Return pipes to the outputs, or the ellipsoid of inertia when no output is elsewhere.

    Args:
        element: The body.
        size: Scale of free shapes; 1 for robots of ordinary size.
    """
    pieces: list[Piece] = []
    for pose in element.output_poses:
        pieces += (Piece(solid, "body") for solid in pipe(pose.matrix(), PIPE_RADIUS * size))
    if pieces:
        return tuple(pieces)
    radii, T_com_axes = inertia_ellipsoid(element.mass, element.inertia, size)
    blob = ellipsoid(radii).transform(element.com.matrix() @ T_com_axes)
    return (Piece(blob, "body"),)


def pipe(T_in_out: FloatArray, radius: float) -> tuple[Solid, ...]:
    """Build a pipe along z and then across to an output frame; nothing when that is the input."""
    corner = np.array([0.0, 0.0, T_in_out[2, 3]])
    end = T_in_out[:3, 3]
    up, across = abs(corner[2]), float(np.linalg.norm(end - corner))
    length = up + across
    if length < 1e-9:
        return ()
    radius = min(radius, 0.3 * length)
    bits = []
    if up > 0.1 * radius:
        bits.append(rod((0.0, 0.0, 0.0), corner, radius))
    if across > 0.1 * radius:
        bits.append(rod(corner, end, radius))
    if len(bits) == 2:
        ball = ellipsoid((radius, radius, radius)).transform(along(corner, (0.0, 0.0, 1.0)))
        bits.insert(1, ball)
    return tuple(bits)


def inertia_ellipsoid(
    mass: float, inertia: tuple[float, ...], size: float
) -> tuple[tuple[float, float, float], FloatArray]:
    """Return radii [m] and axes, as a frame in the com frame, of the ellipsoid of that inertia.

    A solid ellipsoid of mass m has the moment m (b^2 + c^2) / 5 about its axis a. Radii are kept
    between 8 and 150 mm times the size, because some files invent their inertias.
    """
    ixx, iyy, izz, ixy, ixz, iyz = inertia
    moments, axes = np.linalg.eigh([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    squares = 2.5 * (moments.sum() - 2 * moments) / max(mass, 1e-9)
    least, most = BLOB_RADII
    radii = np.sqrt(np.clip(squares, (least * size) ** 2, (most * size) ** 2))
    T_com_axes = np.eye(4)
    T_com_axes[:3, :3] = axes
    return (float(radii[0]), float(radii[1]), float(radii[2])), T_com_axes


def axis_of(element: Joint) -> FloatArray:
    """Return the positive direction of a plain joint in its input frame, shape (3,)."""
    direction = np.zeros(3)
    direction["xyz".index(element.axis[-1])] = -1.0 if element.axis.startswith("-") else 1.0
    return direction


def joint(element: Joint, travel: float, size: float) -> tuple[Piece, ...]:
    """Return a barrel with a turning cap, or a rail with a carriage.

    Args:
        element: The joint.
        travel: How far a sliding joint has moved, q / gear_ratio [m].
        size: Scale of free shapes; 1 for robots of ordinary size.
    """
    T = along((0.0, 0.0, 0.0), axis_of(element))
    if "t" in element.axis:
        sizes = joint_sizes(size)
        low, high = min(0.0, travel) - sizes.overhang, max(0.0, travel) + sizes.overhang
        b, c = sizes.rail, sizes.carriage
        rail = box((-b, -b, low), (b, b, high)).transform(T)
        carriage = box((-c, -c, -c), (c, c, c)).transform(T)
        return (Piece(rail, "rail"), Piece(carriage, "joint", moves=True))
    barrel, cap, key = _barrel(size)
    return (
        Piece(barrel.transform(T), "joint"),
        Piece(cap.transform(T), "face", moves=True),
        Piece(key.transform(T), "mark", moves=True),
    )


@lru_cache(maxsize=16)
def _barrel(size: float) -> tuple[Solid, Solid, Solid]:
    """Build barrel, cap and key of a turning joint about z."""
    sizes = joint_sizes(size)
    r, (bottom, rim), top = sizes.radius, sizes.barrel, sizes.cap
    return (
        cylinder(r, bottom, rim),
        cylinder(sizes.cap_radius, rim, top),
        box((0.7 * r, -0.15 * r, rim), (1.1 * r, 0.15 * r, top)),
    )


def end_effector(element: EndEffector, size: float) -> tuple[Piece, ...]:
    """Return a gripper, or for a custom end effector a dot with a thin stem."""
    gripper = gripper_of(element)
    if gripper is not None:
        return _gripper(gripper)
    T_in_out = element.output_poses[0].matrix()
    tip = T_in_out[:3, 3]
    radius = DOT_RADIUS * size
    dot = ellipsoid((radius, radius, radius), 12, 6)
    pieces = [Piece(dot.transform(along(tip, (0.0, 0.0, 1.0))), "tool")]
    if np.linalg.norm(tip) > 3 * radius:
        pieces.append(Piece(rod((0.0, 0.0, 0.0), tip, 0.8 * radius, 16), "tool"))
    return tuple(pieces)


@lru_cache(maxsize=4)
def _gripper(gripper: Gripper) -> tuple[Piece, ...]:
    """Build the solids of a gripper."""
    flange = cylinder(gripper.flange_radius, 0.0, gripper.flange_height)
    return (Piece(flange, "tool"), *(Piece(box(*corners), "tool") for corners in gripper.boxes))
