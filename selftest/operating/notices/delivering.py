"""Deliveries: taken one at a time by compare-and-swap, tried until they are sent, held back beyond the hourly limit.

A worker that dies while it sends one leaves it to be tried again, under the same webhook-id: to lose it would be worse.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Q, QuerySet, When
from django.urls import reverse
from django.utils import timezone

from selftest.models import Channel, Delivery, Notice
from selftest.operating.notices.channels import CLOCK_AHEAD
from selftest.operating.notices.sending import message_of, send_all
from selftest.reading.tuning import is_enabled
from selftest.storage.database_patience import keep_trying
from selftest.storage.locks import locked

State = Delivery.State
FIRST_WAIT = timedelta(minutes=1)  # doubled with each try
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=1)  # it is no news any more
LEASE = timedelta(minutes=5)  # far more than a sending may take; then its worker is dead
HOUR = timedelta(hours=1)
ROUNDS = 20  # of one look; what is left is sent by the next one
SENT_WHOLE = (Notice.Kind.SUMMARY, Notice.Kind.DIGEST)  # they wait for the hour's end: a title alone says too little
LISTED_IN_SUMMARY = 20  # the others are counted


def deliver() -> int:
    """Sends what is due, each channel's one after the other; how many were sent. Nothing while testing is off."""
    sent = 0
    failed: set[int] = set()
    for _ in range(ROUNDS):
        if not is_enabled(None):
            break
        now = timezone.now()
        claimed = [one for pk in _channels_with_work(now) if pk not in failed and (one := claim(pk, now))]
        if not claimed:
            break
        outcomes = send_all([(one.channel, message_of(one, now)) for one in claimed], timezone.now())
        for delivery, error in zip(claimed, (outcome.error for outcome in outcomes), strict=True):
            keep_trying(lambda delivery=delivery, error=error: record(delivery, error, timezone.now()))  # type: ignore[misc]
            if error:
                failed.add(delivery.channel_id)
            sent += not error
    return sent


def claim(channel_pk: int, now: datetime) -> Delivery | None:
    """The next one that this process may send to the channel, or None. What is over the limit is held for a summary."""
    with transaction.atomic():
        # Locked, so that two workers do not both take what the limit leaves.
        channel = locked(Channel.objects).filter(pk=channel_pk, enabled=True).first()
        if channel is None:
            return None
        _set_right(channel, now)
        _give_up(channel, now)
        open_ones = Delivery.objects.filter(channel=channel)
        due = open_ones.filter(state__in=(State.WAITING, State.SENDING), next_at__lte=now)
        if _room(channel, now) <= 0:
            due.filter(state=State.WAITING).exclude(notice__kind__in=SENT_WHOLE).update(state=State.HELD)
            return None
        _sum_up(channel, list(open_ones.filter(state=State.HELD).order_by("pk").select_related("notice")), now)
        delivery = _oldest(open_ones, now) or _next(due, now)
        return delivery if delivery is not None and _take(delivery, now) else None


def record(delivery: Delivery, error: str, now: datetime) -> None:
    """What came of a try. Does nothing where another worker took it over from this one."""
    ours = Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)
    if not error:
        if ours.update(state=State.SENT, sent_at=now, tried_at=now, error=""):  # so it takes what waits, too
            Delivery.objects.filter(channel=delivery.channel_id, state=State.WAITING).update(next_at=now)
        return
    wait = min(FIRST_WAIT * 2 ** min(delivery.attempts - 1, 10), LONGEST_WAIT)
    is_over = now + wait > delivery.created_at + GIVEN_UP_AFTER
    ours.update(state=State.FAILED if is_over else State.WAITING, next_at=now + wait, tried_at=now, error=error)


def _oldest(open_ones: QuerySet[Delivery], now: datetime) -> Delivery | None:
    """The first one, where it waits for another try: or its channel would hear the end of an outage before its begin.

    None where it was tried within a minute: what a service always refuses must not keep all others back.
    """
    waiting = open_ones.filter(state=State.WAITING).select_related("notice", "channel")
    oldest = waiting.order_by("pk").first()
    is_tried = oldest is not None and oldest.tried_at is not None and oldest.tried_at <= now - FIRST_WAIT
    return oldest if is_tried else None


