"""The form of a channel: its URL and its secret go in but never out, and what was entered is checked together."""

from typing import Any

from django import forms

from selftest.admin.pages import AnyForm
from selftest.models import Channel
from selftest.models.encrypted import UnreadableSecret
from selftest.operating.notices.channels import InvalidChannelError, check_channel, masked_url
from selftest.operating.notices.webhook import new_secret

GENERAL = ("name", "kind", "enabled", "hourly_limit")
RULES = ("new_causes", "causes_back", "later_due", "targets_away", "worker_missing", "schedule_stale", "drift")
DIGEST = ("weekly_digest", "digest_weekday", "digest_hour")
SECRETS = {"new_url": "url", "new_secret": "secret"}  # what is entered, and kept in which column


def _write_only() -> forms.PasswordInput:
    return forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password", "class": "vTextField"})


class ChannelForm(AnyForm):
    """Both kinds of channel in one form."""

    new_url = forms.CharField(label="URL", required=False, max_length=2000, widget=_write_only())
    new_secret = forms.CharField(label="Signing secret", required=False, max_length=200, widget=_write_only())

    class Meta:
        model = Channel
        fields = (*GENERAL, *RULES, *DIGEST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.url:
            is_set = f"{masked_url(self.instance)} is set. It is never shown whole; leave this empty to keep it."
            self.fields["new_url"].help_text = is_set
        else:
            self.fields["new_url"].help_text = (
                "Of Apprise: slack://…, mailto://…, ntfy://… (appriseit.com lists them). Of a webhook: https://…"
                " Encrypted, and never shown whole again."
            )
        if self.instance.secret and not isinstance(self.instance.secret, UnreadableSecret):
            self.fields["new_secret"].help_text = "One is set. It is never shown; leave this empty to keep it."
        else:
            self.fields[
                "new_secret"
            ].help_text = f"Needed for a webhook: the receiver checks signatures by it. A new one: {new_secret()}"

    def _post_clean(self) -> None:
        """The row is filled in by now; if all fields are valid, the channel is checked as a whole."""
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, which the stubs leave out
        for entered, column in SECRETS.items():
            if new := self.cleaned_data.get(entered):
                setattr(self.instance, column, new.strip())
        if self.errors:
            return
        if not self.instance.url:
            self.add_error("new_url", "This field is required.")
            return
        try:
            check_channel(self.instance)
        except InvalidChannelError as fault:
            entered = next(name for name, column in SECRETS.items() if column == fault.field)
            self.add_error(entered, str(fault))
            return
        if self.instance.kind == Channel.Kind.APPRISE and isinstance(self.instance.secret, UnreadableSecret):
            self.instance.secret = ""  # it signs nothing there, and the doctor would name the channel for ever
