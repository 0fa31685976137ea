"""Knowledge search as a Django application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class KnowledgeConfig(AppConfig):
    name = "selftest.knowledge"
    label = "knowledge"
    verbose_name = "Knowledge search"

    def ready(self) -> None:
        """What live pieces are made of is watched by triggers; migrations may drop them."""
        pre_migrate.connect(_before_migrate, sender=self)
        post_migrate.connect(_after_migrate, sender=self)


def _before_migrate(using: str, plan: object = (), **_: object) -> None:
    from selftest.knowledge.live import triggers  # no start but that of migrate needs it

    triggers.before_migrate(using, plan)


def _after_migrate(using: str, **_: object) -> None:
    from selftest.knowledge.live import draining  # likewise

    draining.after_migrate(using)
