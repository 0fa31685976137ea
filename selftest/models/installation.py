"""What all machines of one installation have in common."""

from typing import Self

from django.core import signing
from django.db import models
from solo.models import SingletonModel

SIGNED = "gadfly"


class Installation(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """Holds a signature: a machine with another SECRET_KEY is found out before it spoils the tasks of others."""

    key_mark = models.CharField(max_length=200, blank=True)

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
            found.save()
        return found

    def has_this_key(self) -> bool:
        try:
            return bool(signing.loads(self.key_mark) == SIGNED)
        except signing.BadSignature:
            return False
