"""Evaluation as a Django application."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "selftest.evaluation"
    label = "evaluation"
    verbose_name = "Evaluation"
