"""Knowledge search as a Django application."""

from django.apps import AppConfig


class KnowledgeConfig(AppConfig):
    name = "selftest.knowledge"
    label = "knowledge"
    verbose_name = "Knowledge search"
