"""The engine as a Django application."""

from django.apps import AppConfig


class SelftestConfig(AppConfig):
    name = "selftest"
    verbose_name = "Self-test"
