"""The web side of Gadfly."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ReviewConfig(AppConfig):
    """Django's entry for the web side."""

    name = "review"
    verbose_name = "Review"

    def ready(self) -> None:
        """Follows migrations and sign-ins."""
        from django.contrib.auth.signals import user_logged_in

        from review.appearance import after_sign_in
        from review.roles import after_migrate

        post_migrate.connect(after_migrate, sender=self)
        user_logged_in.connect(after_sign_in)
