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
FAR = 60  # points that would change their kind if the first direction were kept: too many
WORK = 10**8  # entries of the inverses worked out anew, times their size, at most
ROOM = 24  # free points more than at first, at most
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
    bias = bool(dual.low[-1] != -NO_BOUND)  # a hard margin has −∞
    free = dual.free() if bias else dual.free()[:-1]
    if not len(free):
        return False
    way = Way(dual, K, free, bias)
    if not way.invert(slice(1, way.size)):
        return False
    arrived = way.go()
    return way.write_down() and arrived


class Way:
    """How far each point is from the next event on the way.

    The free points have places from 1 on; at 0 is what they have in common, c, and a row of ones.
    Their equations are Kβ′ + c′ = −δ and Σβ′ = 0; in the inverse of these an empty place has zeros,
    and so has the room behind. Without bias c is 0, and one more point sees to Σβ = 0. A point at a
    bound is as far from leaving it as its e is from c; a free point has two distances, to its two
    bounds.
    """

    def __init__(self, dual: "Dual", K: "np.ndarray | Rows", free: np.ndarray, bias: bool):
        from scipy.linalg.blas import dger  # takes longer to import than all the rest

        n, size = len(dual.y), 1 + len(free)
        most = size + ROOM
        self.ger = dger  # adds a matrix of rank 1
        self.dual, self.K, self.bias, self.size = dual, K, bias, size
        self.rows = np.empty((most, n))
        self.rows[0], self.rows[1:size] = bias, K[free]
        self.inverse = np.zeros((most, most), order="F")
        self.weak = False
        self.empty: list[int] = []  # places that were left
        self.work = WORK
        self.distance = np.full(n + 2 * most, math.inf)
        self.leave = self.distance[:n]
        self.to_low, self.to_high = self.distance[n:].reshape(2, most)
        self.point, self.push = np.zeros(most, int), np.zeros(most)
        beta, excess = dual.beta, dual.e - bias * (np.add.reduce(dual.e[free]) / len(free))
        self.side = np.where(beta > dual.low, 1.0, -1.0)  # 1 at the upper bound
        np.multiply(self.side, excess, out=self.leave)
        right = self.leave > 0
        right[free] = False
        self.speed = np.where(right, 0.0, excess)  # of the labels: −δ
        np.maximum(self.leave, TINY, out=self.leave)
        self.point[1:size], self.push[1:size] = free, excess[free]
        self.to_low[1:size] = (beta - dual.low)[free]
        self.to_high[1:size] = (dual.high - beta)[free]
        self.side[free], self.leave[free] = 0.0, math.inf
        if not bias:
            self.side[-1], self.leave[-1] = 0.0, math.inf

    def go(self) -> bool:
        """Go from event to event until δ = 0; tell whether that was reached."""
        n, most, distance = len(self.leave), len(self.point), self.distance
        fall = np.zeros(len(distance))  # of the distances
        to_leave, to_low, to_high = fall[:n], fall[n : n + most], fall[n + most :]
        left = 1.0
        for _ in range(EVENTS):
            step = self._solve(self.push)
            np.dot(step[: self.size], self.rows[: self.size], out=to_leave)
            to_leave -= self.speed
            to_leave *= self.side
            to_high[:] = step
            np.negative(step, out=to_low)
            urgency = fall / distance
            if left == 1.0 and np.count_nonzero(urgency > 1) > FAR:
                return False
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
        found = self.inverse @ right
        if self.weak:  # the inverse knows some digits, and some of the rest from what is missing
            size, missing = self.size, right - RIDGE * found
            missing[:size] -= (found[:size] @ self.rows[:size])[self.point[:size]]
            missing[0] = right[0] - self.bias * found[1:].sum()
            found += self.inverse @ missing
        return found

    def _stop(self, place: int, high: bool) -> bool:
        """Leave a point at its bound; tell whether the inverse is still one."""
        H = self.inverse
        column = H[place].copy()
        self.ger(-1 / column[place], column, column, a=H, overwrite_a=1)
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
        return self.work >= 0 and self.invert(places)

    def invert(self, places: "np.ndarray | slice") -> bool:
        """Work out the inverse from the equations of these places; tell whether it succeeded."""
        from scipy.linalg.lapack import dposv  # takes longer to import than all the rest

        K = self.rows[places][:, self.point[places]]
        K.flat[:: len(K) + 1] += RIDGE
        _, inverse, failed = dposv(K, np.eye(len(K)), lower=1)
        if failed:
            return False
        H = self.inverse
        if self.bias:
            ones = np.add.reduce(inverse)
            total = np.add.reduce(ones)
            self.ger(-1 / total, ones, ones, a=inverse, overwrite_a=1)
            H[0, 0] = -1 / total
            H[0, places] = H[places, 0] = ones / total
        H[places if isinstance(places, slice) else places[:, None], places] = inverse
        self.weak |= bool(WEAK * inverse.diagonal().max() > 1)
        return True

    def _places(self) -> np.ndarray:
        """List the places of free points."""
        return (np.minimum(self.to_low, self.to_high) < math.inf).nonzero()[0]

    def _free(self, point: int) -> bool:
        """Let a point leave its bound; tell whether there is room for it."""
        row, column = self.K[point], self.rows[: self.size, point]
        right = np.zeros(len(self.point))
        right[: self.size] = column
        shares = self._solve(right)
        rest = max(float(row[point] + RIDGE - shares @ right), RIDGE)
        place = self.empty.pop() if self.empty else self.size
        if place == len(self.point):
            return False
        self.size = max(self.size, place + 1)
        shares[place] = -1.0
        self.ger(1 / rest, shares, shares, a=self.inverse, overwrite_a=1)
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
            beta[free] -= (np.add.reduce(beta) - np.add.reduce(dual.beta)) / max(1, len(free))
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
