"""Knowledge search as a Django application."""

from django.apps import AppConfig
from django.db import models
from django.db.models.signals import post_migrate, pre_delete, pre_migrate


class KnowledgeConfig(AppConfig):
    name = "selftest.knowledge"
    label = "knowledge"
    verbose_name = "Knowledge search"

    def ready(self) -> None:
        """What live pieces are made of is watched by triggers, which migrations may drop."""
        pre_migrate.connect(_before_migrate, sender=self)
        post_migrate.connect(_after_migrate, sender=self)
        pre_delete.connect(_before_delete, sender=self.get_model("Documentation"))


def _before_migrate(using: str, plan: object = (), **_: object) -> None:
    from selftest.knowledge.live import triggers  # no start but that of migrate needs it

    triggers.before_migrate(using, plan)


def _after_migrate(using: str, **_: object) -> None:
    from selftest.knowledge.live import draining  # likewise

    draining.after_migrate(using)


def _before_delete(instance: models.Model, **_: object) -> None:
    """Also where its target is deleted: what words of pieces are found by is no row that goes with them."""
    from selftest.knowledge import publishing  # likewise

    publishing.withdraw(instance)  # type: ignore[arg-type]  # a signal does not say whose it is
