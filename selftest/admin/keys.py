"""API keys for scripts: created, shown once, and revoked. A key is never changed, and a revoked one stays listed."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from selftest.admin.pages import AnyForm
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.models import ApiKey
from selftest.operating.keys import make_api_key, revoke_api_key


class NewKeyForm(AnyForm):
    """Asks for the name of a new key."""

    class Meta:
        model = ApiKey
        fields = ("name",)
        help_texts = {"name": "Who or what will use it. Reviews made with it are shown as “key NAME”."}


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    """Lists keys; creates one with a page of its own, and revokes by an action."""

    change_form_template = "admin/change_form.html"  # with its log of who created and who revoked it
    list_display = ("name", "created_at", "state")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    ordering = ("name",)
    search_fields = ("name",)
    fields = ("name", "created_at", "revoked_at")
    actions = ("revoke",)

    @admin.display(description="state")
    def state(self, row: ApiKey) -> str:
        """In use, or revoked and when."""
        return "in use" if row.revoked_at is None else f"revoked on {row.revoked_at:%d %B %Y}"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Who may create keys."""
        return request.user.has_perm("selftest.add_apikey")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The response to the form is the only page that shows the key; a message would put it into a cookie."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = NewKeyForm(request.POST if request.method == "POST" else None)
        if not form.is_valid():
            return self.own_page(request, "key_form.html", "Create an API key", form=form)
        key = make_api_key(form.cleaned_data["name"])
        row = ApiKey.objects.get(name=form.cleaned_data["name"])
        self.log_addition(request, row, "Created.")
        return self.own_page(request, "key_made.html", f"API key {row}", key=key, row=row)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Who may revoke keys; the action asks."""
        return request.user.has_perm("selftest.change_apikey")

    @admin.action(description="Revoke", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        """Revokes the selected keys, each with an entry in its log."""
        revoked = [key for key in chosen if revoke_api_key(key)]
        for key in revoked:
            self.log_change(request, key, "Revoked.")
        names = ", ".join(map(str, revoked))
        if names:
            self.message_user(request, f"Revoked: {names}.", messages.SUCCESS)
        else:
            self.message_user(request, "Nothing to revoke: the selected keys are revoked already.", messages.INFO)
