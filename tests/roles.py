"""Roles for the people in tests."""

from django.contrib.auth.models import Group, User


def give(user: User, *roles: str) -> User:
    """`user` with these roles beside those that they have."""
    groups = Group.objects.filter(name__in=roles)
    assert len(groups) == len(set(roles)), f"no such role among {roles}"
    user.groups.add(*groups)
    return User.objects.get(pk=user.pk)  # permissions once asked for are kept in memory
