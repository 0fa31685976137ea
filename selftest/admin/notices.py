"""Channels of notices, with a test of each, and what was sent to them, read only."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import formats, timezone
from django.utils.html import format_html

from selftest.admin import channel_form
from selftest.admin.channel_form import ChannelForm
from selftest.admin.pages import OwnAdmin
from selftest.admin.readonly import ReadOnlyAdmin
from selftest.admin.shown import as_text, cell, cut
from selftest.models import Channel, Delivery
from selftest.operating.notices.channels import masked_url
from selftest.operating.notices.sending import send_test

State = Delivery.State


@admin.register(Channel)
class ChannelAdmin(OwnAdmin):
    """The form of a channel, and its test."""

    form = ChannelForm
    change_form_template = "admin/selftest/channel.html"
    list_display = ("name", "kind", "address", "enabled", "last_delivery")
    list_filter = ("kind", "enabled")
    search_fields = ("name",)
    fieldsets = (
        (None, {"fields": (*channel_form.GENERAL, *channel_form.SECRETS)}),
        ("What it is told", {"fields": channel_form.RULES}),
        (
            "Digest",
            {
                "fields": (channel_form.DIGEST[0], channel_form.DIGEST[1:]),
                "description": "What was found, judged and asked in a week, what is open, and which targets were away.",
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Channel]:
        """Channels, with what came of their last delivery."""
        tried = Delivery.objects.filter(channel=OuterRef("pk"), tried_at__isnull=False).order_by("-tried_at")
        rows: QuerySet[Channel] = super().get_queryset(request)
        return rows.annotate(
            last_tried=Subquery(tried.values("tried_at")[:1]), last_error=Subquery(tried.values("error")[:1])
        )

    @admin.display(description="URL")
    def address(self, row: Channel) -> str:
        """Without what is secret of it."""
        return masked_url(row)

    @admin.display(description="last delivery")
    def last_delivery(self, row: Any) -> str:
        """When, or why it failed; that of a test that was sent since."""
        if row.tested_at and (row.last_tried is None or row.tested_at >= row.last_tried):
            return f"✓ test sent {row.tested_at:%d %B %Y, %H:%M}"
        if row.last_tried is None:
            return "–"
        return f"✗ {cut(row.last_error)}" if row.last_error else f"✓ sent {row.last_tried:%d %B %Y, %H:%M}"

    def save_model(self, request: HttpRequest, obj: Channel, form: ChannelForm, change: bool) -> None:
        """Saves; a new channel gets what happens from now on."""
        if not change:
            obj.created_at = timezone.now()
        super().save_model(request, obj, form, change)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion: channels are deleted one at a time, from their own page."""
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Its deliveries are deleted with a channel, and never by themselves."""
        to_delete, counts, forbidden, protected = super().get_deleted_objects(objs, request)
        return to_delete, counts, forbidden - {Delivery._meta.verbose_name}, protected

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form under the channel's name."""
        channel = self.get_object(request, unquote(object_id))
        context: dict[str, Any] = {"subtitle": None, "title": f"Channel {channel}"}
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    # --- the test ---

    def get_urls(self) -> list[URLPattern]:
        """Adds the test."""
        test = path("<path:object_id>/test/", self.admin_site.admin_view(self.test_view), name="selftest_channel_test")
        return [test, *super().get_urls()]

    def test_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Sends a test to the channel as it is saved. Only by POST; a GET leads back to the form with the button."""
        page = reverse("admin:selftest_channel_change", args=[object_id])
        if request.method != "POST":
            return HttpResponseRedirect(page)
        channel: Channel | None = self.get_object(request, unquote(object_id))
        if channel is None:
            raise Http404(f"there is no channel {object_id}")
        if not self.has_change_permission(request, channel):
            raise PermissionDenied
        outcome = send_test(channel)
        if outcome.error:
            self.message_user(request, f"The test was not sent: {outcome.error}", messages.ERROR)
        else:
            words = f"The test was sent to {masked_url(channel)} in {outcome.seconds * 1000:.0f} ms."
            self.message_user(request, words, messages.SUCCESS)
        return HttpResponseRedirect(page)


WORDS = cell("words_cell", "notice", lambda row: row.notice.words)
KIND = cell("kind_cell", "what", lambda row: row.notice.get_kind_display())
DETAIL = cell("detail_cell", "detail", lambda row: as_text(row.notice.detail))
LINK = cell("link_cell", "link", lambda row: format_html('<a href="{0}">{0}</a>', row.notice.link))
STATE = cell("state_cell", "state", lambda row: row.get_state_display())
ERROR = cell("error_cell", "last error", lambda row: cut(row.error))


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Which notice went to which channel, when, and why not."""

    list_display = (WORDS, "channel", STATE, "attempts", "next_try", "sent_at", ERROR)
    list_filter = ("state", "channel", "notice__kind")
    list_select_related = ("notice", "channel")
    fields = (
        WORDS,
        KIND,
        DETAIL,
        LINK,
        "channel",
        "state",
        "attempts",
        "created_at",
        "tried_at",
        "next_try",
        "sent_at",
        "error",
    )
    readonly_fields = (WORDS, KIND, DETAIL, LINK, "next_try")

    @admin.display(description="next try")
    def next_try(self, row: Delivery) -> str:
        """When; a dash where it is not tried again."""
        return formats.localize(timezone.localtime(row.next_at)) if row.state == State.WAITING else "–"
