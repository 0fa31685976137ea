"""Who chose to have their searches kept."""

from django.conf import settings
from django.db import models


class HistoryConsent(models.Model):
    """A person who chose it; without this row nothing that they search is kept in words."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="search_consent")
    since = models.DateTimeField()

    class Meta:
        verbose_name = "consent to a history of searches"
        verbose_name_plural = "consents to a history of searches"

    def __str__(self) -> str:
        return f"since {self.since:%Y-%m-%d}"
