"""Hours in which nobody is called: what would come then is kept until they end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from trajekt.server.refusals import DeniedError
from trajekt.server.storage.push_subscriptions import QuietHours

DAY = 24 * 60  # minutes


def checked(hours: QuietHours) -> QuietHours:
    """Hours that can be kept. Raises `DeniedError` 422 for times or a zone that there are not."""
    try:
        ZoneInfo(hours.zone)
    except (OSError, ValueError) as fault:  # ZoneInfoNotFoundError is a KeyError before it is looked up
        raise DeniedError(422, "quiet_unreadable") from fault
    except KeyError as fault:
        raise DeniedError(422, "quiet_unreadable") from fault
    if not (0 <= hours.start < DAY and 0 <= hours.end < DAY and len(hours.zone) <= 64):
        raise DeniedError(422, "quiet_unreadable")
    return hours


def quiet_until(hours: QuietHours | None, now: float) -> float:
    """Return when the quiet hours end in which a time lies, in seconds since 1970; 0 where it lies in none."""
    if hours is None or hours.start == hours.end:
        return 0.0
    here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(hours.zone))
    minute = 60 * here.hour + here.minute
    inside = hours.start <= minute < hours.end if hours.start < hours.end else not hours.end <= minute < hours.start
    if not inside:
        return 0.0
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    day = midnight + timedelta(days=1) if minute >= hours.end else midnight
    end = day.replace(hour=hours.end // 60, minute=hours.end % 60)
    return max(end.timestamp(), now + 1.0)  # a clock that is put forward may leave the end behind
