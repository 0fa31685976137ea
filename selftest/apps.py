"""The engine as a Django application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SelftestConfig(AppConfig):
    name = "selftest"
    verbose_name = "Self-test"

    def ready(self) -> None:
        from selftest import search

        post_migrate.connect(search.after_migrate, sender=self)
