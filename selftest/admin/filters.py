"""List filters whose choices are known in advance, so that no list of millions is read for its distinct values."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from selftest.core.generation.recipes import RECIPES
from selftest.core.judging.findings import CheckName

CHECKS = [(check.value, check.value) for check in CheckName]  # in their order of priority


def recipe_filter(column: str) -> type[admin.SimpleListFilter]:
    """Rows of one recipe; `column` holds its name."""

    class ByRecipe(admin.SimpleListFilter):
        title = "recipe"
        parameter_name = "recipe"

        def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
            return [(name, name) for name in RECIPES]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{column: self.value()}) if self.value() else queryset

    return ByRecipe


def check_filter(column: str, is_reason: bool = True) -> type[admin.SimpleListFilter]:
    """Rows flagged by one check; `column` holds its name, or a reason, which begins with it."""

    class ByCheck(admin.SimpleListFilter):
        title = "check"
        parameter_name = "check"

        def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
            return CHECKS

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            if not self.value():
                return queryset
            wanted = {f"{column}__startswith": f"{self.value()}:"} if is_reason else {column: self.value()}
            return queryset.filter(**wanted)

    return ByCheck
