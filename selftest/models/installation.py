"""What all machines of one installation have in common."""

import time
from typing import Self

from django.core import signing
from django.db import models, transaction
from django.db.models import F, Subquery, Value
from django.db.models.functions import Greatest
from solo.models import SingletonModel

SIGNED = "gadfly"


class Installation(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """Holds a signature: a machine with another SECRET_KEY is detected before it breaks the tasks of others."""

    key_mark = models.CharField(max_length=200, blank=True)
    queue_changes = models.PositiveBigIntegerField(
        default=0, help_text="Changes with every change of what is flagged; what was counted before is then outdated."
    )

    class Meta:
        verbose_name = verbose_name_plural = "installation"

    def __str__(self) -> str:
        return "Installation"

    @classmethod
    def with_this_key(cls) -> Self:
        """The installation, from now on that of this process's SECRET_KEY."""
        found: Self = cls.get_solo()
        if not found.has_this_key():
            found.key_mark = signing.dumps(SIGNED)
            found.save(update_fields=["key_mark"])  # the count changes meanwhile
        return found

    @classmethod
    def queue_changed(cls) -> None:
        """Notes that what is flagged has changed.

        Call it at the end of the transaction: its row is locked until then, so anyone who reads the new number reads
        the change too, and locks are always acquired in the same order.
        """
        # By the clock, so that no number repeats, not even after the database was emptied or an older one restored.
        now_us = Value(time.time_ns() // 1000, output_field=models.BigIntegerField())
        another = Greatest(F("queue_changes") + 1, now_us)
        if not cls.objects.update(queue_changes=another):
            cls.get_solo()
            cls.objects.update(queue_changes=another)
        number = Subquery(cls.objects.values("queue_changes")[:1])
        # What another transaction is changing is left to that one, which may wait for this one's lock.
        untold = QueueChange.objects.select_for_update(no_key=True, skip_locked=True).filter(change=None)
        with transaction.atomic(savepoint=False):
            QueueChange.objects.filter(pk__in=untold.values("pk")).update(change=number)

    def has_this_key(self) -> bool:
        """Whether the installation was signed with this process's SECRET_KEY; an earlier one does not count."""
        return self._is_signed(fallback_keys=[])

    def has_unknown_key(self) -> bool:
        """Whether it was signed with a key that this process knows neither as its own nor as an earlier one."""
        return bool(self.key_mark) and not self._is_signed(fallback_keys=None)

    def _is_signed(self, fallback_keys: list[str | bytes] | None) -> bool:
        """fallback_keys: None for those of the settings."""
        try:
            return bool(signing.loads(self.key_mark, fallback_keys=fallback_keys) == SIGNED)
        except signing.BadSignature:
            return False


class QueueChange(models.Model):
    """With which change of the queue a combination that was ever flagged has last changed: one row for each that has.

    Triggers write them, see `storage/queue_triggers.py`. A transaction that has changed some and then tells of it by
    `Installation.queue_changed` gives them its number, so who knows the queue as of a number reads what has a greater
    one, and what has none yet.
    """

    ALL = 0  # the key of no combination, for all of them

    combination = models.BigIntegerField(
        primary_key=True, help_text="Its key, also where it is gone; 0: all of them may have changed."
    )
    change = models.BigIntegerField(null=True, blank=True, db_index=True, help_text="Null: not told of yet.")

    def __str__(self) -> str:
        return f"{self.combination}: {self.change}"
