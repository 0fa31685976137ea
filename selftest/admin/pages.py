"""What all our admin pages share: the style sheet, and pages of our own in the admin's layout."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

if TYPE_CHECKING:  # these classes take no parameter at run time
    AnyAdmin = admin.ModelAdmin[Any]
    AnyForm = forms.ModelForm[Any]
else:
    AnyAdmin = admin.ModelAdmin
    AnyForm = forms.ModelForm

STYLE = ("selftest/admin.css",)


class OwnAdmin(AnyAdmin):
    """A model admin with our style sheet, and with pages of our own."""

    class Media:
        """Loads our style sheet."""

        css = {"all": STYLE}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list. A NUL in a filter is a bad request: PostgreSQL cannot search for one."""
        if any("\x00" in value for _, values in request.GET.lists() for value in values):
            raise BadRequest("a filter holds a NUL character")
        return super().changelist_view(request, extra_context)

    def own_page(self, request: HttpRequest, template: str, title: str, **context: Any) -> TemplateResponse:
        """Renders `templates/admin/selftest/{template}` in the admin's layout."""
        frame = self.admin_site.each_context(request) | {"opts": self.opts, "title": title, "media": self.media}
        return TemplateResponse(request, f"admin/selftest/{template}", frame | context)
