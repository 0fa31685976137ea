"""The engine as a Django application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class SelftestConfig(AppConfig):
    name = "selftest"
    verbose_name = "Self-test"

    def ready(self) -> None:
        from selftest.storage import compiled_statements, full_text, index_statistics, queue_triggers

        compiled_statements.never_compile()
        pre_migrate.connect(queue_triggers.before_migrate, sender=self)
        post_migrate.connect(queue_triggers.after_migrate, sender=self)
        post_migrate.connect(full_text.after_migrate, sender=self)
        post_migrate.connect(index_statistics.after_migrate, sender=self)
