"""The grid: round steps, below the robot or behind it."""

import numpy as np
import pytest

from armwright.gui.floor import floor_height, make_grid, nice_step

BOX = np.array([[-0.1, -0.2, 0.0], [0.5, 0.2, 0.6]])
ORIGIN = np.zeros(3)


@pytest.mark.parametrize(
    ("about", "step"), [(0.1, 0.1), (0.13, 0.2), (0.3, 0.5), (0.7, 1.0), (30.0, 50.0), (2e-4, 2e-4)]
)
def test_steps_are_round(about: float, step: float) -> None:
    assert nice_step(about) == pytest.approx(step)


@pytest.mark.parametrize(
    ("lowest", "base", "highest", "floor"),
    [
        (0.0, 0.0, 1.0, 0.0),  # stands
        (5.0, 5.0, 6.0, 5.0),  # stands on something
        (-0.5, 0.0, 0.5, -0.5),  # reaches below its base
        (0.2, 1.2, 1.2, 0.0),  # hangs over the ground
        (9.0, 10.0, 10.0, 9.0),  # hangs far up
        (-0.01, 0.0, 1.0, 0.0),  # a rim below the base is not worth a floor
    ],
)
def test_height_of_the_floor(lowest: float, base: float, highest: float, floor: float) -> None:
    assert floor_height(lowest, base, highest) == floor


def test_a_floor_reaches_around_the_robot() -> None:
    grid = make_grid(BOX, ORIGIN, 22.0, -55.0)
    assert grid.height == 0.0
    assert (grid.lines[:, :, 2] == 0.0).all()
    low, high = grid.corners.min(axis=0), grid.corners.max(axis=0)
    assert (low[:2] < BOX[0, :2]).all()
    assert (high[:2] > BOX[1, :2]).all()
    texts = [text for _, text in grid.numbers]
    assert "0.0" in texts
    assert sum(text.endswith(" m") for text in texts) == 2
    assert "-0.0" not in texts


@pytest.mark.parametrize(("azimuth", "axis", "place"), [(0.0, 0, -0.1), (-90.0, 1, 0.2)])
def test_seen_from_the_side_the_grid_stands_behind_the_robot(
    azimuth: float, axis: int, place: float
) -> None:
    grid = make_grid(BOX, ORIGIN, 0.0, azimuth)
    assert grid.height is None
    assert (grid.lines[:, :, axis] == place).all()
    assert grid.corners[:, 2].min() == 0.0


def test_long_sides_have_few_numbers() -> None:
    long = np.array([[0.0, 0.0, 0.0], [100.0, 0.1, 0.1]])
    assert len(make_grid(long, ORIGIN, 22.0, -55.0).numbers) < 20
