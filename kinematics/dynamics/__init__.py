"""Efforts, motions and energies."""

from .energy import (
    energy,
    inertial_parameters,
    inverse_dynamics_regressor,
    kinetic_energy,
    momentum_matrix,
    parameters_of,
    potential_energy,
)
from .external_wrenches import Wrenches, external_efforts, wrench_table
from .forward import forward_dynamics
from .gravity import gravity_efforts, one_gravity
from .inverse import bias_efforts, inverse_dynamics
from .mass import coriolis, mass_matrix, solve_mass
from .point_mass import point_mass_dynamics_efforts

__all__ = [
    "Wrenches",
    "bias_efforts",
    "coriolis",
    "energy",
    "external_efforts",
    "forward_dynamics",
    "gravity_efforts",
    "inertial_parameters",
    "inverse_dynamics",
    "inverse_dynamics_regressor",
    "kinetic_energy",
    "mass_matrix",
    "momentum_matrix",
    "one_gravity",
    "parameters_of",
    "point_mass_dynamics_efforts",
    "potential_energy",
    "solve_mass",
    "wrench_table",
]
