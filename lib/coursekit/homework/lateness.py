"""Say when homework is due, who has more time, and what lateness costs: exercises/late.toml.

timezone = "Europe/Berlin"

[hw03]
due = 2026-11-01T12:00:00
penalty = { points = 3, per = "day", most = 15 }     # or per = "hour"; none if left out

[hw03.extensions]
ada = 2026-11-04T12:00:00                            # a new date for one student
"""

import math
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

FILE = "late.toml"


class Per(StrEnum):
    """The unit by which lateness is counted; begun units count whole."""

    HOUR = "hour"
    DAY = "day"


SECONDS = {Per.HOUR: 3600, Per.DAY: 86400}


@dataclass(frozen=True)
class Penalty:
    """What each begun unit costs, up to a limit."""

    points: float
    per: Per
    most: float = math.inf

    def cost(self, seconds: float) -> float:
        """Return the points that so many seconds cost."""
        units = math.ceil(max(0.0, seconds) / SECONDS[self.per])
        return min(self.most, units * self.points)


@dataclass(frozen=True)
class Rule:
    """When one homework is due, and what lateness costs."""

    due: datetime
    penalty: Penalty | None = None
    extensions: dict[str, datetime] = field(default_factory=dict)

    def seconds_late(self, student: str, when: datetime) -> float:
        """Return by how much a submission is late, with the student's own date if there is one."""
        return max(0.0, (when - self.extensions.get(student, self.due)).total_seconds())


@dataclass(frozen=True)
class Rules:
    """The rules of all homeworks, and the time zone in which times without one are meant."""

    zone: tzinfo = UTC
    homeworks: dict[str, Rule] = field(default_factory=dict)

    def in_utc(self, when: datetime) -> datetime:
        """Return a time in UTC; one without a zone is of the course's."""
        return (when if when.tzinfo else when.replace(tzinfo=self.zone)).astimezone(UTC)


def read_rules(course: Path) -> Rules:
    """Return the rules of late.toml, or none; raise ValueError with a sentence if it is wrong."""
    path = course / FILE
    if not path.exists():
        return Rules()
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        zone = ZoneInfo(data.pop("timezone", "UTC"))
    except (OSError, ValueError, TypeError, ZoneInfoNotFoundError) as error:
        raise ValueError(f"{FILE} cannot be read: {error}.") from None
    rules = Rules(zone)
    for name, about in data.items():
        try:
            rules.homeworks[name] = _rule(about, rules)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(
                f"{FILE}, [{name}]: {_what(error)}. due = 2026-11-01T12:00:00 is needed; "
                'penalty = { points = 3, per = "day", most = 15 } and [.extensions] may follow.'
            ) from None
    return rules


def _what(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _rule(about: dict[str, Any], rules: Rules) -> Rule:
    odd = about.keys() - {"due", "penalty", "extensions"}
    if odd:
        raise ValueError(f"there is nothing called {', '.join(sorted(odd))}")
    penalty = about.get("penalty")
    return Rule(
        rules.in_utc(_moment(about["due"])),
        _penalty(penalty) if penalty else None,
        {
            student: rules.in_utc(_moment(when))
            for student, when in about.get("extensions", {}).items()
        },
    )


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise ValueError(f"{value!r} is no time such as 2026-11-01T12:00:00")
    return value


def _penalty(about: dict[str, Any]) -> Penalty:
    odd = about.keys() - {"points", "per", "most"}
    if odd:
        raise ValueError(f"a penalty has no {', '.join(sorted(odd))}")
    points, most = float(about["points"]), float(about.get("most", math.inf))
    if not (0 <= points < math.inf and most >= 0):
        raise ValueError("points of a penalty are taken away, so they are written without a sign")
    return Penalty(points, Per(about["per"]), most)
