"""Channels: checking what was entered, what is shown of it, and which of them want a notice."""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q, QuerySet

from selftest.models import Channel, Notice
from selftest.models.encrypted import UnreadableSecret
from selftest.operating.notices import apprise_service, webhook
from selftest.refusals import RefusedError
from selftest.storage.encrypted_columns import renew
from selftest.targets.http import posting
from selftest.targets.redaction import HIDDEN

CLOCK_AHEAD = timedelta(hours=1)  # more than two clocks differ by
SECRET_COLUMNS = ("url", "secret")
Kind = Notice.Kind
RULES = {  # the column in which a channel says that it wants them
    Kind.CAUSE_NEW: "new_causes",
    Kind.CAUSE_CAME_BACK: "causes_back",
    Kind.CAUSE_LATER_DUE: "later_due",
    Kind.FLAGS_LATER_DUE: "later_due",
    Kind.TARGET_AWAY: "targets_away",
    Kind.TARGET_BACK: "targets_away",
    Kind.WORKER_MISSING: "worker_missing",
    Kind.WORKER_BACK: "worker_missing",
    Kind.SCHEDULE_STALE: "schedule_stale",
    Kind.SCHEDULE_RESUMED: "schedule_stale",
    Kind.DRIFT: "drift",
    Kind.DIGEST: "weekly_digest",
}


class InvalidChannelError(RefusedError):
    """A channel cannot work like this. field: the column at fault. The message repeats no secret."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def check_channel(channel: Channel) -> None:
    """Raises InvalidChannelError where nothing could be sent to it. Sends nothing."""
    if column := unreadable_column(channel):
        raise InvalidChannelError(column, unreadable(channel, column))
    is_webhook = channel.kind == Channel.Kind.WEBHOOK
    try:
        if is_webhook:
            posting.check_url(channel.url, settings.TARGET_PRIVATE)
        else:
            apprise_service.check_url(channel.url)
    except ValueError as fault:
        raise InvalidChannelError("url", str(fault)) from fault
    if is_webhook:
        try:
            webhook.check_secret(channel.secret)
        except ValueError as fault:
            raise InvalidChannelError("secret", str(fault)) from fault


def masked_url(channel: Channel) -> str:
    """What may be shown: of a webhook its host, of the others the service; their hosts may be tokens."""
    if isinstance(channel.url, UnreadableSecret):
        return HIDDEN
    url = urlsplit(channel.url)
    host = url.netloc if channel.kind == Channel.Kind.WEBHOOK else ""
    return f"{url.scheme}://{host}{'/' if host else ''}{HIDDEN}"


def unreadable_column(channel: Channel) -> str:
    """The first of what it needs that cannot be decrypted; "" where all can. Only a webhook needs its secret."""
    needed = SECRET_COLUMNS if channel.kind == Channel.Kind.WEBHOOK else ("url",)
    return next((column for column in needed if isinstance(getattr(channel, column), UnreadableSecret)), "")


def unreadable(channel: Channel, column: str) -> str:
    """What is wrong where this column cannot be decrypted, and what to do."""
    what, enter = ("signing secret", "it or a new one") if column == "secret" else ("URL", "it again")
    return (
        f"The {what} of channel {channel} cannot be decrypted, as SECRET_KEY was replaced: enter {enter} in the admin, "
        "or name the earlier key in SECRET_KEY_FALLBACKS"
    )


def renew_encryption() -> list[str]:
    """The same for channels as for targets: what it did, and each channel that cannot be decrypted, in sentences."""
    renewed = renew(Channel, SECRET_COLUMNS)
    done = f"Encrypted by the present SECRET_KEY from now on: the URLs of {len(renewed.done)} channels."
    lost = [(channel, unreadable_column(channel)) for channel in renewed.unreadable.values()]
    return [*([done] if renewed.done else []), *(f"{unreadable(*one)}." for one in lost if one[1])]


def wanting(kind: str, at: datetime, now: datetime) -> QuerySet[Channel]:
    """Those that want to hear of what happened `at` that moment."""
    # One that seems to be made later than now was made while the clock was ahead: when is not known.
    is_as_old = Q(created_at__lte=at) | Q(created_at__gt=now + CLOCK_AHEAD)
    return Channel.objects.filter(is_as_old, enabled=True, **{RULES[Kind(kind)]: True})
