"""People as pages name them."""

from django.contrib.auth.models import User


def username(user: User | None) -> str:
    """The name to sign in with; "" for none."""
    return user.get_username() if user else ""
