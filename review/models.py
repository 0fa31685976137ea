"""What belongs to a person: how the pages look to them, and the views of the queue that they keep."""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone


class Profile(models.Model):
    """How the pages look and behave for one person."""

    class Theme(models.TextChoices):
        """Which colours the pages have."""

        SYSTEM = "system", "As the system"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    theme = models.CharField("colour scheme", max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    keyboard = models.BooleanField("keyboard shortcuts", default=True)

    def __str__(self) -> str:
        return f"profile of {self.user}"

    @classmethod
    def of(cls, user: User) -> "Profile":
        """The one that was saved, or else a new one that is not saved yet: to look at a page writes nothing."""
        return cls.objects.filter(user=user).first() or cls(user=user)


class SavedView(models.Model):
    """A view of the queue under a name: its filters and its order, as they stand in its address."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=80)
    query = models.CharField(max_length=2000, blank=True, help_text="What follows the ? in the queue's address.")
    is_shared = models.BooleanField("shared", default=False, help_text="Everybody sees it; its owner alone changes it.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="saved_view_name_once_per_owner")]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def seen_by(cls, user: User) -> models.QuerySet["SavedView"]:
        """One's own and those that are shared, by name."""
        return cls.objects.filter(Q(owner=user) | Q(is_shared=True)).select_related("owner").order_by("name", "id")
