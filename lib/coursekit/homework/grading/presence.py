"""A clock that stands still while this process does: suspended by Ctrl-Z, or frozen.

Who grades must not count the time in which it was away itself. A thread looks at the time again
and again; where it comes too late, we were away.
"""

import threading
import time

TICK = 0.25  # seconds between two looks
SLACK = 1.0  # by which a look may be late on a busy machine


class Clock:
    """Seconds in which this process was there."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.gone = 0.0  # seconds, so far
        self.seen = time.monotonic()  # when the last look was
        threading.Thread(target=self._look, name="presence", daemon=True).start()

    def now(self) -> float:
        """Return the seconds since some moment, without those in which we were away."""
        with self.lock:
            self._notice()
            return self.seen - self.gone

    def away(self) -> float:
        """Return the seconds in which we were away."""
        with self.lock:
            self._notice()
            return self.gone

    def _notice(self) -> None:
        """Look at the time; the first who looks after a suspension notices it."""
        now = time.monotonic()
        late = now - self.seen - TICK - SLACK
        self.gone += max(0.0, late)
        self.seen = now

    def _look(self) -> None:
        while True:
            time.sleep(TICK)
            self.now()


_clock: Clock | None = None
_lock = threading.Lock()


def clock() -> Clock:
    """Return the clock of this process, started when it is first asked for."""
    global _clock
    with _lock:
        if _clock is None:
            _clock = Clock()
        return _clock


def now() -> float:
    """Return the seconds since some moment, without those in which this process was away."""
    return clock().now()


def away() -> float:
    """Return the seconds in which this process was away."""
    return clock().away()
