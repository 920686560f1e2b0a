"""Which faults explain the efforts of an arm that stands still: hypotheses, fitted and compared.

A hypothesis is a set of faults. The efforts that it predicts are those of gravity on the model, at
the positions that the joints would then really have, with the signs that the modules would then
report, plus those of a payload. In the mass of a payload and its first moment these are linear,
through the Jacobian of the end effector: tau = -J(c)^T m g, and J is affine in the point c. So
payloads are fitted by linear least squares, and zeros, few and smooth, by a scan and Gauss-Newton
steps around it (variable projection: Golub and Pereyra 1973). Residuals count in tolerances; where
least squares leaves some beyond one, they are levelled, see ``levelling.py``.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from armwright.kinematics.arrays import FloatArray

from .evidence import HALF, Evidence, Fault
from .levelling import level_step

MOST_FAULTS = 3
"""How many faults at once are looked for."""

FARTHEST_COM = 0.5
"""A payload that would have to sit farther from the end effector than this is none [m]."""

COM_SCALE = 0.1
"""Where poses do not tell, a center of mass this far off is as good as the mass itself [m]."""

_RANK = 1e-4  # singular values below this part of the largest tell nothing
_WHOLE = 500  # so many pairs of faults are all tried; else the best single ones are extended
_BEAM = 12
_ZEROS = 72  # places of the scan, 5 degrees apart
_SLIDE = 0.5  # reach of the scan for a sliding joint [m]
_LEVELLINGS = 3  # times that efforts are made linear while residuals are levelled
_PER_UNKNOWN = 0.1  # what an unknown must gain in squared tolerances to be worth having


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How well a set of faults explains the efforts, at its best.

    Attributes:
        faults: The faults.
        zeros: What must be added to the positions of those that are zeros, shape (z,).
        payloads: Mass and first moment of those that are payloads, shape (p, 4) [kg, kg m].
        zero_spread: How far each zero may be off when efforts are by one tolerance, shape (z,).
        payload_spread: Likewise, shape (p, 4); inf where the poses do not tell.
        residuals: Measured less predicted, in tolerances, shape (n, dof); 0 where not used.
        unknowns: How many numbers were fitted, as far as the poses tell them.
    """

    faults: tuple[Fault, ...]
    zeros: FloatArray
    payloads: FloatArray
    zero_spread: FloatArray
    payload_spread: FloatArray
    residuals: FloatArray
    unknowns: int

    @property
    def worst(self) -> float:
        """The largest residual, in tolerances."""
        return float(np.abs(self.residuals).max(initial=0.0))

    @property
    def score(self) -> float:
        """The less the better: squared residuals, and a little for every unknown."""
        return float(np.sum(self.residuals**2)) + _PER_UNKNOWN * self.unknowns

    @property
    def plausible(self) -> bool:
        """Whether its payloads, where the poses tell, sit near their end effectors."""
        for payload, spread in zip(self.payloads, self.payload_spread, strict=True):
            moment = np.where(np.isfinite(spread[1:]), payload[1:], 0.0)
            if np.linalg.norm(moment) > FARTHEST_COM * abs(payload[0]):
                return False
        return True


def explanations(evidence: Evidence) -> tuple[list[Fit], list[Fit]]:
    """Return the smallest sets of faults that explain the efforts, the best first.

    A set explains them when no residual is above one tolerance and its payloads are plausible.

    Returns:
        The sets that have fewer unknowns than there are efforts that say anything, and those
        that have not: they would fit whatever was measured, and so show nothing.
    """
    singles = list(_candidates(evidence))
    informative = evidence.informative()
    tried: list[Fit] = []
    for size in range(1, MOST_FAULTS + 1):
        if size == 1:
            sets: Iterable[tuple[Fault, ...]] = [(fault,) for fault in singles]
        elif size == 2 and len(singles) * (len(singles) - 1) // 2 <= _WHOLE:
            sets = _sets(itertools.combinations(singles, 2))
        else:
            best = sorted(tried, key=lambda fit: fit.score)[:_BEAM]
            sets = _sets((*fit.faults, fault) for fit in best for fault in singles)
        tried = [fit_faults(evidence, faults) for faults in sets]
        fitting = [fit for fit in tried if fit.worst <= 1.0 and fit.plausible]
        fitting = [fit for fit in fitting if _reaches_peaks(evidence, fit)]
        if fitting:
            fitting.sort(key=lambda fit: fit.score)
            shown = [fit for fit in fitting if fit.unknowns < informative]
            return shown, [fit for fit in fitting if fit.unknowns >= informative]
    return [], []


