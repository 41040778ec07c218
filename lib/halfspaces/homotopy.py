"""From the solution of one problem to that of a neighbour, by way of all that lie between them.

At other multipliers than the best, y − Kβ is not what it should be somewhere: but β is the best for
other labels y + δ. Let δ vanish at a constant rate. Then the multipliers of the free points are
linear in time, until one of them meets its bound, or a point at its bound is about to leave it.
Between such events nothing has to be decided, and between neighbours there are few.

The equations for their speed may be singular, but for a ridge that makes it dear to move.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .smo import Dual, Rows

EVENTS = 200  # on the way, at most
WORK = 10**8  # entries of the inverses worked out anew, times their size, at most
ROOM = 64  # free points more than at first, at most
RIDGE = 1e-12  # added to the diagonal: points that coincide make the matrix singular
WEAK = 1e-6  # left of a K(x, x) near 1 by the other free points: less, and the inverse needs care
LOST = 1e-8  # the same: what is left of the inverse without that point has lost its digits
TINY = 1e-10  # of a margin: as if it were 0, but for rounding and RIDGE
NONE = 1e-200  # in place of 0, to divide by
NO_BOUND = 1e300  # of the last point, where there is no bias: it takes up the rest


def follow(dual: "Dual", K: "np.ndarray | Rows") -> bool:
    """Lead β to the optimum, from that of a neighbour; tell whether it was reached.

    The dual never falls on the way, so that a part of it is a gain too.
    """
    bias = bool(dual.low[-1] > -NO_BOUND)
    free = dual.free() if bias else dual.free()[:-1]
    if not len(free):
        return False
    rows = K[free]
    system = _bordered(rows[:, free], bias)
    inverse = _inverse(system, bias)
    if inverse is None:
        return False
    way = Way(dual, K, free, rows, system, inverse, bias)
    arrived = way.go()
    return way.write_down() and arrived


class Way:
    """How far each point is from the next event on the way.

    The free points have places from 1 on; at 0 is what they have in common, c, and a row of ones.
    `system` are the equations Kβ′ + c′ = −δ, Σβ′ = 0 for them; in its inverse an empty place has
    zeros. Without bias c is 0, and one more point sees to Σβ = 0. A point at a bound is as far from
    leaving it as its e is from c; a free point has two distances, to its two bounds.
    """

    def __init__(
        self,
        dual: "Dual",
        K: "np.ndarray | Rows",
        free: np.ndarray,
        rows: np.ndarray,
        system: np.ndarray,
        inverse: np.ndarray,
        bias: bool,
    ):
        n, size, most = len(dual.y), len(inverse), len(inverse) + ROOM
        self.dual, self.K, self.bias, self.size = dual, K, bias, size
        self.system, self.inverse = np.empty((2, most, most))
        self.system[:size, :size], self.inverse[:size, :size] = system, inverse
        self.weak = bool(WEAK * inverse.diagonal()[1:].max() > 1)
        self.empty: list[int] = []  # places that were left
        self.work = WORK
        self.distance = np.full(n + 2 * most, math.inf)
        self.leave = self.distance[:n]
        self.to_low, self.to_high = self.distance[n:].reshape(2, most)
        self.point, self.push = np.zeros(most, int), np.zeros(most)
        self.rows = np.empty((most, n))
        self.rows[0] = bias
        excess = dual.e - bias * (np.add.reduce(dual.e[free]) / len(free))
        self.side = np.where(dual.beta > dual.low, 1.0, -1.0)  # 1 at the upper bound
        np.multiply(self.side, excess, out=self.leave)
        right = self.leave > 0
        right[free] = False
        self.speed = np.where(right, 0.0, excess)  # of the labels: −δ
        np.maximum(self.leave, TINY, out=self.leave)
        self.point[1:size], self.rows[1:size] = free, rows
        self.push[1:size] = self.speed[free]
        self.to_low[1:size] = dual.beta[free] - dual.low[free]
        self.to_high[1:size] = dual.high[free] - dual.beta[free]
        self.side[free], self.leave[free] = 0.0, math.inf
        if not bias:
            self.side[-1], self.leave[-1] = 0.0, math.inf

    def go(self) -> bool:
        """Go from event to event until δ = 0; tell whether that was reached."""
        n, most, distance = len(self.leave), len(self.point), self.distance
        fall = np.zeros_like(distance)  # of the distances
        to_leave, to_low, to_high = fall[:n], fall[n : n + most], fall[n + most :]
        left = 1.0
        for _ in range(EVENTS):
            size = self.size
            step = self._solve(self.push[:size])
            np.subtract(step @ self.rows[:size], self.speed, out=to_leave)
            to_leave *= self.side
            to_high[:size] = step
            np.negative(step, out=to_low[:size])
            urgency = fall / distance
            event = int(urgency.argmax())
            most_urgent = float(urgency[event])
            time = left if most_urgent * left <= 1 else 1 / most_urgent
            distance -= time * fall
            np.maximum(distance, NONE, out=distance)
            if not time < left:
                return time == left
            left -= time
            if event < n:
                goes_on = self._free(event)
            else:
                goes_on = self._stop((event - n) % most, event - n >= most)
            if not goes_on:
                return False
        return False

    def _solve(self, right: np.ndarray) -> np.ndarray:
        """Solve the equations of the free points."""
        H = self.inverse[: self.size, : self.size]
        found = H @ right
        if self.weak:  # the inverse knows some digits, and some of the rest from what is missing
            found += H @ (right - self.system[: self.size, : self.size] @ found)
        return found

    def _stop(self, place: int, high: bool) -> bool:
        """Leave a point at its bound; tell whether the inverse is still one."""
        H = self.inverse[: self.size, : self.size]
        column = H[place].copy()
        H -= np.multiply.outer(column / column[place], column)
        H[place] = H[:, place] = 0.0
        self.to_low[place] = self.to_high[place] = math.inf
        self.empty.append(place)
        point = self.point[place]
        self.side[point], self.leave[point] = 1.0 if high else -1.0, TINY
        return LOST * column[place] <= 1 or self._renew()

    def _renew(self) -> bool:
        """Work out the inverse anew, unless that has taken too long; tell whether it succeeded."""
        places = self._places()
        self.work -= len(places) ** 3
        if self.work < 0:
            return False
        places = np.append(0, places)
        inverse = _inverse(self.system[places[:, None], places], self.bias)
        if inverse is None:
            return False
        self.inverse[places[:, None], places] = inverse
        return True

    def _places(self) -> np.ndarray:
        """List the places of free points."""
        return np.flatnonzero(np.minimum(self.to_low, self.to_high) < math.inf)

    def _free(self, point: int) -> bool:
        """Let a point leave its bound; tell whether there is room for it."""
        row, column = self.K[point], self.rows[: self.size, point]
        shares = self._solve(column)
        rest = max(float(row[point] + RIDGE - shares @ column), RIDGE)
        if self.empty:
            place = self.empty.pop()
            shares[place] = -1.0
        else:
            place = self.size
            if place == len(self.point):
                return False
            shares = np.concatenate([shares, [-1.0]])
            self.inverse[place, : place + 1] = self.inverse[:place, place] = 0.0
            self.size += 1
        H = self.inverse[: self.size, : self.size]
        H += np.multiply.outer(shares / rest, shares)
        self.system[place, : len(column)] = self.system[: len(column), place] = column
        self.system[place, place] = row[point] + RIDGE
        self.weak = self.weak or rest < WEAK
        self.point[place], self.rows[place], self.push[place] = point, row, self.speed[point]
        room = self.dual.high[point] - self.dual.low[point]
        ends = (room, NONE) if self.side[point] > 0 else (NONE, room)
        self.to_low[place], self.to_high[place] = ends
        self.side[point], self.leave[point] = 0.0, math.inf
        return True

    def write_down(self) -> bool:
        """Write down the multipliers and their gradient; not if rounding has spoilt them."""
        dual = self.dual
        places = self._places()
        free = self.point[places]
        low, high = dual.low[free], dual.high[free]
        beta = np.where(self.side > 0, dual.high, dual.low)
        beta[free] = np.where(low == 0, self.to_low[places], high - self.to_high[places])
        if self.bias:  # but for rounding this changes nothing
            beta[free] -= (beta.sum() - dual.beta.sum()) / max(1, len(free))
        else:
            beta[-1] = dual.beta.sum() - beta[:-1].sum()
        np.minimum(np.maximum(beta, dual.low, out=beta), dual.high, out=beta)
        change = beta - dual.beta
        if isinstance(self.K, np.ndarray):
            e = dual.e - change @ self.K
        else:
            moved = np.flatnonzero(change)
            e = dual.e - change[moved] @ self.K[moved]
        better = change @ (dual.e + e) >= 0  # twice what the dual gains
        if better:
            dual.beta[:], dual.e[:] = beta, e
        return bool(better)


def _bordered(K: np.ndarray, bias: bool) -> np.ndarray:
    """Return K with a ridge, and a border of ones; of zeros without bias."""
    system = np.empty((len(K) + 1, len(K) + 1))
    system[0], system[:, 0], system[0, 0] = bias, bias, 0.0
    system[1:, 1:] = K
    system.flat[len(K) + 2 :: len(K) + 2] += RIDGE
    return system


def _inverse(system: np.ndarray, bias: bool) -> np.ndarray | None:
    """Return the inverse, or that within a border of zeros; none if it is singular."""
    from scipy.linalg.lapack import dposv  # takes longer to import than all the rest

    _, inverse, failed = dposv(system[1:, 1:], np.eye(len(system) - 1), lower=1)
    if failed:
        return None
    H = np.zeros(system.shape)
    if bias:
        ones = np.add.reduce(inverse)
        total = np.add.reduce(ones)
        share = ones / total
        inverse -= np.multiply.outer(share, ones)
        H[0, 0] = -1 / total
        H[0, 1:] = H[1:, 0] = share
    H[1:, 1:] = inverse
    return H
