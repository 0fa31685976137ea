"""Findings as a Django application."""

from django.apps import AppConfig


class FindingsConfig(AppConfig):
    name = "selftest.findings"
    label = "findings"
    verbose_name = "Findings"