def fit_faults(evidence: Evidence, faults: Sequence[Fault]) -> Fit:
    """Fit the numbers of a set of faults."""
    joints = [fault.index for fault in faults if fault.kind == "zero"]
    zeros = np.zeros(len(joints))
    for _ in range(min(len(joints), 2)):  # each in turn; twice, as they depend on each other
        for column, joint in enumerate(joints):
            grid = np.repeat(zeros[None], _ZEROS, axis=0)
            grid[:, column] = scan_of(evidence, joint)
            residuals, _ = _project(evidence, faults, grid)
            zeros = grid[int(np.argmin(np.sum(residuals**2, axis=1)))]
    zeros = _refine(evidence, faults, zeros)
    for column, joint in enumerate(joints):
        if not evidence.slides[joint]:
            turn = 2 * np.pi / abs(float(evidence.scales[joint]))
            zeros[column] -= turn * np.round(zeros[column] / turn)
    zeros, payloads, residuals = _level(evidence, faults, zeros)
    zero_spread, payload_spread, unknowns = _spreads(evidence, faults, zeros, payloads)
    whole = np.zeros(evidence.Q.shape)
    whole[evidence.used] = residuals
    return Fit(
        faults=tuple(faults),
        zeros=zeros,
        payloads=payloads.reshape(-1, 4),
        zero_spread=zero_spread,
        payload_spread=payload_spread.reshape(-1, 4),
        residuals=whole,
        unknowns=unknowns,
    )


def scan_of(evidence: Evidence, joint: int) -> FloatArray:
    """Return the zeros to try for a joint, shape (72,): a whole turn, or half a metre each way."""
    if evidence.slides[joint]:
        return np.linspace(-_SLIDE, _SLIDE, _ZEROS)
    turn: FloatArray = 2 * np.pi * np.arange(_ZEROS) / _ZEROS
    return turn / abs(float(evidence.scales[joint]))


def _candidates(evidence: Evidence) -> Iterator[Fault]:
    """Give the single faults whose effect would show at these poses."""
    none = np.zeros((1, 0))
    alone = evidence.predict((), none)
    used = np.where(evidence.used, evidence.measured, 0.0)
    loads = np.maximum(np.abs(alone[0]), np.abs(used)) / evidence.tolerances * evidence.used
    for joint in range(evidence.Q.shape[1]):
        if loads[:, joint].max(initial=0.0) > HALF:
            yield Fault("sign", joint)
        turned = evidence.predict((Fault("direction", joint),), none) - alone
        if np.abs(evidence.weigh(turned)).max(initial=0.0) > 1.0:
            yield Fault("direction", joint)
        zero = (Fault("zero", joint),)
        moved = evidence.predict(zero, scan_of(evidence, joint)[:, None]) - alone
        if np.abs(evidence.weigh(moved)).max(initial=0.0) > 1.0:
            yield zero[0]
    for number in range(len(evidence.ends)):
        yield Fault("payload", number)


def _reaches_peaks(evidence: Evidence, fit: Fit) -> bool:
    """Tell whether efforts at a peak are explained too."""
    if not evidence.peak_signs.any():
        return True
    efforts = evidence.predict(fit.faults, fit.zeros[None])
    efforts = efforts + evidence.regressors(fit.faults, fit.zeros[None]) @ fit.payloads.ravel()
    return not evidence.below_peaks(efforts[0]).any()


def _sets(given: Iterable[tuple[Fault, ...]]) -> Iterator[tuple[Fault, ...]]:
    """Give sets of different faults, each once; no joint has both sign and direction wrong."""
    seen = set()
    for faults in given:
        key = frozenset(faults)
        turned = [fault.index for fault in key if fault.kind in ("sign", "direction")]
        if len(key) == len(faults) and len(turned) == len(set(turned)) and key not in seen:
            seen.add(key)
            yield faults