def _next(due: QuerySet[Delivery], now: datetime) -> Delivery | None:
    """The first one; what was tried within a minute, and is due for another that was sent since, after the others."""
    was_just_tried = Case(When(tried_at__gt=now - FIRST_WAIT, then=True), default=False)
    return due.select_related("notice", "channel").order_by(was_just_tried, "pk").first()


def _take(delivery: Delivery, now: datetime) -> bool:
    as_seen = Delivery.objects.filter(pk=delivery.pk, state=delivery.state, next_at=delivery.next_at)
    delivery.attempts += 1
    delivery.state, delivery.next_at = State.SENDING, now + LEASE
    return bool(as_seen.update(state=delivery.state, next_at=delivery.next_at, attempts=delivery.attempts))


def _channels_with_work(now: datetime) -> Sequence[int]:
    due = Q(next_at__lte=now) | Q(next_at__gt=now + LONGEST_WAIT) | Q(state=State.HELD)
    found = Delivery.objects.filter(due, state__in=Delivery.OPEN_STATES, channel__enabled=True).order_by("channel")
    return list(found.values_list("channel", flat=True).distinct())


def _room(channel: Channel, now: datetime) -> int:
    """How many may be sent to it now."""
    lately = Q(state=State.SENT, sent_at__gt=now - HOUR, sent_at__lte=now) | Q(state=State.SENDING, next_at__gt=now)
    return channel.hourly_limit - Delivery.objects.filter(lately, channel=channel).count()


def _set_right(channel: Channel, now: datetime) -> None:
    """What was written by a clock that was ahead is due now, and is no older."""
    open_ones = Delivery.objects.filter(channel=channel, state__in=Delivery.OPEN_STATES)
    open_ones.filter(next_at__gt=now + LONGEST_WAIT).update(next_at=now)
    open_ones.filter(created_at__gt=now + CLOCK_AHEAD).update(created_at=now)


def _give_up(channel: Channel, now: datetime) -> None:
    """What waited for a day, as the channel or testing was switched off, or a worker died while it sent it."""
    unsent = Q(state__in=(State.WAITING, State.HELD)) | Q(state=State.SENDING, next_at__lte=now)
    late = Delivery.objects.filter(unsent, channel=channel, created_at__lt=now - GIVEN_UP_AFTER)
    late.filter(error="").update(state=State.FAILED, error="not sent within a day")
    late.update(state=State.FAILED)


def _sum_up(channel: Channel, held: Sequence[Delivery], now: datetime) -> None:
    """One notice instead of those that were held; a single one is sent as it is."""
    of_these: QuerySet[Delivery] = Delivery.objects.filter(pk__in=[one.pk for one in held], state=State.HELD)
    if len(held) < 2:
        of_these.update(state=State.WAITING)
        return
    notices = [one.notice for one in held]
    kinds = Counter(notice.get_kind_display().lower() for notice in notices)
    told = ", ".join(f"{count} × {kind}" if count > 1 else kind for kind, count in kinds.most_common())
    lines = [f"• {notice.words}" for notice in notices[:LISTED_IN_SUMMARY]]
    if len(notices) > LISTED_IN_SUMMARY:
        lines.append(f"… and {len(notices) - LISTED_IN_SUMMARY} more.")
    summary = Notice.objects.create(
        kind=Notice.Kind.SUMMARY,
        key=f"summary {channel.pk} {held[0].pk}",
        words=f"{len(held)} more: {told}",
        detail="\n".join(lines),
        link=reverse("inbox"),
        facts={"notices": len(held)},
        created_at=now,
    )
    Delivery.objects.create(notice=summary, channel=channel, next_at=now, created_at=now)
    of_these.update(state=State.SUMMED_UP)
