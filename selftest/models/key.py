"""Keys for scripts that change something."""

from django.db import models


class ApiKey(models.Model):
    """A key that scripts send as X-API-Key. Only its hash is kept: it is shown once, when it is made."""

    name = models.CharField(max_length=100, unique=True)
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name = "API key"

    def __str__(self) -> str:
        return self.name