def _project(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the residuals with the best payloads, (b, m), and these, (b, 4 p)."""
    left = evidence.weigh(evidence.measured - evidence.predict(faults, zeros))  # (b, m)
    Y = _weighed_regressors(evidence, faults, zeros)  # (b, m, 4 p)
    if not Y.shape[-1]:
        return left, np.zeros((len(zeros), 0))
    scaled = np.einsum("bkm,bm->bk", np.linalg.pinv(Y, rcond=_RANK), left)
    return left - np.einsum("bmk,bk->bm", Y, scaled), scaled * _scales_of(Y.shape[-1])


def _weighed_regressors(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray
) -> FloatArray:
    """Return the regressors in tolerances, moments in units of 0.1 kg m, shape (b, m, 4 p)."""
    Y = np.moveaxis(evidence.regressors(faults, zeros), -1, 1)  # (b, 4 p, n, dof)
    return np.moveaxis(evidence.weigh(Y), 1, -1) * _scales_of(Y.shape[1])


def _scales_of(count: int) -> FloatArray:
    """Return the units of masses and moments of payloads, shape (4 p,)."""
    return np.tile([1.0, COM_SCALE, COM_SCALE, COM_SCALE], count // 4)


def _refine(evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray) -> FloatArray:
    """Improve zeros by Gauss-Newton steps that are halved until they help."""
    for _ in range(20 if len(zeros) else 0):
        residuals, J = _slopes(evidence, faults, zeros)
        step = np.linalg.lstsq(J, -residuals, rcond=1e-10)[0]
        trials = zeros + np.outer([1.0, 0.5, 0.25, 0.1, 0.02], step)
        costs = np.sum(_project(evidence, faults, trials)[0] ** 2, axis=1)
        best = int(np.argmin(costs))
        if costs[best] >= np.sum(residuals**2):
            break
        zeros = trials[best]
        if np.abs(step).max() < 1e-13:
            break
    return zeros


def _slopes(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the residuals (m,) and their derivatives by the zeros (m, z)."""
    small = 1e-5 * np.eye(len(zeros))
    around = np.concatenate([zeros[None], zeros + small, zeros - small])
    rows, _ = _project(evidence, faults, around)
    plus, minus = rows[1 : len(zeros) + 1], rows[len(zeros) + 1 :]
    return rows[0], (plus - minus).T / 2e-5


def _level(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return zeros, payloads (4 p,) and residuals (m,), none above one tolerance if it can be.

    Least squares may leave one above it where other numbers leave none, and the truth would seem
    refuted. Where that can be (m residuals within one have squares of at most m), level them.
    """
    rows, best = _project(evidence, faults, zeros[None])
    residuals, payloads = rows[0], best[0]
    for _ in range(_LEVELLINGS):
        worst = np.abs(residuals).max(initial=0.0)
        if worst <= 1.0 or np.sum(residuals**2) > len(residuals):
            break
        J = _by_unknowns(evidence, faults, zeros, payloads)
        _, values, rows_of_V = np.linalg.svd(J, full_matrices=False)
        told = rows_of_V[values > _RANK * values.max(initial=1e-300)].T
        step = told @ level_step(residuals, J @ told)
        z = zeros + step[: len(zeros)]
        p = payloads + step[len(zeros) :] * _scales_of(len(payloads))
        efforts = evidence.predict(faults, z[None])
        efforts = efforts + evidence.regressors(faults, z[None]) @ p
        left = evidence.weigh(evidence.measured - efforts)[0]
        if np.abs(left).max() >= worst:
            break
        zeros, payloads, residuals = z, p, left
    return zeros, payloads, residuals


def _by_unknowns(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray, payloads: FloatArray
) -> FloatArray:
    """Return the derivatives of the efforts by zeros and payloads, in tolerances, (m, z + 4 p)."""
    small = 1e-5 * np.eye(len(zeros))
    around = np.concatenate([zeros + small, zeros - small])
    efforts = evidence.predict(faults, around)
    if len(payloads):
        efforts = efforts + evidence.regressors(faults, around) @ payloads
    rows = evidence.weigh(efforts)
    by_zero = (rows[: len(zeros)] - rows[len(zeros) :]).T / 2e-5  # (m, z)
    Y = _weighed_regressors(evidence, faults, zeros[None])[0]
    return np.concatenate([by_zero, Y], axis=1)


def _spreads(
    evidence: Evidence, faults: Sequence[Fault], zeros: FloatArray, payloads: FloatArray
) -> tuple[FloatArray, FloatArray, int]:
    """Return how well the numbers are known, and how many of them the poses tell."""
    J = _by_unknowns(evidence, faults, zeros, payloads)
    if not J.size:
        return np.full(len(zeros), np.inf), np.full(len(payloads), np.inf), 0
    _, values, rows_of_V = np.linalg.svd(J, full_matrices=False)
    told = values > _RANK * values.max(initial=1e-300)
    V = rows_of_V[told].T
    spread = np.sqrt(np.sum((V / values[told]) ** 2, axis=1))
    spread[np.sum(V**2, axis=1) < 1 - 1e-6] = np.inf  # partly in what the poses do not tell
    scaled = spread[len(zeros) :] * _scales_of(len(payloads))
    return spread[: len(zeros)], scaled, int(told.sum())
